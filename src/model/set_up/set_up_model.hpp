// From a case to its model.
#pragma once

#include "march/interface/engine.hpp"
#include "model/model.hpp"

namespace tetrawave::modes {

/// Precision, threads and transport of an engine.
[[nodiscard]] march::EngineOptions engine_options(const Case& given);

/// The definition of the fields of a case, for any solver. Collective; errors are the same on all ranks.
ModelParts set_up_model(Model& model, const Case& spec, const ModelRequest& request, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
