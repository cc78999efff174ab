// Mode fetd: finite elements of E with implicit time stepping, as an engine of the time loop (theory/fetd).
#pragma once

#include <vector>

#include "fem/solvers/direct_solver.hpp"
#include "model/port_setup.hpp"
#include "model/time_domain_setup.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

/// Sets TimeDomainSetup::engine. Collective. Throws UserError, the same on all ranks: bad_case if all edges are on
/// metal, unavailable without the direct solver requested by the case.
void make_implicit_march(TimeDomainSetup& setup, const std::vector<FoundPort>& ports, const fem::SolverMachine& machine,
                         const comm::Communicator& ranks);

/// Throws UserError (bad_case) if the step exceeds the limit for newmark.beta below 1/4.
void check_implicit_step(const TimeDomainSetup& setup, const Case& given);

/// Statistics of the linear systems, including their memory in addition to that of the fields.
void add_figures(const FetdMarch& march, results::RunFigures& figures);

}  // namespace tetrawave::modes
