// Which rank gets which element.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "comm/communicator.hpp"

namespace tetrawave {

/// Throws UserError (usage) when there are more ranks than elements.
void check_rank_count(GlobalIndex element_count, int ranks);

/// What elements weigh when a mesh is cut.
struct CutWeights {
  std::vector<std::int32_t> elements{};  ///< of each element, at least 1; empty: all alike
  bool keep_heaviest_inside = false;     ///< cuts avoid faces of the elements of the largest weight
  int excess_permille = 30;              ///< that the heaviest part may have over the mean
};

/// Partitions the dual graph: `neighbours` has, for each element of this rank's slab, the global ids of the elements
/// behind its four faces, or -1. Returns the new owner of each. The same on every run; every rank gets an element.
/// `weights`: of this rank's slab. A collective; the graph (16 bytes an element, 4 more with weights) is gathered on
/// rank 0. Throws UserError: usage when there are more ranks than elements, bad_mesh when there are more than 2^29
/// elements.
std::vector<std::int32_t> partition_elements(std::span<const std::array<GlobalIndex, 4>> neighbours,
                                             GlobalIndex element_count, const comm::Communicator& ranks,
                                             const CutWeights& weights = {});

/// Cuts a graph into `parts` by METIS k-way: per vertex its part. `neighbours`: numbers below the list's size, or
/// negative. The same on every run; a part of a tiny graph may be empty. Not to be called on several threads at once.
std::vector<std::int32_t> cut_graph(std::span<const std::array<LocalIndex, 4>> neighbours, int parts,
                                    const CutWeights& weights = {});

}  // namespace tetrawave
