#include "schemes/stored/matrices.hpp"

#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::march {

StoredShape stored_shape(Scheme scheme, Space space) {
  const auto& reference = basis::reference_element(space);
  const auto n = static_cast<int>(reference.dofs);
  return {n, 2 * n + (has_upwind_fluxes(scheme) ? 8 : 4) * static_cast<int>(reference.face_dofs)};
}

namespace {

constexpr LocalIndex padding = -1;

/// The elements in the slots of a range of blocks.
template <class S>
std::vector<LocalIndex> elements_in(const ElementLayout<S>& layout, LocalIndex elements, BlockRange range) {
  std::vector<LocalIndex> found(static_cast<std::size_t>(range.count * layout.lanes), padding);
  if (layout.slots.empty()) {
    for (std::size_t k = 0; k < found.size(); ++k)
      found[k] =
          layout.element_in(static_cast<std::int32_t>(range.first * layout.lanes) + static_cast<std::int32_t>(k), {});
    return found;
  }
  for (LocalIndex e = 0; e < elements; ++e) {
    const std::int64_t place = layout.slot(e) - range.first * layout.lanes;
    if (place >= 0 && place < static_cast<std::int64_t>(found.size())) found[static_cast<std::size_t>(place)] = e;
  }
  return found;
}

}  // namespace

template <class S>
StoredBlocks<S> make_stored_blocks(const StoredShape& shape, const ElementLayout<S>& layout, LocalIndex elements,
                                   BlockRange range, const MakeMatrices& make, int threads) {
  const std::vector<LocalIndex> element = elements_in(layout, elements, range);
  const auto slots = static_cast<std::int64_t>(element.size());
  StoredBlocks<S> blocks;
  for (auto& entries : blocks) entries.assign(static_cast<std::size_t>(slots * shape.entries()), S(0));
  for_each_task(static_cast<std::size_t>(slots), threads, [&](std::size_t place) {
    if (element[place] == padding) return;
    const ElementMatrices matrices = make(element[place]);
    for (std::size_t field = 0; field < 2; ++field)
      for (int column = 0; column < shape.columns; ++column)
        for (int row = 0; row < shape.dofs; ++row)
          blocks[field][layout.at(static_cast<std::int32_t>(place), shape.entries(), column * shape.dofs + row)] =
              static_cast<S>(matrices[field](static_cast<std::size_t>(row), static_cast<std::size_t>(column)));
  });
  return blocks;
}

template StoredBlocks<double> make_stored_blocks(const StoredShape&, const ElementLayout<double>&, LocalIndex,
                                                 BlockRange, const MakeMatrices&, int);
template StoredBlocks<float> make_stored_blocks(const StoredShape&, const ElementLayout<float>&, LocalIndex, BlockRange,
                                                const MakeMatrices&, int);

}  // namespace tetrawave::march
