// Checks of mesh files that a schema cannot express: which of them can still be changed.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Rejects parameters and a size for files that are meshes already (.msh, .h5). `given` is `mesh` or `array` of a
/// resolved case, `key` the name of its file.
void check_mesh_file(const Node& given, const char* key, Errors& errors);

}  // namespace tetrawave
