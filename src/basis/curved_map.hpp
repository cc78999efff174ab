// The shape of a second-order tetrahedron (theory/curved-elements).
#pragma once

#include <array>
#include <optional>

#include "base/types.hpp"

namespace tetrawave::basis {

/// Points [m] on the edges 01 02 03 12 13 23 of a second-order element; the midpoint for a straight edge.
using Middles = std::array<Vec3, 6>;

/// x(L) = sum_v L_v x_v + 4 sum_ab L_a L_b b_ab, with b_ab the offset of the point on an edge from its straight
/// midpoint: the quadratic isoparametric element, written so that it is the straight one if all b are 0.
class CurvedMap {
 public:
  /// In metres.
  CurvedMap(const std::array<Vec3, 4>& corners, const Middles& middles);

  [[nodiscard]] Vec3 point(const std::array<double, 4>& barycentric) const;
  /// t_a = dx/dL_a - dx/dL_0, a = 1, 2, 3 [m]; for straight edges those of the straight element.
  [[nodiscard]] std::array<Vec3, 3> tangents(const std::array<double, 4>& barycentric) const;
  /// det J = t_1 . (t_2 x t_3) [m^3]; a cubic polynomial. int |det J|/6 over a rule of weights 1 is the volume.
  [[nodiscard]] double determinant(const std::array<double, 4>& barycentric) const;
  /// The position of a point in the element, by Newton's iteration; none if it does not converge: then the point is not
  /// in the element. Coordinates below 0: outside.
  [[nodiscard]] std::optional<std::array<double, 4>> barycentric(const Vec3& point) const;

 private:
  std::array<Vec3, 4> corners_;
  Middles bulge_;  ///< b of the edges
};

/// The minimum of det J over its value in the straight element, at the points of a lattice with six steps along each
/// edge: 1 for a straight element, 0 or less for one that is inverted somewhere.
[[nodiscard]] double least_relative_determinant(const std::array<Vec3, 4>& corners, const Middles& middles);

}  // namespace tetrawave::basis
