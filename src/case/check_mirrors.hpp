// What a schema cannot say of planes of images.
#pragma once

#include "case/errors.hpp"
#include "case/node.hpp"

namespace tetrawave {

/// Of `iiee` and of `outputs.far_field`: one plane of ground and symmetry per axis, named in one of the two.
void check_mirrors(const Node& root, Errors& errors);

}  // namespace tetrawave
