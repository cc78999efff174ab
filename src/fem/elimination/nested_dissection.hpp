// Order of elimination of a sparse symmetric matrix whose unknowns have a place in space.
#pragma once

#include <cstdint>
#include <vector>

#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem {

/// Parts of a matrix in a binary tree: a node is the separator of the two subtrees below it, a leaf a part. No entry
/// couples two nodes of which neither lies below the other.
struct EliminationOrder {
  std::vector<std::int32_t> row;    ///< [position]: the leaves from left to right, then their parents, at last the root
  std::vector<std::int32_t> sizes;  ///< of the 2^levels - 1 nodes in this order
  int levels = 0;
};

/// Nested dissection by places (theory/direct-solvers): a set of unknowns is cut across the direction and at the plane
/// that the fewest couplings cross, and the smallest separator in a band around that plane is taken (A. Schild, C.
/// Sommer, SEA 2015), with the unknowns of a group of the pattern as one. Leaves are dissected further, then ordered by
/// minimum degree. `pattern` has positions; `levels` >= 1. The same on any number of threads.
[[nodiscard]] EliminationOrder dissect(const CsrPattern& pattern, int levels, int threads);

/// Levels of a matrix of so many rows; 0 if it is too small to be dissected.
[[nodiscard]] int dissection_levels(std::int32_t rows);

}  // namespace tetrawave::fem
