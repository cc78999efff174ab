// Edges of metal sheets and of solid metal: their effect on ports and walls of time-domain problems, and the media of
// elements at them (theory/metal-edges).
#pragma once

#include "comm/communicator.hpp"
#include "model/model.hpp"
#include "sources/ports/port_face.hpp"

namespace tetrawave::modes {

/// Decides whether metal holds E at zero, and which ports take one mode alone, if the case leaves that to the mesh. To
/// be called before ports are set up. Collective.
void find_metal_edges(Model& model, int threads, const comm::Communicator& ranks);

/// Finite elements: factors of eps and 1/mu on the triangles of a line's port; empty if there are none.
[[nodiscard]] std::vector<double> weigh_port(const Model& model, const std::vector<PortTriangle>& triangles,
                                             int degree);

/// Sets the media of elements at edges. To be called after ports, probes and sources, which use those of the case.
/// Collective.
void set_up_sheet_edges(Model& model, int threads, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
