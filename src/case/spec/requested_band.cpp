#include "case/spec/requested_band.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tetrawave {

double Band::middle_hz() const { return std::sqrt(from_hz * to_hz); }

std::optional<Band> requested_band(const Case& given) {
  std::vector<double> all = given.frequency.values_hz;
  const auto add = [&](const std::vector<double>& more) { all.insert(all.end(), more.begin(), more.end()); };
  const OutputRequests& outputs = given.outputs;
  if (outputs.s_parameters && outputs.s_parameters->start_hz > 0)
    add({outputs.s_parameters->start_hz, outputs.s_parameters->stop_hz});
  if (outputs.fields) add(outputs.fields->frequencies_hz);
  if (outputs.far_field) add(outputs.far_field->frequencies_hz);
  for (const NearFieldRequest& near : outputs.near_fields) add(near.frequencies_hz);
  if (all.empty()) return {};
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return Band{*low, *high};
}

void fit_loss_tangent(Material& material, const std::optional<Band>& band) {
  if (material.loss_tangent == 0 || !band) return;
  const double middle = band->middle_hz();
  const double half = std::sqrt(std::max(2.0, band->to_hz / band->from_hz));
  material.wideband_debye = {material.eps_r, material.loss_tangent, middle,
                             middle / half,  middle * half,         material.loss_tangent_place};
  material.loss_tangent = 0;
}

}  // namespace tetrawave
