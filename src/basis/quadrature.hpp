// Quadrature on a line, and on triangles and tetrahedra in barycentric coordinates, with positive weights.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace tetrawave::basis {

/// Nodes in (-1, 1), descending, and weights, whose sum is 2.
struct GaussRule {
  std::vector<double> nodes;
  std::vector<double> weights;
};

/// Gauss-Legendre quadrature with this many points, by Newton's iteration on the Legendre polynomial: exact up to
/// degree 2 points - 1.
GaussRule gauss_rule(std::size_t points);

template <std::size_t vertices>
struct QuadraturePoint {
  std::array<double, vertices> barycentric;
  double weight;  ///< the weights of a rule sum to 1
};
using TrianglePoint = QuadraturePoint<3>;
using TetrahedronPoint = QuadraturePoint<4>;

/// With fewer points where such a rule is known: 6 up to degree 4, 12 up to degree 6, symmetric under permutations of
/// the corners (D. A. Dunavant, Int. J. Numer. Meth. Eng. 21 (1985) 1129; to 2e-15); else the collapsed one.
std::vector<TrianglePoint> symmetric_triangle_rule(int degree);
/// Similarly: 14 points up to degree 5 (N. J. Walkington, Carnegie Mellon 00-CNA-023 (2000)), 24 up to degree 6 (P.
/// Keast, Comp. Meth. Appl. Mech. Eng. 55 (1986) 339; both to 1e-15).
std::vector<TetrahedronPoint> symmetric_tetrahedron_rule(int degree);

/// Rules exact for polynomials up to `degree`, by Gauss-Legendre points in collapsed coordinates.
std::vector<TrianglePoint> triangle_rule(int degree);
std::vector<TetrahedronPoint> tetrahedron_rule(int degree);

}  // namespace tetrawave::basis
