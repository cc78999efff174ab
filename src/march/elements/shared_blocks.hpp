// Blocks of elements that are copies of one another, in finite arrays: their geometry is one.
#pragma once

#include <cstdint>
#include <vector>

#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Which blocks have the same shapes in the same lanes. Blocks are numbered as in ElementLayout: border elements, inner
/// ones, and others (ghosts and the spare block) without elements, all alike.
struct SharedBlocks {
  std::vector<std::int32_t> number;  ///< per block: of what it shares; empty where every block has its own
  std::vector<std::int32_t> first;   ///< per number, ascending: the first block that has it
};

/// `border`, `inner`, `others`: blocks. Nothing is shared with classes of time steps, which have an order of their own,
/// where no copies are known, and where fewer than half of the blocks would be saved. Elements of absorbing layers are
/// no copies: their masses are weighed by place.
SharedBlocks share_blocks(const Problem& problem, int lanes, std::int64_t border, std::int64_t inner,
                          std::int64_t others);

}  // namespace tetrawave::march
