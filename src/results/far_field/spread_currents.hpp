// Currents on a uniform grid that radiate as others do.
#pragma once

#include <cstddef>
#include <vector>

#include "results/far_field/far_field.hpp"

namespace tetrawave::results {

/// The far field of currents q at points r is that of sum q phi(r_n - r) at the points r_n of a grid, a quarter of a
/// wavelength apart, times a factor of the direction, phi(x) = exp(b (sqrt(1 - x^2) - 1)) along each axis over the
/// width of a few cells: how an FFT of unevenly spaced points begins (A. H. Barnett, J. Magland, L. af Klinteberg, SIAM
/// J. Sci. Comput. 41 (2019) C479, eqs. 1.8, 3.5). Off by some 1e-13 of the sum of |q|.
class SpreadCurrents {
 public:
  /// Keeps the currents, which must outlive it, as they are where that takes less time. `wave_number` [1/m];
  /// `directions`: in which each of them radiates, its images included.
  SpreadCurrents(const std::vector<SurfaceCurrent>& currents, double wave_number, std::size_t directions, int threads);

  /// Without their powers; the same on any number of threads.
  [[nodiscard]] const std::vector<SurfaceCurrent>& currents() const { return is_spread_ ? spread_ : given_; }
  /// By which their field in a direction is to be multiplied.
  [[nodiscard]] double factor(const Vec3& direction) const;

 private:
  bool is_spread_ = false;
  const std::vector<SurfaceCurrent>& given_;
  std::vector<SurfaceCurrent> spread_;
};

}  // namespace tetrawave::results
