// What is said of meshes that are coarse at edges of metal (THEORY.md 35).
#pragma once

#include "model/time_domain_setup.hpp"

namespace tetrawave::modes {

/// By what resonances are off, estimated from the elements across strips, the height of solid strips and the width of
/// gaps: a warning of each from one percent on. To be called when the elements at edges have their media. A collective.
void warn_of_coarse_edges(const TimeDomainSetup& setup, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
