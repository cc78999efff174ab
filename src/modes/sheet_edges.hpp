// Edges of metal sheets in time-domain problems: which ports and walls they choose, and the media of elements at them
// (THEORY.md 35).
#pragma once

#include "comm/communicator.hpp"
#include "mesh/sheet_edges.hpp"
#include "modes/time_domain_setup.hpp"

namespace tetrawave::modes {

/// Decides whether metal holds E, and which ports take one mode alone, where the case leaves that to the mesh. To be
/// called before ports are set up. A collective.
SheetEdges find_metal_edges(TimeDomainSetup& setup, const comm::Communicator& ranks);

/// Gives the elements at edges their media. To be called after ports, probes and sources, which see those of the case.
void set_up_sheet_edges(TimeDomainSetup& setup, const SheetEdges& edges);

}  // namespace tetrawave::modes
