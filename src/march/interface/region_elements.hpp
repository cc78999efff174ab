// Elements of a rank by the regions of their media.
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

}  // namespace tetrawave::march
