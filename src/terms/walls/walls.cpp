#include "terms/walls/walls.hpp"

#include "base/error.hpp"
#include "base/scheme.hpp"
#include "terms/dispersion/coefficients.hpp"

namespace tetrawave::schemes {

namespace {

/// Dissertation eq. 4.37, 4.38 for a wall of any admittance; the update kernel has included -+1/2 D v of an open face.
/// At metal the jump of E is a flux of the update, or E is held at zero.
WallFactors central_factors(const WallSpec& wall, double own, bool electric) {
  const double y = wall.admittance;
  switch (wall.kind) {
    case WallSpec::Kind::open:
      if (wall.is_shunt) return electric ? WallFactors{y / 2, 0, 2 * y, false} : WallFactors{};
      if (electric) return {own * y / (own + y) / 2, own / (own + y) - 0.5, 2 * own * y / (own + y), false};
      return {1 / (own + y) / 2, 0.5 - y / (own + y), 2 * y / (own + y), false};
    case WallSpec::Kind::sheet:
      return {electric ? y / 4 : 0, 0, electric ? y : 0, false};
    case WallSpec::Kind::electric:
      return {0, 0, 0, electric && wall.is_held};
    default:
      return {};
  }
}

/// Losses of the faces enter the element's damping matrix, averaged over the step.
WallFactors dfdd_factors(const WallSpec& wall, bool electric, double dt_m) {
  const double y = wall.admittance;
  switch (wall.kind) {
    case WallSpec::Kind::open:
      return {dt_m / 2 * (electric ? y : 1 / y), 0, electric ? 2 * y : 2, false};
    case WallSpec::Kind::sheet:
      return {electric ? dt_m / 2 * y : 0, 0, electric ? 2 * y : 0, false};
    case WallSpec::Kind::electric:
      return {0, 0, 0, electric};
    case WallSpec::Kind::magnetic:
      return {0, 0, 0, !electric};
    case WallSpec::Kind::one_mode:  // H is held to the mode by terms/ports/device/modal_terminations.hpp
      break;
  }
  return {};
}

}  // namespace

ElementFactors element_factors(Scheme scheme, const Medium& medium, bool electric, double dt_m) {
  if (has_central_fluxes(scheme)) {
    const Law law = law_of(scheme, medium, electric);
    return {dt_m > 0 ? mass_of(law, dt_m).mean / dt_m : law.constant, 0};
  }
  if (has_upwind_fluxes(scheme)) return {law_of(scheme, medium, electric).constant, 0};
  const ImplicitConstants implicit = implicit_constants(medium, electric, dt_m);
  return {implicit.own, dt_m * dt_m / (4 * implicit.other)};
}

WallFactors wall_factors(Scheme scheme, const WallSpec& wall, const Medium& medium, bool electric, double dt_m) {
  if (has_central_fluxes(scheme)) {
    const WallFactors factors = central_factors(wall, 1 / medium.impedance(), electric);
    return dt_m > 0 ? factors : WallFactors{0, factors.turned, 0, factors.fixed};
  }
  if (has_upwind_fluxes(scheme)) return {0, 0, 0, electric && wall.is_held};  // the others are fluxes
  return dfdd_factors(wall, electric, dt_m);
}

}  // namespace tetrawave::schemes
