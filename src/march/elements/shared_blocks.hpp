// Shared geometry of blocks of elements that are copies of one another, in finite arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Identifies blocks with the same shapes in the same lanes. Blocks are numbered as in ElementLayout: border elements,
/// inner ones, and others (ghosts and the spare block) without elements, all equal.
struct SharedBlocks {
  std::vector<std::int32_t> number;  ///< per block: its shared block; empty if every block has its own
  std::vector<std::int32_t> first;   ///< per number, ascending: the first block that has it
};

/// `border`, `inner`, `others`: blocks. Nothing is shared with LTS, which has an order of its own, if there are no
/// known copies, or if fewer than half of the blocks would be saved. Elements of absorbing layers are not copies: their
/// masses are weighted by position.
SharedBlocks share_blocks(const Problem& problem, int lanes, std::int64_t border, std::int64_t inner,
                          std::int64_t others);

}  // namespace tetrawave::march
