// Unknowns of conforming edge elements (Nedelec) on the elements of one rank.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace tetrawave::fem {

/// A face of an element.
using ElementFace = std::pair<LocalIndex, std::uint8_t>;

/// Mapping from functions of elements to unknowns. A function belongs to an edge, a face or the inside of an element,
/// and all elements that share these vertices share its unknown. As vertices ascend in every element, they also have
/// the same function: no signs (theory/frequency-domain).
struct EdgeSpace {
  Space space = Space::mixed_1;
  std::int32_t unknowns = 0;
  std::size_t functions = 0;          ///< n of an element
  std::vector<std::int32_t> unknown;  ///< [element][n]; fixed if the function has a trace on metal
  std::vector<std::int32_t> vertex;   ///< per unknown: the lowest of its vertices, numbered from 0 in their order
  static constexpr std::int32_t fixed = -1;

  [[nodiscard]] std::span<const std::int32_t> of(std::size_t element) const {
    return {unknown.data() + element * functions, functions};
  }
  [[nodiscard]] std::size_t element_count() const { return functions == 0 ? 0 : unknown.size() / functions; }
};

/// `vertices`: sorted global ids per element. Functions with a tangential trace on one of the faces in `metal` are
/// fixed at zero. Unknowns are numbered in order of their first element, so that they inherit the elements' order in
/// memory. Throws UserError (bad_case) for more than 2^31 unknowns. The same on any number of threads.
[[nodiscard]] EdgeSpace number_unknowns(Space space, std::span<const std::array<GlobalIndex, 4>> vertices,
                                        std::span<const ElementFace> metal, int threads = 1);

/// The unknowns of a space without fixed ones that have a tangential trace on one of the faces.
[[nodiscard]] std::vector<bool> find_fixed(const EdgeSpace& space, std::span<const ElementFace> metal);

/// The space with unknowns fixed at zero; `fixed`: per unknown of `space`, which has no fixed ones. Keeps their order.
[[nodiscard]] EdgeSpace fix_unknowns(EdgeSpace space, const std::vector<bool>& fixed, int threads = 1);

}  // namespace tetrawave::fem
