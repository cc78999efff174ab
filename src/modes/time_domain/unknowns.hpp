// Number of unknowns of a run, and what solving for them and advancing them takes.
#pragma once

#include <cstdint>

#include "modes/time_domain/setup.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

/// Number of unknowns: E and H on all elements, in mode fetd those of the system.
[[nodiscard]] std::int64_t dofs_of(const TimeDomainSetup& setup);

/// Updates of unknowns in a step of the time loop: each as often as the LTS level of its element takes part.
[[nodiscard]] double updates_of_step(const TimeDomainSetup& setup);

/// Statistics of the linear systems, including their memory in addition to that of the fields.
void add_figures(const march::ImplicitFigures& of, results::RunFigures& figures);

/// Seconds of the exchange of traces and of the actions of steps, over the ranks. Collective.
void add_times(const march::Engine& engine, const comm::Communicator& ranks, results::RunFigures& figures);

}  // namespace tetrawave::modes
