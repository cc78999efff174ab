// Checks of what goes together under `method`.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// full-4 is marched by dgtd-central and dgtd-upwind alone, and published recursions are not of dgtd-upwind.
void check_method(const Node& root, Errors& errors);

}  // namespace tetrawave
