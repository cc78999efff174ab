// Warnings for meshes that are coarse at edges of metal (theory/metal-edges).
#pragma once

#include "model/model.hpp"

namespace tetrawave::modes {

/// Shifts of resonances, estimated from the elements across strips, the height of solid strips and the width of gaps: a
/// warning for each from one percent on. To be called after the elements at edges have their media. Collective.
void warn_of_coarse_edges(const Model& model, int threads, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
