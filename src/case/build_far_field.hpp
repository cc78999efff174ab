// The far field that a resolved case asks for.
#pragma once

#include "case/case.hpp"
#include "case/errors.hpp"
#include "case/node.hpp"

namespace tetrawave {

/// The map `outputs.far_field`.
[[nodiscard]] FarFieldSpec build_far_field(const Node& node, const Errors& errors);

}  // namespace tetrawave
