// Elements that can be reached from a given set without crossing a surface.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// Per element of this rank: whether a path through faces leads to it from an element of `start` without crossing a
/// face of `surface`, as listed on the side of the path.
[[nodiscard]] std::vector<bool> reach_elements(const LocalMesh& mesh, const std::vector<LocalIndex>& start,
                                               const std::set<std::pair<LocalIndex, std::uint8_t>>& surface);

}  // namespace tetrawave
