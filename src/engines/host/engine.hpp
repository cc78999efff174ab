// The CPU engine.
#pragma once

#include <memory>

#include "engines/memory_plan.hpp"
#include "engines/parts/unfused.hpp"
#include "march/interface/engine.hpp"

namespace tetrawave::host {

/// An engine that updates this rank's elements on its share of the node's cores.
std::unique_ptr<march::Engine> make_engine(const march::Problem& problem, const march::EngineOptions& options,
                                           const comm::Communicator& ranks);

/// The transport between CPU ranks: automatic is MPI on the fields' own memory; page_locked copies to and from buffers
/// as ranks with GPUs do; ipc is memory shared by the ranks of one host. Collective. Throws UserError (unavailable) for
/// others, and if memory cannot be shared.
Transport probe_transport(Transport asked, bool apart, const comm::Communicator& ranks);

/// The memory layout.
march::BackendTraits memory_traits();

/// The same scheme in separate parts, on one rank.
std::unique_ptr<march::Unfused> make_unfused(const march::Problem& problem, const march::EngineOptions& options);

}  // namespace tetrawave::host
