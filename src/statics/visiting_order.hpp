// In which order a colouring visits the elements: greedy colourings need the fewer colours the later the elements come
// that are easy to place.
#pragma once

#include <cstdint>
#include <vector>

#include "statics/incidence.hpp"

namespace tetrawave::fem {

/// Smallest-last (Matula and Beck, J. ACM 30 (1983)): again and again an element with the fewest neighbours left is
/// taken away; the one taken first is visited last. Neighbours are counted once for every entity shared. Linear in the
/// number of pairs of neighbours, by the bins of Batagelj and Zaversnik (2003).
[[nodiscard]] std::vector<std::int32_t> order_smallest_last(const Incidence& incidence, const Adjacency& adjacency);

/// The elements in another order: element k of the result is element order[k].
[[nodiscard]] Incidence reorder(const Incidence& incidence, const std::vector<std::int32_t>& order);

/// What was found for the elements in that order, by element.
[[nodiscard]] std::vector<std::int32_t> back_in_place(const std::vector<std::int32_t>& values,
                                                      const std::vector<std::int32_t>& order);

}  // namespace tetrawave::fem
