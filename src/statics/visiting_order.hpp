// The order in which a colouring visits the elements: greedy colourings need fewer colours if elements with few
// constraints come last.
#pragma once

#include <cstdint>
#include <vector>

#include "statics/incidence.hpp"

namespace tetrawave::fem {

/// Smallest-last (Matula and Beck, J. ACM 30 (1983)): repeatedly, an element with the fewest remaining neighbours is
/// removed; the one removed first is visited last. Neighbours are counted once for every shared entity. Linear in the
/// number of pairs of neighbours, by the bins of Batagelj and Zaversnik (2003).
[[nodiscard]] std::vector<std::int32_t> order_smallest_last(const Incidence& incidence, const Adjacency& adjacency);

/// The elements in another order: element k of the result is element order[k].
[[nodiscard]] Incidence reorder(const Incidence& incidence, const std::vector<std::int32_t>& order);

/// Results for the elements in that order, by element.
[[nodiscard]] std::vector<std::int32_t> back_in_place(const std::vector<std::int32_t>& values,
                                                      const std::vector<std::int32_t>& order);

}  // namespace tetrawave::fem
