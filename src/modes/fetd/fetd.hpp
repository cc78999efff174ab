// Mode fetd: finite elements of E with implicit time stepping, in the place of a march's engine (THEORY.md 33).
#pragma once

#include <vector>

#include "model/port_setup.hpp"
#include "model/time_domain_setup.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

/// Sets TimeDomainSetup::engine. A collective. Throws UserError, the same on all ranks: bad_case where all edges lie on
/// metal, unavailable without the direct solver that the case asks for.
void make_implicit_march(TimeDomainSetup& setup, const std::vector<FoundPort>& ports, int threads,
                         const comm::Communicator& ranks);

/// Throws UserError (bad_case) where the step is above what newmark.beta below 1/4 allows.
void check_implicit_step(const TimeDomainSetup& setup, const Case& given);

/// What the systems of a march have taken, their memory beside that of its fields.
void add_figures(const FetdMarch& march, results::RunFigures& figures);

}  // namespace tetrawave::modes
