// Plane waves of the key `plane_waves`.
#pragma once

#include <array>
#include <complex>

#include "case/spec/case.hpp"
#include "media/material.hpp"

namespace tetrawave::modes {

using Complex = std::complex<double>;
using ComplexVector = std::array<Complex, 3>;

using tetrawave::cross;  // of real vectors
[[nodiscard]] ComplexVector cross(const Vec3& a, const ComplexVector& b);

/// E and eta0 H of a plane wave of 1 V/m in one medium, phase 0 at the origin.
class PlaneWave {
 public:
  PlaneWave(const IncidentWave& spec, const Medium& medium, double hz);
  [[nodiscard]] Vec3 direction() const { return -1.0 * from_; }  ///< where it goes
  [[nodiscard]] const Vec3& amplitude() const { return electric_; }
  [[nodiscard]] ComplexVector electric(const Vec3& point_m) const;
  [[nodiscard]] ComplexVector magnetic(const Vec3& point_m) const;

 private:
  [[nodiscard]] ComplexVector times_phase(const Vec3& amplitude, const Vec3& point_m) const;
  Vec3 from_{};  ///< unit vector to where it comes from
  Vec3 electric_{};
  Vec3 magnetic_{};
  double wave_number_ = 0;
};

/// Throws UserError (bad_case) on a plane wave that is not its own image at a plane of outputs.far_field.symmetry. A
/// ground is no symmetry of the wave.
void check_plane_waves_at_symmetry(const Case& given);

}  // namespace tetrawave::modes
