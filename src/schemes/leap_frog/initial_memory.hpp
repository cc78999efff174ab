// Initial states of the laws of DFDD-ELD for fields given at t = 0 (theory/dispersion). The equation of H contains the
// curl of h through the inverse of eps, in place of the rate of E; in Maxwell's equations it is
//   eps * E' = curl H - chi(t) E(0),   in Laplace's variable   E = (curl h + eps_inf e(0))/(s eps(s)),
// so that the terms of zeta, eps_inf zeta + sum P(zeta) = h, receive an impulse w at t = 0, curl w = e(0). Dually for
// E, with -h(0).
#pragma once

#include <vector>

#include "terms/dispersion/device/law_on_device.hpp"

namespace tetrawave::march {

/// Dofs w with int curl N . (curl w - v) = 0 for all functions N of the space, v given by its dofs.
std::vector<double> find_potential(const Problem& problem, LocalIndex element, const std::vector<double>& v);

/// State of an element's dispersive terms a short time after t = 0.
struct MemoryOfLaw {
  std::vector<double> states;  ///< x1, x2 of every term: entry (2 term + state) dofs + i
  std::vector<double>
      change;  ///< -M_c^-1 M sum P, c the constant of the law: contribution to the field that it acts on
};

/// `kick`, and `field`, the argument of the law: dofs at t = 0; `after_m`: c0 times the time since then, also negative:
/// then states from which stepping leads to the right ones.
MemoryOfLaw memory_of_law(const Problem& problem, LocalIndex element, const schemes::Law& law,
                          const std::vector<double>& kick, const std::vector<double>& field, double after_m);

/// The stored state h = x - g u of the terms of a law (terms/dispersion/kernel.hpp) for these states and the field u,
/// of element number k of a list.
template <class Backend, class S>
void set_memory(const ElementList<Backend, S>& list, std::size_t k, const schemes::Law& law, double dt_m,
                const MemoryOfLaw& found, const std::vector<double>& u, std::vector<S>& memory) {
  const std::size_t rows = 2 * law.terms.size() * u.size();
  for (std::size_t t = 0; t < law.terms.size(); ++t) {
    const auto constants = schemes::trapezoidal(law.terms[t], dt_m);
    for (std::size_t state = 0; state < 2; ++state)
      for (std::size_t i = 0; i < u.size(); ++i) {
        const std::size_t row = (2 * t + state) * u.size() + i;
        memory[list.at(k, static_cast<int>(rows), static_cast<int>(row))] =
            static_cast<S>(found.states[row] - constants[4 + state] * u[i]);
      }
  }
}

/// Factor of a conductivity at the start of a run with steps dt_m = c0 dt, so that its effect on given fields stays
/// smaller than these, however large it is: 1/(1 + dt sigma/(2 c)).
double share_of_losses(const Medium& medium, bool electric, double dt_m);

/// The corresponding factor of a given field u in the terms of a law: 1/(1 + dt sum b1/(2 c)).
void bound_for_terms(const schemes::Law& law, double dt_m, std::vector<double>& u);

}  // namespace tetrawave::march
