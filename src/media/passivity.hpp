// Passivity of a medium, and stability of its terms.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "media/poles.hpp"

namespace tetrawave {

/// Whether all poles have a real part of at most 0.
[[nodiscard]] bool is_stable(const PoleTerm& term);

/// Whether s chi(s) is a positive real function, so that Im chi <= 0 at every real frequency. Exact, from the
/// coefficients: b0 >= 0; with two states b1 >= 0 and b0 a1 >= b1 a0. The term must be stable.
[[nodiscard]] bool is_passive(const PoleTerm& term);

/// alpha, beta, gamma of twice the stored energy of a term, alpha x1^2 + beta (x2 - gamma x1)^2, with its states x1' =
/// -a1 x1 + x2 + b1 u, x2' = -a0 x1 + b0 u, P = x1 (one state: P alone): that of a circuit with the admittance s chi(s)
/// (theory/media). Zeros for a term that is not passive by itself.
[[nodiscard]] std::array<double, 3> stored_energy(const PoleTerm& term);

/// A frequency at which a medium is active.
struct ActiveFrequency {
  double frequency_hz = 0;
  double imaginary_part = 0;  ///< of eps or mu there, above 0
};

/// The frequency at which the sum of the terms and of sigma/s has its largest positive imaginary part, or none if the
/// medium is passive. If every term is passive so is the sum, exactly; otherwise the sum is scanned over all scales of
/// its poles, with a tolerance for rounding (1e-10 of the terms). The terms must be stable; sigma in 1/m.
[[nodiscard]] std::optional<ActiveFrequency> find_active_frequency(const std::vector<PoleTerm>& terms, double sigma);

}  // namespace tetrawave
