// The GPU engine.
#pragma once

#include <memory>

#include "march/engine.hpp"
#include "march/memory_plan.hpp"
#include "march/unfused.hpp"

namespace tetrawave::cuda {

/// An engine on the GPU whose number is the rank's place on its node. Throws UserError (unavailable) when there is no
/// GPU, or fewer than ranks on the node and `allow_oversubscribe` is not given.
std::unique_ptr<march::Engine> make_engine(const march::Problem& problem, const march::EngineOptions& options,
                                           const comm::Communicator& ranks);

/// How its memory is laid out.
march::BackendTraits memory_traits();

/// The same march in parts, on one rank and the first GPU.
std::unique_ptr<march::Unfused> make_unfused(const march::Problem& problem, const march::EngineOptions& options);

/// The stored layout as the dissertation maps it to a GPU (cuda/dissertation.hpp), likewise.
std::unique_ptr<march::Unfused> make_dissertation(const march::Problem& problem, const march::EngineOptions& options);

}  // namespace tetrawave::cuda
