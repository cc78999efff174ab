// Convergence of the nonlinear updates of a run.
#pragma once

#include <cstdint>
#include <optional>

#include "march/interface/engine.hpp"

namespace tetrawave::modes {

/// Statistics of nonlinear updates over some steps, of all ranks.
struct KerrReport {
  double mean_iterations = 0;  ///< per nonlinear element and step
  double most_iterations = 0;
  double largest_eps_r = 0;  ///< eps_r + chi3 |E|^2
  std::int64_t steps = 0;
};

/// After `steps` of this session; none without Kerr media. Collective. Throws UserError (unstable) with step, place and
/// field if an update has not converged.
std::optional<KerrReport> watch_kerr(const march::Engine& engine, const march::Problem& problem, std::int64_t steps,
                                     double dt_s, const comm::Communicator& ranks);

/// The report of the steps of both.
KerrReport both(const KerrReport& first, const KerrReport& second);

}  // namespace tetrawave::modes
