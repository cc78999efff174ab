// Grids of field output: whole elements of regions, and triangles where planes cut elements.
//
// Every cell (tetrahedron or triangle) has its own points, since fields are discontinuous between elements.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"
#include "results/request/request.hpp"

namespace tetrawave::results {

/// The share of one rank in one output.
struct FieldGrid {
  std::string name;                      ///< of its file
  int corners = 4;                       ///< nodes of a cell: 4, 10 in meshes with curved edges, or 3 for a cut
  std::vector<std::int64_t> item;        ///< elements with cells, as indices in FieldOutput::elements, ascending
  std::vector<std::int32_t> cells;       ///< of each of them, 1 or 2
  std::vector<std::array<double, 4>> l;  ///< cuts: barycentric coordinates of the points, cell by cell

  [[nodiscard]] bool is_cut() const { return corners == 3; }
};

/// Grids in the order of the case (regions first), and the problem's list of elements whose fields they need. Throws
/// UserError (bad_case) for cuts that meet no element. Collective.
std::vector<FieldGrid> add_field_grids(march::Problem& problem, const FieldsRequest& spec,
                                       const comm::Communicator& ranks);

/// The triangles in which a plane cuts a tetrahedron, from the signed distances of its vertices: none, or one or two
/// times three points. Distances within `tolerance` of zero count as in front (`front`) or behind, so that a plane
/// through faces of the mesh is covered once.
std::vector<std::array<double, 4>> cut_element(const std::array<double, 4>& distance, double tolerance, bool front);

/// Fields at the points of a grid, from dofs.
class FieldValues {
 public:
  /// `threads`: of this rank, for `values`.
  FieldValues(const march::Problem& problem, const FieldGrid& grid, int threads);

  /// Coordinates [m] of the points of the items [first, last), 3 each.
  [[nodiscard]] std::vector<float> points(std::size_t first, std::size_t last) const;
  /// Vectors at those points from the dofs of these items' elements, n each: 3 numbers per point, times `scale`.
  [[nodiscard]] std::vector<float> values(std::size_t first, std::size_t last, const std::vector<double>& dofs,
                                          double scale) const;

 private:
  [[nodiscard]] LocalIndex element(std::size_t item) const;
  [[nodiscard]] std::vector<float> values_of_part(std::size_t first, std::size_t last, const double* dofs,
                                                  double scale) const;

  const march::Problem& problem_;
  const FieldGrid& grid_;
  std::size_t threads_;
  std::vector<std::size_t> first_point_;          ///< cuts: per item
  std::array<std::vector<Vec3>, 4> at_vertices_;  ///< covariant components of the functions at the vertices
};

}  // namespace tetrawave::results
