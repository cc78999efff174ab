// The TEM field of a two-conductor cross-section on a faceted mesh.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "base/types.hpp"
#include "sources/ports/port_face.hpp"

namespace tetrawave {

/// The edges of a port's face on metal: of the conductor at 1 V, and of all others, at 0 V. On other edges of the rim
/// the normal field vanishes, as at magnetic walls.
struct TemConductors {
  std::vector<PortEdge> signal;
  std::vector<PortEdge> others;
};

/// The field on a triangle with curved edges, where it is not a polynomial: e = -grad phi of the mapped functions.
struct CurvedField {
  PortTriangle triangle;
  std::vector<double> potential;  ///< phi of the functions of the degree
};

/// The transverse field of a TEM wave with 1 V at the signal's conductor: e = -grad phi [1/m], tangential to the face.
struct TemMode {
  std::vector<std::array<Vec3, 3>> corner_field;  ///< e at the corners of each triangle [1/m]
  /// e at the middle of the edges 01, 02, 12 of each triangle if it is quadratic; empty if it is linear [1/m].
  std::vector<std::array<Vec3, 3>> middle_field;
  int degree = 1;                             ///< of the potential
  std::map<std::size_t, CurvedField> curved;  ///< of the triangles with curved edges, where it replaces these
  double norm_squared = 0;                    ///< oint e.e dS; 2 pi / ln(b/a) for circles
  Vec3 normal{};                              ///< out of the structure
  double impedance_ohm = 0;                   ///< reported and used for waves; set by the kind of port

  /// e at a point of a triangle, given by its barycentric coordinates (weights of the three corners).
  [[nodiscard]] Vec3 electric(std::size_t triangle, const std::array<double, 3>& barycentric) const;
};

/// Solves div(eps grad phi) = 0 on the triangles by elements of degree 1, 2 or 3: e is then constant, linear or
/// quadratic on each triangle. `eps` of each triangle, empty if it is the same everywhere. Jacobi-preconditioned
/// conjugate gradients to a relative residual of 1e-13, serial: the same bits on every rank. Leaves the impedance 0.
[[nodiscard]] TemMode solve_tem_mode(const std::vector<PortTriangle>& triangles, const Vec3& normal,
                                     const TemConductors& conductors, int degree, const std::vector<double>& eps = {});

/// int a.b over each triangle, exact for the fields of solve_tem_mode if edges are straight.
[[nodiscard]] std::vector<double> overlaps(const TemMode& a, const TemMode& b,
                                           const std::vector<PortTriangle>& triangles);

}  // namespace tetrawave
