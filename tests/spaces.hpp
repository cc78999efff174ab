// The spaces that tests go through.
#pragma once

#include <array>
#include <string>

#include "base/types.hpp"

namespace tetrawave_tests {

inline constexpr std::array<tetrawave::Space, 6> all_spaces{tetrawave::Space::mixed_1, tetrawave::Space::full_1,
                                                            tetrawave::Space::mixed_2, tetrawave::Space::full_2,
                                                            tetrawave::Space::mixed_3, tetrawave::Space::full_3};

/// All spaces of DGTD-Central and DGTD-Upwind.
inline constexpr std::array<tetrawave::Space, 7> dgtd_spaces{
    tetrawave::Space::mixed_1, tetrawave::Space::full_1, tetrawave::Space::mixed_2, tetrawave::Space::full_2,
    tetrawave::Space::mixed_3, tetrawave::Space::full_3, tetrawave::Space::full_4};

/// Those of all schemes for finite elements, whose full-3 has functions of its own.
inline constexpr std::array<tetrawave::Space, 6> nested_spaces{
    tetrawave::Space::mixed_1, tetrawave::Space::full_1,  tetrawave::Space::mixed_2,
    tetrawave::Space::full_2,  tetrawave::Space::mixed_3, tetrawave::Space::nested_full_3};

/// Spaces of degrees 3 and 4, which are slow to compare, meet those situations alone that hold most.
inline bool is_chosen(tetrawave::Space space, const std::string& situation) {
  return space < tetrawave::Space::mixed_3 || situation == "everything" ||
         (situation == "dispersion" && space != tetrawave::Space::full_4);
}

}  // namespace tetrawave_tests
