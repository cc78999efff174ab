// The matrix of a plane problem: elements, walls, and dense blocks of ports.
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <vector>

#include "fem/planar/planar_space.hpp"
#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem {

/// Factors of the weak form at a point: of the two components of the vectors, and of the scalars.
struct PlanarCoefficients {
  std::array<Complex, 2> vector{};
  Complex scalar;
};

/// Points of a quadrature along an edge of an element, exact for its functions; `length` sums to that of the edge.
struct PlanarEdgePoint {
  PlanarPoint at;
  double length_m = 0;
  Point2 tangent{};  ///< unit vector, from the edge's first corner to its second
  Point2 normal{};   ///< unit vector, out of the element
};
[[nodiscard]] std::vector<PlanarEdgePoint> points_on_edge(const TriangleMesh& mesh, const PlanarSpace& space,
                                                          const PlanarEdge& edge);

/// What a function has on an edge: its value, of an edge function the component along `direction`.
[[nodiscard]] inline double trace_of(PlanarKind kind, const PlanarFunction& function, const Point2& direction) {
  return kind == PlanarKind::nodal ? function.scalar
                                   : function.vector[0] * direction[0] + function.vector[1] * direction[1];
}

/// Mesh and space must outlive it.
class PlanarAssembly {
 public:
  /// `blocks`: lists of unknowns, each of which are all coupled with each other.
  PlanarAssembly(const TriangleMesh& mesh, const PlanarSpace& space,
                 const std::vector<std::vector<std::int32_t>>& blocks, int threads);

  [[nodiscard]] const CsrPattern& pattern() const { return pattern_; }

  /// Coefficients at a point of an element.
  using Medium = std::function<PlanarCoefficients(std::size_t element, const Point2& place_m)>;
  /// Sets the matrix to the sum over all elements.
  void assemble(const Medium& medium, CsrMatrix<Complex>& matrix) const;
  /// The matrix [i][j] of one element.
  [[nodiscard]] std::vector<Complex> element_matrix(std::size_t element, const Medium& medium) const;
  /// Adds factor int trace trace' along an edge.
  void add_wall(const PlanarEdge& edge, const Complex& factor, CsrMatrix<Complex>& matrix) const;
  /// Adds factor p p^T.
  void add_product(const std::vector<std::int32_t>& unknowns, const std::vector<double>& p, const Complex& factor,
                   CsrMatrix<Complex>& matrix) const;

 private:
  void add(std::int32_t row, std::int32_t column, const Complex& value, CsrMatrix<Complex>& matrix) const;

  const TriangleMesh& mesh_;
  const PlanarSpace& space_;
  int threads_;
  CsrPattern pattern_;
};

}  // namespace tetrawave::fem
