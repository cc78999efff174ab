// What ports with memory do in a step, as numbers (theory/ports).
#pragma once

#include <vector>

#include "march/interface/problem.hpp"
#include "sources/ports/modal_kernel.hpp"

namespace tetrawave::march {

/// One event of a leap-frog step (terms/ports/kernel.hpp): a field has reached its level.
struct MemoryEvent {
  std::vector<double> weight;  ///< now, before, source, scale
  std::vector<double> decay;   ///< [term] (re, im)
  std::vector<double> gain;    ///< [term] (re, im)
};
struct MemoryEvents {
  MemoryEvent after_electric;
  MemoryEvent after_magnetic;
};

/// Exponentials of the memory of a port.
int memory_terms(const PortMemory& memory);

/// For a step dt_m = c0 dt [m]. A mode's reflection is lowered (by less than 1e-4) until the port takes energy out of
/// the march at every frequency, by the march's own balance. In DFDD-ELD, which has modes only, signals are rates and
/// waves their increments over a step.
MemoryEvents memory_events(const PortMemory& memory, double dt_m, Scheme scheme = Scheme::dgtd_central);

/// A mode's poles and residues [term] (re, im), both times dt, for Runge-Kutta stages; likewise lowered.
struct MemoryRates {
  std::vector<double> pole;
  std::vector<double> residue;
};
MemoryRates memory_rates(const PortMemory& memory, double dt_m);

/// Recursion of a port of one mode: how the wave that leaves in a step returns in later steps;
/// likewise lowered.
struct MemoryRecursion {
  std::vector<double> decay;  ///< [term] (re, im)
  std::vector<double> gain;   ///< [term] (re, im)
};
MemoryRecursion memory_recursion(const PortMemory& memory, double dt_m);

/// The resistance that stands on the patch of a lumped port with a reactance: R + 2 L/dt, or 1/(1/R + 2 C/dt) [ohm].
double companion_ohms(const PortMemory& memory, double dt_m);

/// sup |rho(w) + rho(w + 2 pi/dt)*| of a kernel in sums over half steps: at most 1 where the port takes energy.
double largest_return(const ExponentialSum& kernel, double cutoff_per_m, double dt_m);
/// sup |rho(w)| of a kernel in sums over whole steps: likewise.
double largest_return_of_steps(const ExponentialSum& kernel, double cutoff_per_m, double dt_m);

}  // namespace tetrawave::march
