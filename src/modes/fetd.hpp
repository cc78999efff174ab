// Mode fetd: finite elements of E with implicit time stepping, in the place of a march's engine (THEORY.md 33).
#pragma once

#include <vector>

#include "modes/port_setup.hpp"
#include "modes/time_domain_setup.hpp"
#include "observe/results.hpp"

namespace tetrawave::modes {

/// Sets TimeDomainSetup::engine. Throws UserError: usage on several ranks, bad_case for faces that are not of this mode.
void make_implicit_march(TimeDomainSetup& setup, const std::vector<FoundPort>& ports, int threads,
                         const comm::Communicator& ranks);

/// Throws UserError (bad_case) where the step is above what newmark.beta below 1/4 allows.
void check_implicit_step(const TimeDomainSetup& setup, const Case& given);

/// Of a march in mode fetd.
[[nodiscard]] observe::ImplicitSummary summarise(const FetdMarch& march);

}  // namespace tetrawave::modes
