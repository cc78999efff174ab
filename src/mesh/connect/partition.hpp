// Assignment of elements to ranks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "comm/communicator.hpp"

namespace tetrawave {

/// Throws UserError (usage) if there are more ranks than elements.
void check_rank_count(GlobalIndex element_count, int ranks);

/// Weights of elements for partitioning.
struct CutWeights {
  std::vector<std::int32_t> elements{};  ///< of each element, at least 1; empty: all equal
  bool keep_heaviest_inside = false;     ///< cuts avoid faces of the elements of the largest weight
  int excess_permille = 30;              ///< allowed excess of the heaviest part over the mean
};

/// Partitions the dual graph: `neighbours` has, for each element of this rank's slab, the global ids of its four
/// neighbours, or -1. Returns the new owner of each. The same in every run; every rank gets an element. `weights`: of
/// this rank's slab. Collective; the graph (16 bytes per element, 4 more with weights) is gathered on rank 0. Throws
/// UserError: usage if there are more ranks than elements, bad_mesh if there are more than 2^29 elements.
std::vector<std::int32_t> partition_elements(std::span<const std::array<GlobalIndex, 4>> neighbours,
                                             GlobalIndex element_count, const comm::Communicator& ranks,
                                             const CutWeights& weights = {});

/// Divides a graph into `parts` by METIS k-way: per vertex its part. `neighbours`: numbers below the list's size, or
/// negative. The same in every run; a part of a tiny graph may be empty. Not to be called on several threads at once.
std::vector<std::int32_t> cut_graph(std::span<const std::array<LocalIndex, 4>> neighbours, int parts,
                                    const CutWeights& weights = {});

}  // namespace tetrawave
