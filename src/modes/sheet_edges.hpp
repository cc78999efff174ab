// Elements at edges of metal sheets in time-domain problems: their media and walls (THEORY.md 35).
#pragma once

#include "comm/communicator.hpp"
#include "modes/time_domain_setup.hpp"

namespace tetrawave::modes {

/// To be called when ports, probes and sources are set up: those see the media of the case. A collective.
void set_up_sheet_edges(TimeDomainSetup& setup, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
