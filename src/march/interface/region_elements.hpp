// Elements of a rank by the regions of their media, and lists of what elements have.
#pragma once

#include <cstddef>
#include <vector>

#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Elements of one region and part.
struct RegionElements {
  std::size_t region = 0;
  Part part{};
  std::vector<LocalIndex> elements;
};

/// The elements of this rank in regions of `chosen` (per region), in their order; no empty lists.
std::vector<RegionElements> elements_by_region(const Problem& problem, const std::vector<bool>& chosen);

/// Items of elements of one part, at most one of an element; `of.elements` has the element of each.
struct ItemGroup {
  RegionElements of;
  std::vector<std::size_t> items{};
};
/// `elements`: of each item. Without empty groups.
std::vector<ItemGroup> group_items(const Problem& problem, const std::vector<LocalIndex>& elements);

}  // namespace tetrawave::march
