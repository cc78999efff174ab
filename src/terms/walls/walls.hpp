// Contributions of walls, ports and sheets to the equations of an element, scheme by scheme (theory/walls, theory/dfdd,
// theory/upwind).
#pragma once

#include "base/types.hpp"
#include "media/material.hpp"

namespace tetrawave::schemes {

/// A face that is not simply between two elements.
struct WallSpec {
  enum class Kind { electric, magnetic, open, sheet, one_mode };
  Kind kind = Kind::electric;
  double admittance = 0;  ///< open: Y_s of the wall; sheet: G between its two sides (both times eta0)
  bool is_held = false;   ///< electric, in DGTD: the tangential E is zero (in DFDD-ELD it always is)
  bool is_shunt = false;  ///< open, in DGTD-Central: a magnetic wall that carries the current Y_s E_t
};

/// A0 of an element = mass M + stiffness S0, M and S0 without eps, mu (of its own medium).
struct ElementFactors {
  double mass = 0;
  double stiffness = 0;
};

/// Contribution of one wall face, F = oint N_t . N_t, D = oint N . (n x N):
///   u_new = u~ - A0^-1 [ face F (u~ + u_old) + turned D v - incident moment w ],  A0 including face F of all its
///   faces;
/// `fixed`: afterwards the traces of u on this face are zero.
struct WallFactors {
  double face = 0;
  double turned = 0;
  double incident = 0;
  bool fixed = false;
  [[nodiscard]] bool any() const { return face != 0 || turned != 0 || incident != 0 || fixed; }
};

/// Factors of DGTD-Central (dt_m = 0: of its K, mass without 1/dt) and DFDD-ELD; `electric`: E, else H. dt_m = c0 dt.
ElementFactors element_factors(Scheme scheme, const Medium& medium, bool electric, double dt_m);
WallFactors wall_factors(Scheme scheme, const WallSpec& wall, const Medium& medium, bool electric, double dt_m);

}  // namespace tetrawave::schemes
