// The surface impedance of metal over a band as a few branches of resistance and inductance.
#pragma once

#include <complex>
#include <vector>

namespace tetrawave {

/// A metal and the relevant band [Hz].
struct SkinEffect {
  double sigma_s_per_m = 0;
  double roughness_m = 0;  ///< root mean square height of its roughness
  double from_hz = 0;
  double to_hz = 0;
};

/// Z_s(f) = (1 + j) sqrt(pi f mu0/sigma) K per square, K = 1 + 2/pi atan(1.4 (roughness/delta)^2) (Hammerstad and
/// Jensen, IEEE MTT-S 1980), delta = 1/sqrt(pi f mu0 sigma). At complex frequencies its continuation.
[[nodiscard]] std::complex<double> surface_impedance(const SkinEffect& metal, std::complex<double> frequency_hz);

/// Approximation Z_s = sum_b R_b s/(s + p_b): resistors, each in parallel with an inductance R_b/p_b, in series. With
/// R_b >= 0 it is passive at every frequency.
struct SkinEffectFit {
  std::vector<double> rates_per_s;  ///< p_b
  std::vector<double> ohms;         ///< R_b, per square
  double error = 0;                 ///< largest |fit - Z_s|/|Z_s| over the band; for a rough surface, of the resistance

  [[nodiscard]] std::complex<double> operator()(double frequency_hz) const;
  [[nodiscard]] double total_ohms() const;
};

inline constexpr std::size_t skin_effect_branches = 10;

/// Rates are spaced logarithmically from 1/20 of the band's lower end to 10 times its upper one; the R_b are the
/// non-negative least-squares fit of the relative error, for a rough surface of that of the resistance.
[[nodiscard]] SkinEffectFit fit_skin_effect(const SkinEffect& metal);

}  // namespace tetrawave
