// Plane waves that come from outside of a finite-element mesh: where the unknowns are of the total field, where of the
// scattered one, and what the wave adds between them (theory/frequency-domain).
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <memory>
#include <vector>

#include "fem/edge/face_traces.hpp"
#include "fem/edge/surface_traces.hpp"
#include "model/time_domain_setup.hpp"

namespace tetrawave::modes {

using Complex = std::complex<double>;
using ComplexVector = std::array<Complex, 3>;

/// Throws UserError (bad_case) on a plane wave that is not its own image at a plane of outputs.far_field.symmetry. A
/// ground is no symmetry of the wave.
void check_plane_waves_at_symmetry(const Case& given);

/// E and eta0 H of a plane wave of 1 V/m in one medium, phase 0 at the origin.
class PlaneWave {
 public:
  PlaneWave(const PlaneWaveSpec& spec, const Medium& medium, double hz);
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

/// The split of the elements: the total field lives in those of other media than the wave's and those that touch a wall
/// other than the absorbing one; everywhere else fields are scattered, so that the wave itself need not be resolved on
/// its way. Their border is no wall. Everything stays referenced.
class ScatteringRegions {
 public:
  /// `medium`: of the wave; `lit`: the absorbing outer faces, sorted.
  ScatteringRegions(const Medium& medium, const TimeDomainSetup& setup, const fem::EdgeSpace& space,
                    const std::vector<fem::ElementFace>& lit);

  [[nodiscard]] const Medium& medium() const { return medium_; }
  [[nodiscard]] bool is_total(LocalIndex element) const { return total_[static_cast<std::size_t>(element)]; }
  /// Faces of the border, from the total side.
  [[nodiscard]] const std::vector<fem::ElementFace>& border() const { return border_->faces(); }
  /// Elements of the scattered field with a function that has a trace on the border.
  [[nodiscard]] const std::vector<LocalIndex>& beside_border() const { return beside_border_; }
  /// Points of the border's faces.
  [[nodiscard]] const fem::FaceTraces& border_traces() const { return *border_traces_; }
  /// Coefficients of the waves' tangential fields on the border, per unknown, 0 elsewhere: unknowns there are of the
  /// total field.
  [[nodiscard]] std::vector<std::vector<Complex>> on_border(const std::vector<PlaneWave>& waves) const;

 private:
  void find_total(const std::vector<fem::ElementFace>& lit);
  void find_border();

  const TimeDomainSetup& setup_;
  const fem::EdgeSpace& space_;
  Medium medium_;
  std::vector<bool> total_;
  std::unique_ptr<fem::SurfaceTraces> border_;
  std::unique_ptr<fem::FaceTraces> border_traces_;
  std::vector<LocalIndex> beside_border_;
};

/// Points of the rule for moments of waves on faces.
[[nodiscard]] fem::FaceTraces traces_for_waves(const fem::EdgeSpace& space, const LocalMesh& mesh,
                                               std::vector<fem::ElementFace> faces);

using tetrawave::cross;  // of real vectors
[[nodiscard]] ComplexVector cross(const Vec3& a, const ComplexVector& b);

}  // namespace tetrawave::modes
