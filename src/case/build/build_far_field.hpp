// The far field requested by a resolved case, and mirror planes.
#pragma once

#include "case/spec/case.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// The planes `ground` and `symmetry` of a map.
[[nodiscard]] std::vector<MirrorSpec> build_mirrors(const Node& node);

/// The map `outputs.far_field`.
[[nodiscard]] FarFieldSpec build_far_field(const Node& node, const Errors& errors);

}  // namespace tetrawave
