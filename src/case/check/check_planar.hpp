// What goes with plane problems (`dimension: 2`) and what does not.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

void check_planar(const Node& root, Errors& errors);

}  // namespace tetrawave
