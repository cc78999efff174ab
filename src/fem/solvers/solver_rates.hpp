// Speed of factorisations on this machine.
#pragma once

namespace tetrawave::fem {

struct SolverRates {
  double operations_per_second = 0;  ///< floating-point operations per second of factorisations
  double entries_per_second = 0;     ///< of the factors, in solutions of one right-hand side
};

/// By the direct solver on a grid of some thousand unknowns, a fraction of a second. T: double or Complex.
template <class T>
[[nodiscard]] SolverRates measure_direct_solver();

}  // namespace tetrawave::fem
