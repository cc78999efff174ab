// Quadrature on triangles and tetrahedra in barycentric coordinates, with positive weights.
#pragma once

#include <array>
#include <vector>

namespace tetrawave::basis {

template <std::size_t vertices>
struct QuadraturePoint {
  std::array<double, vertices> barycentric;
  double weight;  ///< the weights of a rule sum to 1
};
using TrianglePoint = QuadraturePoint<3>;
using TetrahedronPoint = QuadraturePoint<4>;

/// Rules exact for polynomials up to `degree`, by Gauss-Legendre points in collapsed coordinates.
std::vector<TrianglePoint> triangle_rule(int degree);
std::vector<TetrahedronPoint> tetrahedron_rule(int degree);

}  // namespace tetrawave::basis
