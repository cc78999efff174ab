// Terms of a susceptibility in a common form for time stepping, in internal units.
#pragma once

#include <complex>
#include <vector>

#include "media/material_data.hpp"

namespace tetrawave {

/// One term chi(s) of eps or mu, s = j omega/c0 [1/m], with real coefficients; P = chi u as differential equations in
/// c0 t:
///
///   states 1:  chi = b0/(s + a0)                          P' = b0 u - a0 P
///   states 2:  chi = (b1 s + b0)/(s^2 + a1 s + a0)        P' = V + b1 u,   V' = (b0 - a1 b1) u - a1 V - a0 P
///
/// Debye is of the first kind; Lorentz and Drude (a0 = 0) are of the second with b1 = 0, so that V = P'; a complex pole
/// needs all four coefficients.
struct PoleTerm {
  int states = 1;
  double a0 = 0;  ///< [1/m], or [1/m^2] of two states
  double a1 = 0;  ///< [1/m]
  double b0 = 0;  ///< like a0
  double b1 = 0;  ///< [1/m]

  [[nodiscard]] bool operator==(const PoleTerm& other) const = default;
};

/// The term of the case in this form.
[[nodiscard]] PoleTerm make_pole_term(const DispersionTerm& term);

/// chi at s [1/m].
[[nodiscard]] std::complex<double> susceptibility(const PoleTerm& term, std::complex<double> s_per_m);

/// The poles of a term, s = -a0 or the two roots of s^2 + a1 s + a0.
[[nodiscard]] std::vector<std::complex<double>> poles_of(const PoleTerm& term);

/// A bound of |s| [1/m] over the modes of a medium without curl, constant u + sum P + sigma int u = 0 and the equations
/// of the terms; sharp for a single Debye term, and for a single Lorentz or Drude term without damping: (1/tau)
/// eps_static/eps_inf, w0 sqrt(eps_static/eps_inf) over c0.
[[nodiscard]] double fastest_rate_per_m(const std::vector<PoleTerm>& terms, double constant, double sigma);

}  // namespace tetrawave
