// The far field requested by a resolved case, and mirror planes.
#pragma once

#include <vector>

#include "case/spec/case.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// The planes `ground` and `symmetry` of a map.
[[nodiscard]] std::vector<MirrorPlane> build_mirrors(const Node& node);

/// An angle, a list of them, or `points` from `start` to `stop`.
[[nodiscard]] std::vector<double> build_angles(const Node& node);

/// An item of `outputs.near_field`.
[[nodiscard]] NearFieldRequest build_near_field(const Node& node, const Errors& errors);

/// The map `outputs.far_field`.
[[nodiscard]] FarFieldRequest build_far_field(const Node& node, const Errors& errors);

}  // namespace tetrawave
