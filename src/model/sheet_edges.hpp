// Edges of metal sheets: which ports and walls they choose in time-domain problems, and the media of elements at them
// (THEORY.md 35).
#pragma once

#include "comm/communicator.hpp"
#include "model/time_domain_setup.hpp"
#include "sources/ports/port_face.hpp"

namespace tetrawave::modes {

/// Decides whether metal holds E, and which ports take one mode alone, where the case leaves that to the mesh. To be
/// called before ports are set up. A collective.
void find_metal_edges(TimeDomainSetup& setup, const comm::Communicator& ranks);

/// Finite elements: factors of eps and 1/mu on the triangles of a line's port; empty when there are none.
[[nodiscard]] std::vector<double> weigh_port(const TimeDomainSetup& setup, const std::vector<PortTriangle>& triangles,
                                             int degree);

/// Gives the elements at edges their media. To be called after ports, probes and sources, which see those of the case.
void set_up_sheet_edges(TimeDomainSetup& setup);

}  // namespace tetrawave::modes
