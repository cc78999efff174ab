// Ports of a case on their faces of the mesh.
#pragma once

#include "case/error_list.hpp"
#include "model/time_domain_setup.hpp"
#include "results/ports/port_model.hpp"

namespace tetrawave::modes {

/// A port as it was found on its faces, to be copied or looked at again.
struct FoundPort {
  results::PortFaces faces;
  results::PortRecipe recipe;
};

/// Adds all ports of setup.given to the problem and to the summaries, in their order. Those of an array are solved in
/// its first antenna cell and copied to the others. Returns what was found of those that are not copies. Throws
/// UserError (bad_case), the same on every rank. A collective.
std::vector<FoundPort> set_up_ports(TimeDomainSetup& setup, ErrorList& errors, int threads,
                                    const comm::Communicator& ranks);

/// The port as its waves are made from its records; `averaging_s`: the step of H at its face, 0 where H is known at the
/// time of E.
results::PortModel make_port_model(const PortSpec& spec, const PortSummary& summary, double averaging_s);

/// The wave of a port that is driven, by the step, as the march takes it: its incident voltage, of a waveguide what
/// comes in through its wall.
march::Wave make_port_wave(const Case& given, const TimeDomainSetup& setup, std::size_t port);

/// The excitation of a port by the step, as the case states it.
march::Wave make_excitation_wave(const Case& given, const TimeDomainSetup& setup, std::size_t port);

}  // namespace tetrawave::modes
