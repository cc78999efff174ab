// Incidence of elements and entities (nodes, edges or faces).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tetrawave::fem {

/// The entities of every element, `stride` of each. Two elements are neighbours if they share an entity.
struct Incidence {
  std::size_t stride = 3;
  std::vector<std::int32_t> entities;  ///< [elements, stride]
  std::int32_t entity_count = 0;

  [[nodiscard]] std::size_t element_count() const { return entities.size() / stride; }
  [[nodiscard]] std::span<const std::int32_t> of(std::size_t element) const {
    return {entities.data() + element * stride, stride};
  }
};

/// All subsets of `size` of the first `corners` of the `stride` nodes of every simplex: nodes (size 1), edges (2) or
/// faces (3). Nodes keep their ids; edges and faces are numbered.
[[nodiscard]] Incidence list_entities(std::span<const std::int32_t> elements, std::size_t stride, std::size_t corners,
                                      std::size_t size, std::int32_t node_count);

/// The elements of every entity, ascending: those of entity i are elements[first[i]] .. elements[first[i + 1] - 1].
struct Adjacency {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> elements;

  [[nodiscard]] std::span<const std::int32_t> of(std::int32_t entity) const {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(entity)]);
    const auto end = static_cast<std::size_t>(first[static_cast<std::size_t>(entity) + 1]);
    return {elements.data() + begin, end - begin};
  }
};

[[nodiscard]] Adjacency find_adjacency(const Incidence& incidence);

}  // namespace tetrawave::fem
