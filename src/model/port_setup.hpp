// Ports of a case on their faces of the mesh.
#pragma once

#include "case/error_list.hpp"
#include "model/time_domain_setup.hpp"
#include "results/ports/port_model.hpp"

namespace tetrawave::modes {

/// A port found on its faces, to be copied or evaluated again.
struct FoundPort {
  results::PortFaces faces;
  results::PortRecipe recipe;
};

/// Adds all ports of setup.given to the problem and to the summaries, in their order. Those of an array are solved in
/// its first antenna cell and copied to the others. Returns the ports that are not copies. Throws UserError (bad_case),
/// the same on every rank. Collective.
std::vector<FoundPort> set_up_ports(TimeDomainSetup& setup, ErrorList& errors, int threads,
                                    const comm::Communicator& ranks);

/// The port model that converts its records to waves; `averaging_s`: the step of H at its face, 0 if H is known at the
/// time of E.
results::PortModel make_port_model(const PortSpec& spec, const PortSummary& summary, double averaging_s);

/// The wave of a driven port, by the step, in internal form: its incident voltage, for a waveguide the incident wave of
/// its wall.
march::Wave make_port_wave(const Case& given, const TimeDomainSetup& setup, std::size_t port);

/// The excitation of a port by the step, in the units of the case.
march::Wave make_excitation_wave(const Case& given, const TimeDomainSetup& setup, std::size_t port);

}  // namespace tetrawave::modes
