#include "march/stored_matrices.hpp"

#include <algorithm>
#include <optional>

#include "base/parallel.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::march {

StoredShape stored_shape(Scheme scheme, Space space) {
  const auto& reference = basis::reference_element(space);
  const auto n = static_cast<int>(reference.dofs);
  return {n, 2 * n + (scheme == Scheme::dgtd_upwind ? 8 : 4) * static_cast<int>(reference.face_dofs)};
}

namespace {

/// The element that stands in a slot of the border or inner blocks; none in padding.
template <class S>
std::optional<LocalIndex> element_in(const ElementLayout<S>& layout, LocalIndex elements, std::int64_t slot) {
  const std::int64_t inner = layout.inner.first * layout.lanes;
  if (slot < inner) return slot < layout.border_elements ? std::optional(static_cast<LocalIndex>(slot)) : std::nullopt;
  const std::int64_t element = layout.border_elements + (slot - inner);
  return element < elements ? std::optional(static_cast<LocalIndex>(element)) : std::nullopt;
}

}  // namespace

template <class S>
StoredBlocks<S> make_stored_blocks(const StoredShape& shape, const ElementLayout<S>& layout, LocalIndex elements,
                                   BlockRange range, const std::function<ElementMatrices(LocalIndex)>& make,
                                   int threads) {
  const auto lanes = static_cast<std::int64_t>(layout.lanes);
  const std::int64_t slots = range.count * lanes;
  StoredBlocks<S> blocks;
  for (auto& entries : blocks) entries.assign(static_cast<std::size_t>(slots * shape.entries()), S(0));
  const auto fill = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t place = first; place < last; ++place) {
      const auto element = element_in(layout, elements, range.first * lanes + place);
      if (!element) continue;
      const ElementMatrices matrices = make(*element);
      for (std::size_t field = 0; field < 2; ++field)
        for (int column = 0; column < shape.columns; ++column)
          for (int row = 0; row < shape.dofs; ++row)
            blocks[field][layout.at(static_cast<std::int32_t>(place), shape.entries(), column * shape.dofs + row)] =
                static_cast<S>(matrices[field](static_cast<std::size_t>(row), static_cast<std::size_t>(column)));
    }
  };
  for_ranges(static_cast<std::size_t>(slots), static_cast<std::size_t>(std::max(1, threads)),
             [&](std::size_t, std::size_t first, std::size_t last) {
               fill(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last));
             });
  return blocks;
}

template StoredBlocks<double> make_stored_blocks(const StoredShape&, const ElementLayout<double>&, LocalIndex,
                                                 BlockRange, const std::function<ElementMatrices(LocalIndex)>&, int);
template StoredBlocks<float> make_stored_blocks(const StoredShape&, const ElementLayout<float>&, LocalIndex, BlockRange,
                                                const std::function<ElementMatrices(LocalIndex)>&, int);

}  // namespace tetrawave::march
