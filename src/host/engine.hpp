// The CPU engine.
#pragma once

#include <memory>

#include "engines/memory/memory_plan.hpp"
#include "engines/parts/unfused.hpp"
#include "march/interface/engine.hpp"

namespace tetrawave::host {

/// An engine that marches this rank's elements on its share of the node's cores.
std::unique_ptr<march::Engine> make_engine(const march::Problem& problem, const march::EngineOptions& options,
                                           const comm::Communicator& ranks);

/// The transport between CPU ranks: automatic is MPI on the fields' own memory; page_locked copies to and from buffers
/// as ranks with GPUs do; ipc is memory that the ranks of one host share. A collective. Throws UserError (unavailable)
/// for others, and where memory cannot be shared.
Transport probe_transport(Transport asked, bool apart, const comm::Communicator& ranks);

/// How its memory is laid out.
march::BackendTraits memory_traits();

/// The same march in parts, on one rank.
std::unique_ptr<march::Unfused> make_unfused(const march::Problem& problem, const march::EngineOptions& options);

}  // namespace tetrawave::host
