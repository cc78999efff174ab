// Far fields from Fourier sums on a closed surface (theory/far-fields).
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/pairs/directions.hpp"
#include "results/far_field/radiation_surface.hpp"

namespace tetrawave::results {

/// Tangential fields at a point of the surface as equivalent currents, times the area of the point.
struct SurfaceCurrent {
  Vec3 point_m{};
  std::array<std::complex<double>, 3> electric{};  ///< n x eta0 H, n outward
  std::array<std::complex<double>, 3> magnetic{};  ///< -n x E
  double power = 0;                                ///< 1/2 Re n . (E x H*)
};

/// Fourier sums of this rank's faces (march::Engine::spectra), and those of the same faces from their other sides, or
/// the same ones if only one side is sampled.
struct SurfaceSums {
  std::vector<double> own;
  std::vector<double> behind;
};

/// Adds the sums of the faces' other sides, which may be on other ranks. Collective.
SurfaceSums pair_sides(const march::Problem& problem, const RadiationSurface& surface, std::vector<double> sums,
                       const comm::Communicator& ranks);

/// The currents of this rank's faces at one of the frequencies. `sums` times `factor` (the time between samples). The
/// power is the one exchanged by elements, 1/2 Re n . (E x H*) with H of the other side: the product of fields of one
/// side would include their jumps.
std::vector<SurfaceCurrent> surface_currents(const march::Problem& problem, const RadiationSurface& surface,
                                             const SurfaceSums& sums, std::size_t frequency, double factor);

/// Adds the images of currents. At metal R J' = -J, R M' = M, R the reflection; at a magnetic wall the opposite signs.
std::vector<SurfaceCurrent> with_images(std::vector<SurfaceCurrent> currents, const std::vector<MirrorPlane>& mirrors);

/// Directions theta x phi in degrees, phi running fastest.
struct FarFieldDirections {
  std::vector<double> theta_deg;
  std::vector<double> phi_deg;
  std::vector<std::array<double, 2>> more_deg{};  ///< theta, phi of others behind them
  [[nodiscard]] std::size_t count() const { return theta_deg.size() * phi_deg.size() + more_deg.size(); }
};

/// The far field of one frequency: r E exp(jkr) (units of E times m), [theta][phi], then of the others.
struct FarField {
  std::vector<std::complex<double>> e_theta;
  std::vector<std::complex<double>> e_phi;
  double radiated_power = 0;  ///< of the far field over the whole sphere, above a ground over the half sphere; for very
                              ///< large structures, and where there is no grid of directions, the surface power
  double surface_power = 0;   ///< net power through the surface, including waves reflected from outside

  /// Relative difference of the two, over the larger one; 0 if nothing radiates.
  [[nodiscard]] double power_mismatch() const;
};

/// Executes sums over currents for many directions: run(kernel, first, count) on the blocks [first, first + count) of
/// directions, on the calling thread (host::run_sums).
struct DirectionSummation {
  std::function<void(const kernels::DirectionSums& kernel, std::int64_t first, std::int64_t count)> run;
  int threads = 1;
};

/// F = -jk/(4 pi) [ Z (N - u (u.N)) - u x L ], N = oint J exp(jk u.r'), L = oint M exp(jk u.r'), with the images behind
/// `mirrors`; zero behind a ground. `wave_number` in the medium [1/m], `impedance` of it, relative. On rank 0, empty
/// elsewhere; sums over ranks in double-double arithmetic. Collective.
FarField far_field(const std::vector<SurfaceCurrent>& currents, double wave_number, double impedance,
                   const std::vector<MirrorPlane>& mirrors, const FarFieldDirections& directions,
                   const DirectionSummation& summation, const comm::Communicator& ranks);

}  // namespace tetrawave::results
