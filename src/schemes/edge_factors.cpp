#include "schemes/edge_factors.hpp"

#include <array>

namespace tetrawave::schemes {

double edge_factor(Scheme scheme, Space space, bool holds_metal) {
  using Row = std::array<double, 6>;  // mixed-1, full-1, mixed-2, full-2, mixed-3, full-3
  constexpr Row central{.70, .90, .90, .95, .95, .97};
  constexpr Row upwind{.67, .89, .89, .945, .945, .965};
  constexpr Row dfdd{.72, 1, .915, .977, .957, .985};
  const bool is_upwind = scheme == Scheme::dgtd_upwind && !holds_metal;
  const Row& row = scheme == Scheme::dfdd_eld ? dfdd : is_upwind ? upwind : central;
  return row[static_cast<std::size_t>(space)];
}

}  // namespace tetrawave::schemes
