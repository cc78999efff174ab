#include "modes/fe_iiee/boundary_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/constants.hpp"
#include "modes/fe_iiee/boundary_iteration.hpp"

namespace tetrawave::modes {

namespace {

/// Coefficient n of the Chebyshev series of exp(j z x) is below (e z/2 n)^n; what is multiplied with it is a polynomial
/// of low degree.
std::size_t count_nodes(double z) {
  constexpr double left = 1e-8;
  constexpr std::size_t more = 3;
  std::size_t n = 4;
  while (std::pow(std::exp(1) * z / (2 * static_cast<double>(n)), static_cast<double>(n)) > left) ++n;
  return n + more;
}

/// Phases of what the sets drive on S' vary by it.
bool has_waves(const std::vector<DrivenSet>& sets) {
  return std::any_of(sets.begin(), sets.end(), [](const DrivenSet& set) { return set.plane_wave.has_value(); });
}

double half_of_distances(const BoundaryExtent& extent) {
  return (extent.outer_radius_m + extent.radius_m - extent.gap_m) / 2;
}

}  // namespace

BandNodes::BandNodes(double first_hz, double last_hz, double extent_m, double slowness) : slowness_(slowness) {
  const double half = (last_hz - first_hz) / 2;
  const std::size_t count = count_nodes(2 * pi * half / c0_m_per_s * slowness * extent_m);
  for (std::size_t i = 0; i < count; ++i)
    hz_.push_back((first_hz + last_hz) / 2 -
                  half * std::cos(pi * (2 * static_cast<double>(i) + 1) / (2 * static_cast<double>(count))));
}

std::vector<Complex> BandNodes::weights(double hz, double centre_m) const {
  std::vector<Complex> weights(hz_.size());
  for (std::size_t i = 0; i < hz_.size(); ++i) {
    // Boundary values times k have no pole at k = 0.
    const double k = 2 * pi * (hz - hz_[i]) / c0_m_per_s * slowness_;
    weights[i] = std::polar(hz_[i] / hz, -k * centre_m);
    for (std::size_t j = 0; j < hz_.size(); ++j)
      if (j != i) weights[i] *= (hz - hz_[j]) / (hz_[i] - hz_[j]);
  }
  return weights;
}

BoundarySweep::BoundarySweep(const FrequencySystem& system, IntegralBoundary& boundary, const std::vector<double>& hz,
                             const std::vector<DrivenSet>& sets)
    : system_(system),
      boundary_(boundary),
      extent_(boundary.extent(hz.back())),
      centre_m_((extent_.outer_radius_m + extent_.radius_m + extent_.gap_m) / 2),
      nodes_(hz.front(), hz.back(), half_of_distances(extent_) + (has_waves(sets) ? extent_.radius_m : 0),
             extent_.wave_number / (2 * pi * hz.back() / c0_m_per_s)),
      sides_(sets.size()),
      centres_m_(sets.size(), centre_m_) {
  for (std::size_t set = 0; set < sets.size(); ++set)
    if (sets[set].plane_wave)
      centres_m_[set] += dot(system.wave_of(hz.back(), sets[set]).direction(), extent_.middle_m);
  for (const double node : nodes_.hz()) {
    const auto values = radiate(system.complete(node, sets));
    for (std::size_t set = 0; set < sets.size(); ++set) sides_[set].push_back(values[set]);
  }
  for (auto& side : sides_)
    if (std::all_of(side.begin(), side.end(), [](const auto& values) {
          return std::all_of(values.begin(), values.end(), [](const Complex& value) { return value == 0.0; });
        }))
      side.clear();
}

/// -oint N . Psi
std::vector<std::vector<Complex>> BoundarySweep::radiate(const std::vector<FieldSolution>& fields) const {
  return boundary_.on_unknowns(boundary_.radiate(fields, Precision::double_precision));
}

std::vector<std::vector<Complex>> BoundarySweep::apply(std::size_t node,
                                                       const std::vector<std::vector<Complex>>& vectors) {
  std::vector<FieldSolution> fields;
  for (const auto& vector : vectors) fields.push_back({nodes_.hz()[node], {}, vector, {}, {}});
  auto result = radiate(fields);
  for (auto& image : result)
    for (Complex& value : image) value = -value;
  return result;
}

void BoundarySweep::add_side(std::size_t set, double hz, std::vector<Complex>& side) const {
  if (sides_[set].empty()) return;
  const std::vector<Complex> weights = nodes_.weights(hz, centres_m_[set]);
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (std::size_t r = 0; r < rows().size(); ++r)
      side[static_cast<std::size_t>(rows()[r])] += weights[i] * sides_[set][i][r];
}

SweepBoundary sweep_boundary(const FrequencySystem& system, IntegralBoundary& boundary, const std::vector<double>& hz,
                             const std::vector<DrivenSet>& sets) {
  const auto sweep = std::make_shared<BoundarySweep>(system, boundary, hz, sets);
  return {{sweep->nodes(), sweep->rows(),
           [sweep](std::size_t node, const auto& vectors) { return sweep->apply(node, vectors); }},
          [sweep](double at_hz) { return sweep->weights(at_hz); },
          [sweep](std::size_t set, double at_hz, std::vector<Complex>& side) { sweep->add_side(set, at_hz, side); }};
}

}  // namespace tetrawave::modes
