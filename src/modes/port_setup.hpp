// Ports of a case on their faces of the mesh.
#pragma once

#include <vector>

#include "modes/time_domain_setup.hpp"
#include "observe/ports.hpp"

namespace tetrawave::modes {

/// Adds port p of the case to the problem and to the summaries. Throws UserError (bad_case), the same on every rank. A
/// collective.
void set_up_port(TimeDomainSetup& setup, const Case& given, std::size_t p, const observe::PortFaces& faces,
                 const std::vector<ConductorEdge>& metal, const comm::Communicator& ranks);

/// The port as its waves are made from its records; `staggered`: H is recorded at half steps.
observe::PortModel make_port_model(const PortSpec& spec, const PortSummary& summary, bool staggered);

/// The wave of a port that is driven, by the step, as the march takes it: its incident voltage, of a waveguide what
/// comes in through its wall.
march::Wave make_port_wave(const Case& given, const TimeDomainSetup& setup, std::size_t port);

/// The excitation of a port by the step, as the case states it.
march::Wave make_excitation_wave(const Case& given, const TimeDomainSetup& setup, std::size_t port);

}  // namespace tetrawave::modes
