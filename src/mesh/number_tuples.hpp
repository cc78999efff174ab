// Numbers for edges and faces: sets of nodes that occur in several elements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tetrawave {

struct TupleNumbers {
  std::vector<std::int32_t> id;  ///< per tuple; tuples of the same nodes in any order have the same id
  std::int32_t count = 0;        ///< ids are 0 .. count - 1, ascending with the sorted nodes
};

/// `tuples` [n, size] of node ids below node_count; size 1 to 4. Linear in n for bounded numbers of tuples at a node.
[[nodiscard]] TupleNumbers number_tuples(std::span<const std::int32_t> tuples, std::size_t size,
                                         std::int32_t node_count);

}  // namespace tetrawave
