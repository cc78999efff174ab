// Terms of dispersion by the published recursive convolutions (dissertation eq. 4.8-4.17; theory/dispersion): a term is
// chi(t) = Re(a exp(-b t)), and its convolution with a rate r known at whole steps is
//   Re(a c) r^n + Re(a d phi^n),   phi^n = exp(-b dt) phi^{n-1} + r^{n-1},
//   c = (1 - exp(-b dt/2))/b,   d = (1 - exp(-b dt)) exp(-b dt/2)/b.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "media/poles.hpp"

namespace tetrawave::schemes {

/// chi(t) = Re(a exp(-b t)), over c0 t.
struct DecayingPole {
  std::complex<double> a;  ///< [1/m]
  std::complex<double> b;  ///< [1/m]
};

/// The one or two of a term: two if both poles of a term are real. A double pole is separated by 1e-6 of itself.
std::vector<DecayingPole> decaying_poles(const PoleTerm& term);

/// Re, Im of exp(-b dt) | Re, Im of a d | Re(a c), over dt_m = c0 dt.
using RecursionConstants = std::array<double, 5>;
RecursionConstants recursion_constants(const DecayingPole& pole, double dt_m);
/// Recursion constants of all poles of a constitutive law.
std::vector<RecursionConstants> recursions_of(const std::vector<PoleTerm>& terms, double dt_m);

}  // namespace tetrawave::schemes
