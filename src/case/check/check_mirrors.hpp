// Checks of mirror planes that a schema cannot express.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Checks ground and symmetry planes: at most one per axis, given in `iiee` or in `outputs.far_field`, not in both.
void check_mirrors(const Node& root, Errors& errors);

}  // namespace tetrawave
