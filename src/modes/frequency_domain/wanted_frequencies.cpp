// Which frequencies a case of the frequency domain asks for.
#include <algorithm>
#include <set>

#include "modes/frequency_domain/frequency_domain.hpp"

namespace tetrawave::modes {

WantedFrequencies wanted_frequencies(const Case& given) {
  WantedFrequencies wanted;
  std::set<double> all(given.frequency.values_hz.begin(), given.frequency.values_hz.end());
  if (given.outputs.s_parameters) {
    wanted.s_parameters_hz = given.outputs.s_parameters->points > 0
                                 ? results::frequencies_of(*given.outputs.s_parameters)
                                 : given.frequency.values_hz;
    all.insert(wanted.s_parameters_hz.begin(), wanted.s_parameters_hz.end());
  }
  if (given.outputs.fields) wanted.fields_hz = given.outputs.fields->frequencies_hz;
  if (given.outputs.far_field) {
    const auto& asked = given.outputs.far_field->frequencies_hz;
    const std::set<double> unique(asked.begin(), asked.end());
    wanted.far_field_hz.assign(unique.begin(), unique.end());
  }
  all.insert(wanted.fields_hz.begin(), wanted.fields_hz.end());
  std::set<double> near;
  for (const NearFieldRequest& spec : given.outputs.near_fields)
    near.insert(spec.frequencies_hz.begin(), spec.frequencies_hz.end());
  wanted.near_field_hz.assign(near.begin(), near.end());
  all.insert(near.begin(), near.end());
  all.insert(wanted.far_field_hz.begin(), wanted.far_field_hz.end());
  wanted.all_hz.assign(all.begin(), all.end());
  return wanted;
}

bool is_fast(const Case& given) {
  const std::size_t frequencies = wanted_frequencies(given).all_hz.size();
  const bool may = given.mode == Mode::frequency_domain || (given.mode == Mode::fe_iiee && given.iiee.iterations == 0);
  return may && given.frequency.is_fast(frequencies) && frequencies > 2;
}

std::optional<std::size_t> place_of(const std::vector<double>& list, double hz) {
  const auto found = std::find(list.begin(), list.end(), hz);
  if (found == list.end()) return std::nullopt;
  return static_cast<std::size_t>(found - list.begin());
}

}  // namespace tetrawave::modes
