// What a schema cannot say of planes of images.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Checks ground and symmetry planes: at most one per axis, named in `iiee` or in `outputs.far_field`, not in both.
void check_mirrors(const Node& root, Errors& errors);

}  // namespace tetrawave
