#include "sources/waveform.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/text/suggest.hpp"
#include "sources/formula.hpp"
#include "sources/time_table.hpp"

namespace tetrawave {

namespace {

using Shape = std::function<double(double)>;

double bell(double distance, double width) { return std::exp(-0.5 * (distance / width) * (distance / width)); }

// exp(-(t - delay)^2 / (2 width^2))
Shape gaussian(double width, double delay) {
  return [=](double t) { return bell(t - delay, width); };
}

// -((t - delay)/width) exp(1/2 - (t - delay)^2/(2 width^2)): extremes of 1 at delay -+ width.
Shape derivative_gaussian(double width, double delay) {
  return [=](double t) { return -(t - delay) / width * std::exp(0.5) * bell(t - delay, width); };
}

// s such that the amplitude spectrum is -20 dB at frequency +- bandwidth/2.
double width_of_band(double bandwidth_hz) { return std::sqrt(2 * std::numbers::ln10) / (pi * bandwidth_hz); }

/// Standard deviation in time of a Gaussian waveform (s).
double width_of(const WaveformShape& spec) {
  return spec.type == WaveformType::modulated_gaussian ? width_of_band(spec.bandwidth_hz) : spec.width_s;
}
double delay_of(const WaveformShape& spec) { return spec.delay_s.value_or(6 * width_of(spec)); }

Shape modulated_gaussian(double frequency, double width, double delay) {
  return [=](double t) { return std::sin(2 * pi * frequency * (t - delay)) * bell(t - delay, width); };
}

// r(t) sin(2 pi frequency t), r = sin^2(pi t / (2 rise)) while t < rise.
Shape sine(double frequency, double rise) {
  return [=](double t) {
    const double ramp = t < rise ? std::sin(pi * t / (2 * rise)) : 1;
    return ramp * ramp * std::sin(2 * pi * frequency * t);
  };
}

Shape expression(const WaveformShape& spec) {
  return [formula = std::make_shared<const Formula>(spec.expression, std::vector<std::string>{"t"}, spec.value_place)](
             double t) { return (*formula)({t}); };
}

/// A file is read once for all waveforms that use its table, such as those of an array's many ports.
std::shared_ptr<const TimeTable> read_shared(const std::filesystem::path& file) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::weak_ptr<const TimeTable>> known;
  const std::lock_guard lock(mutex);
  auto table = known[file].lock();
  if (table == nullptr) known[file] = table = std::make_shared<const TimeTable>(TimeTable::read(file));
  return table;
}

Shape table(const WaveformShape& spec) {
  return [values = read_shared(spec.table)](double t) { return (*values)(t); };
}

Shape make_shape(const WaveformShape& spec) {
  switch (spec.type) {
    case WaveformType::gaussian:
      return gaussian(spec.width_s, delay_of(spec));
    case WaveformType::derivative_gaussian:
      return derivative_gaussian(spec.width_s, delay_of(spec));
    case WaveformType::modulated_gaussian:
      return modulated_gaussian(spec.frequency_hz, width_of(spec), delay_of(spec));
    case WaveformType::sine:
      return sine(spec.frequency_hz, spec.rise_s);
    case WaveformType::expression:
      return expression(spec);
    case WaveformType::table:
      return table(spec);
  }
  throw InternalError("a waveform of unknown type");
}

double find_end_s(const WaveformShape& spec) {
  constexpr double widths = 39;  // exp(-39^2/2) is less than any double
  if (spec.type == WaveformType::table) return std::nextafter(read_shared(spec.table)->end_s(), INFINITY);
  if (spec.type == WaveformType::sine || spec.type == WaveformType::expression) return INFINITY;
  return delay_of(spec) + widths * width_of(spec);
}

}  // namespace

Waveform::Waveform(const WaveformShape& spec) : shape_(make_shape(spec)), end_s_(find_end_s(spec)) {}

Excitation make_excitation(const std::vector<WaveformShape>& waveforms, const NamedExcitation& excitation) {
  std::vector<std::string> names;
  for (const WaveformShape& waveform : waveforms) {
    if (waveform.name == excitation.waveform) return {Waveform(waveform), excitation.amplitude, excitation.delay_s};
    names.push_back(waveform.name);
  }
  fail(ExitCode::bad_case, "{}: error: there is no waveform '{}'{}; defined: {}", excitation.place.text,
       excitation.waveform, did_you_mean(excitation.waveform, names), list_names(names));
}

}  // namespace tetrawave
