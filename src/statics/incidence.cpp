#include "statics/incidence.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "mesh/number_tuples.hpp"

namespace tetrawave::fem {

namespace {

/// Subsets of `size` of the numbers 0 .. corners - 1, in lexicographic order.
std::vector<std::size_t> list_subsets(std::size_t corners, std::size_t size) {
  std::vector<bool> chosen(corners, false);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), true);
  std::vector<std::size_t> subsets;
  do {
    for (std::size_t i = 0; i < corners; ++i)
      if (chosen[i]) subsets.push_back(i);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return subsets;
}

}  // namespace

Incidence list_entities(std::span<const std::int32_t> elements, std::size_t stride, std::size_t corners,
                        std::size_t size, std::int32_t node_count) {
  ensure(size >= 1 && size < corners && corners <= stride && corners <= 4, "an entity is a proper part of a simplex");
  const std::vector<std::size_t> subsets = list_subsets(corners, size);
  std::vector<std::int32_t> tuples;
  tuples.reserve(elements.size() / stride * subsets.size());
  for (std::size_t begin = 0; begin < elements.size(); begin += stride)
    for (const std::size_t corner : subsets) tuples.push_back(elements[begin + corner]);
  Incidence incidence;
  incidence.stride = subsets.size() / size;
  if (size == 1) {
    incidence.entities = std::move(tuples);
    incidence.entity_count = node_count;
    return incidence;
  }
  TupleNumbers numbers = number_tuples(tuples, size, node_count);
  incidence.entities = std::move(numbers.id);
  incidence.entity_count = numbers.count;
  return incidence;
}

Adjacency find_adjacency(const Incidence& incidence) {
  ensure(incidence.entities.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
         "the entities of all elements are counted in 32 bits");
  Adjacency adjacency;
  adjacency.first.assign(static_cast<std::size_t>(incidence.entity_count) + 1, 0);
  for (const std::int32_t entity : incidence.entities) ++adjacency.first[static_cast<std::size_t>(entity) + 1];
  for (std::size_t i = 1; i < adjacency.first.size(); ++i) adjacency.first[i] += adjacency.first[i - 1];
  adjacency.elements.resize(incidence.entities.size());
  std::vector<std::int32_t> next(adjacency.first.begin(), adjacency.first.end() - 1);
  for (std::size_t e = 0; e < incidence.element_count(); ++e)
    for (const std::int32_t entity : incidence.of(e))
      adjacency.elements[static_cast<std::size_t>(next[static_cast<std::size_t>(entity)]++)] =
          static_cast<std::int32_t>(e);
  return adjacency;
}

}  // namespace tetrawave::fem
