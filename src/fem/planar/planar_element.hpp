// Nodal and edge functions on triangles, straight or of second order, at points (theory/frequency-domain-2d).
#pragma once

#include <array>
#include <cstdint>

#include "mesh/triangles/triangle_mesh.hpp"

namespace tetrawave::fem {

/// What is unknown: values of a component along z, or in-plane vectors with continuous tangential components.
enum class PlanarKind { nodal, edge };

/// A function at a point: of a nodal one v the gradient and v itself, of an edge function the vector and its curl. The
/// weak form of every equation is sum_x T_x vector_x vector'_x + T_z scalar scalar'.
struct PlanarFunction {
  Point2 vector{};
  double scalar = 0;
};

/// All functions of an element at a point; its geometry there.
struct PlanarPoint {
  static constexpr std::size_t most_functions = 8;
  Point2 place_m{};
  double area_m2 = 0;                ///< of the element, as the Jacobian has it here
  std::array<Point2, 3> gradient{};  ///< of the barycentric coordinates [1/m]
  std::array<PlanarFunction, most_functions> functions{};
};

/// Corners at the ends of the edges 0, 1, 2 of an element.
inline constexpr std::array<std::array<std::size_t, 2>, 3> planar_edges{{{0, 1}, {1, 2}, {2, 0}}};

/// Functions of order 1 or 2: the Lagrange functions at corners, then at the middles of edges; or Nedelec's of the
/// first kind, for edge a, b with the smaller node first: l_a grad l_b - l_b grad l_a of the three edges, then of order
/// 2 grad(l_a l_b) of the three, then two that vanish along all edges.
class PlanarElement {
 public:
  PlanarElement(const TriangleMesh& mesh, std::size_t element, PlanarKind kind, int order);

  static std::size_t count(PlanarKind kind, int order) {
    return kind == PlanarKind::nodal ? (order == 1 ? 3 : 6) : (order == 1 ? 3 : 8);
  }
  [[nodiscard]] PlanarPoint at(const std::array<double, 3>& barycentric) const;
  /// Barycentric coordinates of a point that is in the element or near it.
  [[nodiscard]] std::array<double, 3> locate(const Point2& point_m) const;

 private:
  [[nodiscard]] Point2 place(const std::array<double, 3>& l, std::array<Point2, 2>& derivative) const;
  void add_nodal(const std::array<double, 3>& l, PlanarPoint& point) const;
  void add_edge(const std::array<double, 3>& l, PlanarPoint& point) const;

  PlanarKind kind_;
  int order_;
  std::size_t nodes_;
  std::array<Point2, 6> x_{};
  std::array<bool, 3> is_reversed_{};  ///< per edge: the larger node is first
};

}  // namespace tetrawave::fem
