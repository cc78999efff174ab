#include "terms/walls/edge_factors.hpp"

#include <array>
#include <cmath>
#include "base/scheme.hpp"

namespace tetrawave::schemes {

EdgeFactors edge_factors(Scheme scheme, Space space, bool holds_metal) {
  // mixed-1, full-1, mixed-2, full-2, mixed-3, full-3, full-4
  constexpr std::array<double, 7> central{.70, .90, .90, .95, .95, .97, .98};
  constexpr std::array<double, 7> upwind{.67, .89, .89, .945, .945, .965, .977};
  constexpr std::array<double, 6> dfdd{.72, 1, .915, .977, .957, .985};
  const auto number = static_cast<std::size_t>(space);
  const bool is_dfdd = has_rates(scheme);
  const bool is_upwind = has_upwind_fluxes(scheme) && !holds_metal;
  const double factor = is_dfdd ? dfdd.at(number) : is_upwind ? upwind.at(number) : central.at(number);
  return {factor, factor, is_dfdd && space == Space::full_1 ? 0.035 : 0};
}

EdgeFactors edge_factors_of_edge_elements(Space space) {
  constexpr std::array<double, 4> eps{.67, .885, .945, .965};  // gradients are of degree k in mixed-k, k + 1 in full-k
  constexpr std::array<double, 3> mu{1.4, 1.115, 1.06};        // curls of k - 1 in both
  const auto number = static_cast<std::size_t>(space);
  return {eps[(number + 1) / 2], mu[number / 2]};
}

double solid_edge_power(Scheme scheme, Space space, bool holds_metal) {
  if (space != Space::mixed_1) return 2.8;
  return has_rates(scheme) ? 2.2 : has_upwind_fluxes(scheme) && !holds_metal ? 1.2 : 0.75;
}

double solid_edge_power_of_edge_elements(Space space) { return space == Space::mixed_1 ? 1.7 : 2.8; }

EdgeFactors edge_factors_of_solid(const EdgeFactors& of_sheet, double nu, double power) {
  const double share = std::pow(2 * (1 - nu), power);
  const double whole = 1 + of_sheet.more_at_solids;
  return {whole - (1 - of_sheet.eps) * share, whole + (of_sheet.mu - 1) * share};
}

double edge_factor_of_port(int degree) {
  constexpr std::array<double, 3> factors{.74, .91, .956};
  return factors.at(static_cast<std::size_t>(degree) - 1);
}

}  // namespace tetrawave::schemes
