// Ports of a case on their faces of the mesh.
#pragma once

#include "case/error_list.hpp"
#include "model/model.hpp"
#include "results/ports/port_model.hpp"

namespace tetrawave::modes {

/// Adds all ports of model.given to the problem and to the summaries, in their order. Those of an array are solved in
/// its first antenna cell and copied to the others. Returns the ports that are not copies. Throws UserError (bad_case),
/// the same on every rank. Collective.
std::vector<FoundPort> set_up_ports(Model& model, ErrorList& errors, int threads, const comm::Communicator& ranks);

/// The port model that converts its records to waves; `averaging_s`: the step of H at its face, 0 if H is known at the
/// time of E.
results::PortModel make_port_model(const PortDescription& spec, const PortSummary& summary, double averaging_s);

}  // namespace tetrawave::modes
