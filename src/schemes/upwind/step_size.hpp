// The size of the Krylov spaces in the search for the step of DGTD-Upwind.
#pragma once

#include <cstdint>

namespace tetrawave::march {

/// Large spaces converge in fewer products, but beyond a few gigabytes (over all ranks) a small one is used.
inline std::int64_t arnoldi_size(std::int64_t elements_of_all_ranks, std::int64_t dofs) {
  constexpr std::int64_t large = 24;
  constexpr std::int64_t small = 16;
  constexpr double most_bytes = 4e9;
  return 16.0 * static_cast<double>(elements_of_all_ranks * dofs) * static_cast<double>(large) < most_bytes ? large
                                                                                                            : small;
}

}  // namespace tetrawave::march
