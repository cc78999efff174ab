#include "case/spec/highest_frequency.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;

namespace {

Case with_waveform(WaveformType type) {
  Case given;
  WaveformShape& wave = given.waveforms.emplace_back();
  wave.name = "pulse";
  wave.type = type;
  wave.width_s = 3e-12;
  wave.frequency_hz = 5e9;
  wave.bandwidth_hz = 2e9;
  return given;
}

}  // namespace

TEST_CASE("a pulse counts up to where its spectrum has fallen to a tenth of its peak") {
  const HighestFrequency gaussian = find_highest_frequency(with_waveform(WaveformType::gaussian));
  const double x = 2 * pi * gaussian.hz * 3e-12;
  CHECK(std::exp(-x * x / 2) == Approx(0.1));
  CHECK(gaussian.source == "waveform 'pulse'");
  const double y = 2 * pi * find_highest_frequency(with_waveform(WaveformType::derivative_gaussian)).hz * 3e-12;
  CHECK(y > 1);  // beyond the peak of y exp(-y^2/2)
  CHECK(y * std::exp((1 - y * y) / 2) == Approx(0.1).epsilon(1e-4));
  CHECK(find_highest_frequency(with_waveform(WaveformType::modulated_gaussian)).hz == Approx(6e9));
}

TEST_CASE("S-parameters come before waveforms, and frequencies that are solved before both where they are higher") {
  Case given = with_waveform(WaveformType::sine);
  CHECK(find_highest_frequency(given).hz == Approx(5e9));
  given.outputs.s_parameters.emplace().stop_hz = 3e9;
  CHECK(find_highest_frequency(given).hz == Approx(3e9));
  CHECK(find_highest_frequency(given).source == "outputs.s_parameters.stop");
  given.frequency.values_hz = {1e9, 4e9};
  CHECK(find_highest_frequency(given).hz == Approx(4e9));
  CHECK(find_highest_frequency(given).source == "frequency");
  CHECK(find_highest_frequency(Case{}).hz == 0);
}
