// Terms of dispersion as the numbers that kernels/poles.hpp steps them with (THEORY.md 18).
#pragma once

#include <array>
#include <vector>

#include "media/material.hpp"

namespace tetrawave::schemes {

/// T11 T12 T21 T22 g1 g2 of x+ = T x + g (u + u+), or the rates of the Runge-Kutta method times dt: a0 a1 b0 b1 c.
using TermConstants = std::array<double, 6>;

/// The trapezoidal rule for one term over dt_m = c0 dt.
TermConstants trapezoidal(const PoleTerm& term, double dt_m);
/// x1' = -a1 x1 + c x2 + b1 u, x2' = -a0 x1 + b0 u.
TermConstants rates(const PoleTerm& term, double dt_m);

/// What a march takes into account of one constitutive law besides its constant.
struct Law {
  double constant = 1;
  double loss = 0;  ///< sigma that is no term
  std::vector<PoleTerm> terms{};
  [[nodiscard]] bool any() const { return !terms.empty(); }
};

/// The law of eps (electric) or mu. DFDD-ELD takes a conductivity for the term sigma/s.
Law law_of(Scheme scheme, const Medium& medium, bool electric);

/// sum of g1 over the terms: the part of P+ that goes with u+.
double present_part(const Law& law, double dt_m);

}  // namespace tetrawave::schemes
