// Elements of the stored layout whose half step of a leap-frog scheme needs more than their matrix: driven faces, and
// walls of dispersive media.
#pragma once

#include <vector>

#include "march/interface/region_elements.hpp"

namespace tetrawave::march {

/// Elements of one part with the same number of driven faces.
struct DrivenElements {
  RegionElements of;
  std::vector<std::vector<const DrivenFace*>> faces{};  ///< of each, by ascending number
};
std::vector<DrivenElements> list_driven_elements(const Problem& problem);

/// Elements by part with lossy walls of this field in a dispersive medium.
std::vector<RegionElements> list_kept_elements(const Problem& problem, Field field);

}  // namespace tetrawave::march
