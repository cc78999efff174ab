// What currents on a surface radiate to points of another (theory/fe-iiee).
#pragma once

#include <vector>

#include "kernels/pairs/pair_sums.hpp"
#include "modes/frequency_domain/plane_waves.hpp"
#include "results/far_field/far_field.hpp"

namespace tetrawave::modes {

/// Psi = n x 1/mu curl E + j k0 Y n x (n x E) of the field that currents on S' radiate, at the points of S: its parts
/// along e1 and e2 of each.
using BoundaryValues = std::vector<Complex>;

/// A point of S with tangents e1 x e2 = n.
struct BoundaryFrame {
  Vec3 place_m{};
  Vec3 first{};
  Vec3 second{};
};
[[nodiscard]] BoundaryFrame frame_at(const Vec3& place_m, const Vec3& normal);

/// A lossless medium, in which currents radiate.
struct RadiationMedium {
  double wave_number = 0;  ///< [1/m]
  double impedance = 1;    ///< relative to free space
  double mu_r = 1;
};

/// The factor `scale` in Psi = -j scale (S+ + S-) along e1 and -scale (S+ - S-) along e2, by the sums S+ and S-.
[[nodiscard]] double scale_of_sums(const RadiationMedium& medium);

class BoundaryRadiator {
 public:
  /// `sums` must outlive it.
  BoundaryRadiator(std::vector<BoundaryFrame> frames, const kernels::PointsOfFaces& faces, kernels::PairSums& sums,
                   int threads);

  [[nodiscard]] const std::vector<BoundaryFrame>& frames() const { return frames_; }
  /// The origin of the places in the sums.
  [[nodiscard]] const Vec3& middle_m() const { return middle_m_; }
  /// Psi of sets of currents at the same points. Errors in single precision are about 1e-7 (1 + k R) of the largest
  /// value, R the size of S.
  [[nodiscard]] std::vector<BoundaryValues> radiate(const std::vector<std::vector<results::SurfaceCurrent>>& sets,
                                                    const RadiationMedium& medium, Precision precision);
  /// Sets the points of the sums for a frequency; `radiate` does it if needed.
  void set_points(double wave_number);
  /// Currents in the form in which the sums take them (kernels::PairSums).
  [[nodiscard]] std::vector<double> sources_of(const std::vector<std::vector<results::SurfaceCurrent>>& sets,
                                               const RadiationMedium& medium) const;

 private:
  std::vector<BoundaryFrame> frames_;
  Vec3 middle_m_{};  ///< that places are taken from, so that they have more digits
  kernels::PointsOfFaces faces_;
  kernels::PairSums& sums_;
  int threads_;
  double wave_number_ = 0;  ///< that points are scaled by
};

}  // namespace tetrawave::modes
