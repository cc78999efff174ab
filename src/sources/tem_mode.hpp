// The TEM field of a two-conductor cross-section as a faceted mesh has it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/types.hpp"
#include "sources/annulus.hpp"

namespace tetrawave {

/// The transverse field of a TEM wave with 1 V between the conductors: e = -grad phi [1/m], tangential to the face,
/// phi = 1 on the inner rim and 0 on the outer.
struct TemMode {
  std::vector<std::array<Vec3, 3>> corner_field;  ///< e at the corners of each triangle; linear between them [1/m]
  double norm_squared = 0;                        ///< oint e.e dS; 2 pi / ln(b/a) for circles
  Vec3 normal{};                                  ///< out of the structure
  double impedance_ohm = 0;                       ///< reported and used for waves; set by the kind of port

  /// e at a point of a triangle, given by its barycentric coordinates (weights of the three corners).
  [[nodiscard]] Vec3 electric(std::size_t triangle, const std::array<double, 3>& barycentric) const;
};

/// Solves Laplace's equation on the triangles by Lagrange elements of degree 1 or 2: e is then constant or linear on
/// each triangle. Jacobi-preconditioned conjugate gradients to a relative residual of 1e-13, serial: the same bits on
/// every rank. Leaves the impedance 0.
[[nodiscard]] TemMode solve_tem_mode(const std::vector<PortTriangle>& triangles, const Annulus& annulus, int degree);

}  // namespace tetrawave
