// How the implicit part of an element in DFDD-ELD is solved for in each space (schemes/dfdd/curl_system.hpp).
#pragma once

#include "kernel_terms.hpp"

namespace tetrawave::kernels {

/// Whether A is inverted by its modes (ImplicitInverse).
template <class Basis>
constexpr bool solves_for_top() {
  return Basis::curl_modes > 1 && Basis::top > 0 && Basis::style == ProductStyle::straight;
}

/// Whether K, of size 12, is computed and solved in parts (CurlSystem).
template <class Basis>
constexpr bool makes_curls() {
  return Basis::curl_modes > 1 && Basis::top == 0 && Basis::style == ProductStyle::straight;
}

/// Whether the system is solved by a series (CurlSeries), for which a number per element is stored.
template <class Basis>
constexpr bool sums_series() {
  return Basis::space == Space::full_3;
}

/// Whether K^-1 is stored per element (HeldInverse); otherwise it is computed, or solved with, at every half step.
template <class Basis>
constexpr bool holds_inverse() {
  return Basis::curl_modes > 1 && !solves_for_top<Basis>() && !makes_curls<Basis>() && !sums_series<Basis>();
}

/// Whether the update includes the terms of media, without kernels before and after it (decision 044).
template <class Basis>
constexpr bool takes_terms() {
  return !holds_inverse<Basis>() && !sums_series<Basis>();
}

}  // namespace tetrawave::kernels
