// `tetrawave check` for mode assembly-2d.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "case/spec/case.hpp"

namespace tetrawave::app {

/// Mesh, unknowns, colours and memory. A geometry is meshed into `mesh_file`. Throws UserError.
[[nodiscard]] nlohmann::ordered_json check_statics(const Case& given, const std::filesystem::path& mesh_file);

}  // namespace tetrawave::app
