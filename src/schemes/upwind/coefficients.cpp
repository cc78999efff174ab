#include "schemes/upwind/coefficients.hpp"

#include "terms/dispersion/coefficients.hpp"

namespace tetrawave::schemes {

StageCoefficients stage_coefficients(const std::vector<Medium>& media, bool electric, double dt_m) {
  StageCoefficients list;
  for (const Medium& medium : media) {
    const Law law = law_of(Scheme::dgtd_upwind, medium, electric);
    list.gain.push_back(dt_m / law.constant);
    list.loss.push_back(law.is_projected() ? 0 : dt_m * law.loss / law.constant);
  }
  list.gain.push_back(0);
  list.loss.push_back(0);
  return list;
}

/// The state at the sheet: E* = [Y E + Y+ E+ + n x (H+ - H)]/(Y + Y+ + G), n x H* = n x H + Y (E* - E) on this side;
/// without a sheet the upwind flux (4.42). E: n x (H* - H) = Y (E* - E); H: -n x (E* - E).
FaceCoefficients upwind_face(double own_impedance, double other_impedance, double sheet_conductance) {
  const double y = 1 / own_impedance;
  const double y_other = 1 / other_impedance;
  const double sum = y + y_other + sheet_conductance;
  return {y / sum,           y / sum,
          y * y_other / sum, y * (y_other + sheet_conductance) / sum,
          y_other / sum,     (y_other + sheet_conductance) / sum,
          1 / sum,           1 / sum};
}

/// PEC: E* = 0, n x H* = n x H - Y E. PMC: H* = 0, E* = E + n x H Z. Open: like a neighbour of impedance Z_s at rest. A
/// port of one mode: n x H* is its current alone, and E* = E, which dissipates no power.
FaceCoefficients upwind_wall(const WallSpec& wall, double own_impedance) {
  const double y = 1 / own_impedance;
  switch (wall.kind) {
    case WallSpec::Kind::electric:
      return {0, 0, 0, y, 0, 1, 0, 0};
    case WallSpec::Kind::magnetic:
      return {0, 1, 0, 0, 0, 0, 0, own_impedance};
    case WallSpec::Kind::one_mode:
      return {0, 1, 0, 0, 0, 0, 0, 0};
    default: {
      const FaceCoefficients face = upwind_face(own_impedance, 1 / wall.admittance, 0);
      return {0, face[1], 0, face[3], 0, face[5], 0, face[7]};
    }
  }
}

/// 1/(Z + Z+) = face[2] = face[3], half of it on either side; at PEC Y = face[3], at PMC Z = face[7] alone.
std::array<double, 4> jump_factors(const FaceCoefficients& face) {
  if (face[2] == face[3] && face[6] == face[7]) return {1, face[3] / 2, 1, face[7] / 2};
  const bool is_closed = face[2] == 0 && face[6] == 0 && (face[3] == 0 || face[7] == 0);
  return is_closed ? std::array<double, 4>{0, face[3], 0, face[7]} : std::array<double, 4>{};
}

std::array<double, 2> upwind_incident(double own_admittance, double other_admittance, double wall_admittance) {
  const double sum = own_admittance + other_admittance + wall_admittance;
  return {2 * own_admittance * wall_admittance / sum, 2 * wall_admittance / sum};
}

}  // namespace tetrawave::schemes
