// What a schema cannot say of mesh files: which of them can still be changed.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Refuses parameters and a size of what is a mesh already (.msh, .h5). `given` is `mesh` or `array` of a resolved
/// case, `key` the name of its file.
void check_mesh_file(const Node& given, const char* key, Errors& errors);

}  // namespace tetrawave
