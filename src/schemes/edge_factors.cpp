#include "schemes/edge_factors.hpp"

#include <array>

namespace tetrawave::schemes {

double edge_factor(Scheme scheme, Space space) {
  constexpr std::array spaces{Space::mixed_1, Space::full_1,  Space::mixed_2,
                              Space::full_2,  Space::mixed_3, Space::full_3};
  constexpr std::array central{0.705, 0.905, 0.902, 0.952, 0.950, 0.970};  // with PEC held, as in DFDD-ELD
  constexpr std::array upwind{0.675, 0.895, 0.893, 0.946, 0.947, 0.967};
  constexpr std::array dfdd{0.720, 1.0, 0.916, 0.977, 0.957, 0.985};
  const auto& factors = scheme == Scheme::dgtd_central ? central : scheme == Scheme::dgtd_upwind ? upwind : dfdd;
  for (std::size_t k = 0; k < spaces.size(); ++k)
    if (spaces[k] == space) return factors[k];
  return 1;
}

}  // namespace tetrawave::schemes
