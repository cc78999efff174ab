// Elements of a rank in blocks of lanes: the order of slots, ghosts, and the arrays that the kernels read.
//
// Slots: border elements of each LTS level | inner elements of each level | ghost elements of each peer and level
// | one spare, every part padded to whole blocks. In DGTD-Upwind with classes a part begins with the elements beside
// another level; in DFDD-ELD it ends with those of dispersive media, each medium in blocks of its own. Padding lanes
// are elements of unit metric with zero gain whose neighbours are themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "march/elements/shared_blocks.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Number of blocks of `lanes` lanes for `items`.
inline std::int64_t blocks_for(std::int64_t items, int lanes) { return (items + lanes - 1) / lanes; }

/// Blocks of a field that pass through the host at once.
inline constexpr std::int64_t part_blocks = 1 << 16;

/// A range of blocks.
struct BlockRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Traces of elements of one level exchanged with one other rank. Both sides list the faces in the same order, so a
/// message has the layout of the receiver's ghost blocks.
struct HaloLayout {
  int rank = 0;
  int step_class = 0;
  BlockRange ghosts;                  ///< destination of the traces of the peer's elements
  std::int64_t sent = 0;              ///< blocks of own traces
  std::vector<std::int32_t> element;  ///< 2 rows of `sent` blocks: slots whose traces are sent
  std::vector<std::int32_t> face;     ///< 2 rows
};

/// Host copies of the element arrays, `[block][row][lane]`.
template <class S>
struct ElementLayout {
  int lanes = 0;
  BlockRange border;
  BlockRange inner;
  int step_classes = 1;
  std::vector<BlockRange> parts;         ///< border elements of each level, then inner ones
  std::vector<BlockRange> beside_finer;  ///< DGTD-Upwind with LTS: of each part, blocks with all its elements that have
                                         ///< a neighbour on a finer level
  std::vector<BlockRange> beside_coarser;  ///< likewise
  std::int64_t blocks = 0;                 ///< ghosts and the spare block included
  std::int32_t spare = 0;                  ///< a slot that is never read
  SharedBlocks shared;                     ///< the block of metrics of each block
  std::vector<S> metric;                   ///< 6 rows: of the shape alone
  std::vector<S> electric_metric;          ///< 6 rows: with eps along the axes; empty if E and H have the same weights
  std::vector<S> magnetic_metric;          ///< likewise with mu
  std::vector<std::int32_t> neighbour;     ///< 4 rows
  std::vector<std::uint32_t> word;         ///< 1 row
  std::vector<HaloLayout> halo;

  LocalIndex border_elements = 0;
  LocalIndex elements = 0;
  std::vector<std::int32_t> slots;  ///< per element; empty if they are in the order of the mesh

  [[nodiscard]] BlockRange part(const Part& which) const { return parts[number(which)]; }
  [[nodiscard]] std::size_t number(const Part& which) const {
    return static_cast<std::size_t>((which.border ? 0 : step_classes) + which.step_class);
  }
  /// Slot of a local element.
  [[nodiscard]] std::int32_t slot(LocalIndex element) const {
    if (!slots.empty()) return slots[static_cast<std::size_t>(element)];
    return element < border_elements ? element
                                     : static_cast<std::int32_t>(inner.first * lanes) + (element - border_elements);
  }
  /// The element of every slot or -1; empty if they are in the order of the mesh.
  [[nodiscard]] std::vector<LocalIndex> elements_by_slot() const {
    std::vector<LocalIndex> found;
    if (slots.empty()) return found;
    found.assign(static_cast<std::size_t>(blocks * lanes), -1);
    for (std::size_t e = 0; e < slots.size(); ++e)
      found[static_cast<std::size_t>(slots[e])] = static_cast<LocalIndex>(e);
    return found;
  }
  /// The element of a slot, or -1; `by_slot`: elements_by_slot().
  [[nodiscard]] LocalIndex element_in(std::int32_t slot_index, const std::vector<LocalIndex>& by_slot) const {
    if (!slots.empty()) return by_slot[static_cast<std::size_t>(slot_index)];
    if (slot_index < border_elements) return slot_index;
    const auto place = static_cast<std::int64_t>(slot_index) - inner.first * lanes;
    return place >= 0 && place < elements - border_elements ? static_cast<LocalIndex>(border_elements + place) : -1;
  }
  /// Index of (slot, row) in an array with `rows` rows.
  [[nodiscard]] std::size_t at(std::int32_t slot_index, int rows, int row) const {
    return static_cast<std::size_t>((slot_index / lanes * static_cast<std::int64_t>(rows) + row) * lanes +
                                    slot_index % lanes);
  }
  /// The same for arrays that elements share like the metrics.
  [[nodiscard]] std::size_t at_metric(std::int32_t slot_index, int rows, int row) const {
    if (shared.number.empty()) return at(slot_index, rows, row);
    return at(shared.number[static_cast<std::size_t>(slot_index / lanes)] * lanes + slot_index % lanes, rows, row);
  }
  /// Blocks of the metrics.
  [[nodiscard]] std::int64_t metric_blocks() const {
    return shared.number.empty() ? blocks : static_cast<std::int64_t>(shared.first.size());
  }
  /// Blocks of own elements' data that are shared like the metrics.
  [[nodiscard]] std::int64_t held_blocks() const {
    return shared.number.empty() ? border.count + inner.count : metric_blocks();
  }
  /// The blocks for which such data is computed, in order: own ones, or the first ones with their metrics.
  [[nodiscard]] std::vector<BlockRange> first_blocks() const {
    if (shared.number.empty()) return {{0, border.count + inner.count}};
    std::vector<BlockRange> ranges;
    for (const std::int32_t block : shared.first) {
      if (ranges.empty() || ranges.back().first + ranges.back().count != block) ranges.push_back({block, 0});
      ++ranges.back().count;
    }
    return ranges;
  }
  /// Whether a block is the first, or the only one, with its block of metrics.
  [[nodiscard]] bool is_first(std::int64_t block) const {
    if (shared.number.empty()) return true;
    return shared.first[static_cast<std::size_t>(shared.number[static_cast<std::size_t>(block)])] == block;
  }
};

/// The arrays of this rank's elements in blocks of `lanes`, computed on several threads. Material classes: the regions
/// of the mesh, and after them the padding (decay 1, gain 0). Throws UserError (bad_case) if there are more than fit
/// into the element word. `only_sizes`: arrays of zeros, for a device that only counts.
template <class S>
ElementLayout<S> lay_out_elements(const Problem& problem, int lanes, int threads = 1, bool only_sizes = false);

}  // namespace tetrawave::march
