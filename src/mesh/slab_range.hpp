// The slab rule: the part of a list on a rank before partitioning (see mesh_slab.hpp).
#pragma once

#include "base/types.hpp"

namespace tetrawave {

/// First item of slab `rank` of `ranks` of a list of `count` items.
constexpr GlobalIndex slab_begin(int rank, int ranks, GlobalIndex count) {
  return count / ranks * rank + count % ranks * rank / ranks;
}

/// The slab that contains item `index`.
constexpr int slab_owner(GlobalIndex index, int ranks, GlobalIndex count) {
  int owner = static_cast<int>(static_cast<double>(index) / static_cast<double>(count) * ranks);
  if (owner >= ranks) owner = ranks - 1;
  while (index < slab_begin(owner, ranks, count)) --owner;
  while (index >= slab_begin(owner + 1, ranks, count)) ++owner;
  return owner;
}

}  // namespace tetrawave
