// Small types used everywhere.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tetrawave {

/// An index within a rank, and an index over the whole mesh. Products of sizes are always 64 bit.
using LocalIndex = std::int32_t;
using GlobalIndex = std::int64_t;

/// A point or vector in space, metres unless its name says otherwise.
using Vec3 = std::array<double, 3>;

constexpr Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
constexpr Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
constexpr Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
constexpr double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }

/// A space of discontinuous vector polynomials on a tetrahedron: mixed-k is the Nedelec space of the first kind, full-k
/// all of (P_k)^3. Ordered by inclusion. nested_full_3 is full-3 too, for finite elements: its functions include those
/// of the smaller spaces, where full_3 and full_4 have sparse operators instead (basis/functions.hpp).
enum class Space { mixed_1, full_1, mixed_2, full_2, mixed_3, full_3, full_4, nested_full_3 };

/// Time-stepping schemes: DGTD with central flux and leap-frog, DGTD with upwind flux and Runge-Kutta stages, or the
/// dual-field domain decomposition at element level.
enum class Scheme { dgtd_central, dgtd_upwind, dfdd_eld };

/// Operators as constants times six numbers per element, or as dense matrices per element.
enum class Layout { factored, stored };

/// How the elements of a rank are ordered in memory (mesh/connect/order_elements.hpp).
enum class Ordering { none, curve, parts, blocks };

/// The floating-point type of the fields.
enum class Precision { double_precision, single_precision };

/// Time stepping of dispersion: auxiliary differential equations, or the published recursive convolutions.
enum class Dispersion { passive, published };

}  // namespace tetrawave
