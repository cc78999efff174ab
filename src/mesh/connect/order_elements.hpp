// The order of a rank's elements in memory: neighbours close together, so that gathers hit the cache.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace tetrawave {

inline constexpr std::size_t order_block = 32;   ///< elements of a block of lanes on the GPU
inline constexpr std::size_t order_part = 4096;  ///< elements of a METIS part

/// The elements of a rank, numbered by ascending global id.
struct ElementGraph {
  std::vector<std::array<LocalIndex, 4>> neighbours;  ///< per face: number of the neighbour, or negative
  std::vector<std::uint64_t> curve;                   ///< position of the centroid on a space-filling curve
  std::vector<std::uint8_t> is_border;                ///< has a face on another rank
};

/// Numbers of the elements in memory order, those at the border before all others:
///   none    by ascending global id, the mesh's own order
///   curve   along the curve, ties by id
///   parts   METIS parts of order_part elements, along the curve; along the curve within each
///   blocks  blocks of order_block elements: each begins with the first free element on the curve and takes in turn the
///           neighbour that adds the fewest faces towards elements still free
/// The same in every run and with any number of threads.
std::vector<LocalIndex> order_elements(const ElementGraph& graph, Ordering ordering, int threads);

}  // namespace tetrawave
