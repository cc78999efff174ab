// The GPU engine.
#pragma once

#include <memory>

#include "engines/memory_plan.hpp"
#include "engines/parts/unfused.hpp"
#include "march/interface/engine.hpp"

namespace tetrawave::cuda {

/// The GPU of this rank: as the rank's place on its node, round those that this process sees (a launcher may show every
/// rank one of its own). Throws UserError (unavailable) when there is none.
int device_of(const comm::Communicator& ranks);

/// The transport between ranks on GPUs: the one that is asked for, else the first that is there. `apart`: no two ranks
/// share a GPU. A collective. Throws UserError (unavailable) for one that is not there.
Transport probe_transport(Transport asked, bool apart, const comm::Communicator& ranks);

/// An engine on the GPU of this rank. Throws UserError (unavailable) when there is no GPU.
std::unique_ptr<march::Engine> make_engine(const march::Problem& problem, const march::EngineOptions& options,
                                           const comm::Communicator& ranks);

/// How its memory is laid out.
march::BackendTraits memory_traits();

/// The same march in parts, on one rank and the first GPU.
std::unique_ptr<march::Unfused> make_unfused(const march::Problem& problem, const march::EngineOptions& options);

/// The stored layout as the dissertation maps it to a GPU (cuda/bench/dissertation.hpp), likewise.
/// `block`: threads of a block, 480 or 512.
march::UnfusedFactory make_dissertation(int block);

}  // namespace tetrawave::cuda
