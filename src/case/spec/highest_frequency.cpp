#include "case/spec/highest_frequency.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/constants.hpp"
#include "base/text/format.hpp"

namespace tetrawave {

namespace {

/// The frequency where the spectrum of the waveform has fallen to a tenth of its peak; 0 if unknown.
double highest_frequency_of(const WaveformShape& wave) {
  switch (wave.type) {
    case WaveformType::gaussian:  // exp(-(2 pi f width)^2/2)
      return std::sqrt(2 * std::log(10.)) / (2 * pi * wave.width_s);
    case WaveformType::derivative_gaussian:  // x exp((1 - x^2)/2), x = 2 pi f width: 0.1 at 2.763757
      return 2.763757 / (2 * pi * wave.width_s);
    case WaveformType::modulated_gaussian:
      return wave.frequency_hz + wave.bandwidth_hz / 2;
    case WaveformType::sine:
      return wave.frequency_hz;
    case WaveformType::expression:
    case WaveformType::table:
      return 0;
  }
  return 0;
}

}  // namespace

HighestFrequency find_highest_frequency(const Case& given) {
  double wanted = given.frequency.values_hz.empty() ? 0 : given.frequency.values_hz.back();
  if (is_harmonic(given.mode)) {
    const OutputRequests& outputs = given.outputs;
    for (const double hz : outputs.fields ? outputs.fields->frequencies_hz : std::vector<double>{})
      wanted = std::max(wanted, hz);
    for (const double hz : outputs.far_field ? outputs.far_field->frequencies_hz : std::vector<double>{})
      wanted = std::max(wanted, hz);
  }
  const double band = given.outputs.s_parameters ? given.outputs.s_parameters->stop_hz : 0;
  if (wanted > band) return {wanted, "frequency"};
  if (band > 0) return {band, "outputs.s_parameters.stop"};
  HighestFrequency highest;
  for (const WaveformShape& wave : given.waveforms)
    if (highest_frequency_of(wave) > highest.hz)
      highest = {highest_frequency_of(wave), tetrawave::format("waveform '{}'", wave.name)};
  return highest;
}

}  // namespace tetrawave
