#include "results/s_parameters/port_series.hpp"

#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "sources/ports/modal_kernel.hpp"

namespace tetrawave::results {

namespace {

using Series = std::vector<double>;

/// (k * x)(n dt) by the trapezoidal rule.
Series convolve(const ExponentialSum& kernel, double step_over_cutoff, const Series& x) {
  std::vector<std::complex<double>> decay, state(kernel.pole.size());
  for (const auto& pole : kernel.pole) decay.push_back(std::exp(pole * step_over_cutoff));
  Series result;
  double before = 0;
  for (const double now : x) {
    double sum = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      state[k] = decay[k] * state[k] + step_over_cutoff / 2 * kernel.residue[k] * (decay[k] * before + now);
      sum += state[k].real();
    }
    result.push_back(sum);
    before = now;
  }
  return result;
}

void scale(Series& series, double factor) {
  for (double& value : series) value *= factor;
}

/// Splits v, the only recorded quantity, into f and g of the medium's impedance: f = T * a + R * g, by the rectangle
/// rule as in the time loop.
void part_voltage(PortSeries& series, const PortModel& port, double dt_s, const std::function<double(double)>& sent) {
  const double step_over_cutoff = 2 * pi * port.cutoff_hz * dt_s;
  const ExponentialSum& kernel = modal_reflection();
  const double scale = (port.tm ? -1 : 1) * step_over_cutoff;
  std::vector<std::complex<double>> decay, state(kernel.pole.size());
  for (const auto& pole : kernel.pole) decay.push_back(std::exp(pole * step_over_cutoff));
  Series wave;
  for (const double time : series.time) wave.push_back(sent(time));
  const Series tail = convolve(modal_transmission(), step_over_cutoff, wave);
  for (std::size_t n = 0; n < wave.size(); ++n) {
    const double whole = series.incident[n] + series.reflected[n];
    double in = wave[n] + tail[n];
    for (const auto& x : state) in += x.real();
    series.incident[n] = in;
    series.reflected[n] = whole - in;
    series.current[n] = (2 * in - whole) / std::sqrt(port.impedance_ohm);
    for (std::size_t k = 0; k < state.size(); ++k)
      state[k] = decay[k] * (state[k] + scale * kernel.residue[k] * series.reflected[n]);
  }
}

void add_modal_waves(PortSeries& series, const PortModel& port, double dt_s,
                     const std::function<double(double)>& sent) {
  const double step_over_cutoff = 2 * pi * port.cutoff_hz * dt_s;
  const Series leaving = series.reflected;
  for (std::size_t n = 0; n < series.time.size(); ++n) series.incident[n] = sent(series.time[n]);
  const Series tail = convolve(modal_transmission(), step_over_cutoff, leaving);
  const Series back = convolve(modal_reflection(), step_over_cutoff, series.incident);
  const double sign = port.tm ? -1 : 1;
  for (std::size_t n = 0; n < leaving.size(); ++n) series.reflected[n] = leaving[n] + tail[n] - sign * back[n];
}

/// At the resistance: an inductance or capacitance is part of the structure. I by the trapezoidal rule on L dI/dt + R I
/// = v - V0, or of the resistance alone.
void add_lumped_waves(PortSeries& series, const PortModel& port, double dt_s,
                      const std::function<double(double)>& sent) {
  const double ohms = port.impedance_ohm;
  const double rate = 2 * port.inductance_h / dt_s;
  Series beyond = series.voltage;
  for (std::size_t n = 0; n < beyond.size() && port.source_share > 0; ++n)
    beyond[n] += ohms * series.current[n] + 2 * port.source_share * sent(series.time[n]);
  double through = 0;  // the inductance
  for (std::size_t n = 0; n < beyond.size(); ++n) {
    const double wave = sent(series.time[n]);
    if (port.inductance_h > 0) {
      if (n > 0) {
        const double before = series.time[n] - dt_s;
        const double source = port.source_is_mean ? wave + sent(before) : 2 * sent(before + dt_s / 2);
        const double mean = (beyond[n] + beyond[n - 1]) / 2 - source;
        through = 2 * (mean + rate * through) / (ohms + rate) - through;
      }
      series.current[n] = -through;
      series.voltage[n] = 2 * wave + ohms * through;
    } else {
      series.current[n] = (2 * wave - beyond[n]) / ohms;
      series.voltage[n] = beyond[n];
    }
    series.incident[n] = wave / std::sqrt(ohms);
    series.reflected[n] = (series.voltage[n] - wave) / std::sqrt(ohms);
  }
}

}  // namespace

PortSeries make_port_series(const PortModel& port, const store::StreamData& recorded, double dt_s,
                            const std::function<double(double t_s)>& sent) {
  PortSeries series{recorded.column(0), recorded.column(1), recorded.column(2), recorded.column(3), recorded.column(4)};
  const double wave_scale = port.wave_scale();
  if (wave_scale != 1) {
    for (Series* waves : {&series.incident, &series.reflected}) scale(*waves, wave_scale);
    scale(series.voltage, port.voltage_scale);
    scale(series.current, port.current_scale);
  }
  if (port.kind == PortModel::Kind::waveguide) {
    if (port.one_mode) part_voltage(series, port, dt_s, sent);
    add_modal_waves(series, port, dt_s, sent);
  } else if (port.follows_source()) {
    add_lumped_waves(series, port, dt_s, sent);
  }
  return series;
}

PortHistory make_port_history(const PortModel& port, const store::StreamData& recorded, double dt_s,
                              const std::function<double(double t_s)>& sent) {
  if (port.kind == PortModel::Kind::waveguide && !port.one_mode) {
    PortHistory history{recorded.column(1), recorded.column(2)};
    for (Series* waves : {&history.incident, &history.reflected}) scale(*waves, port.wave_scale());
    return history;
  }
  PortSeries series = make_port_series(port, recorded, dt_s, sent);
  for (std::size_t n = 0; port.kind == PortModel::Kind::waveguide && n < series.time.size(); ++n)
    series.reflected[n] = series.voltage[n] / std::sqrt(port.impedance_ohm) - series.incident[n];
  return {std::move(series.incident), std::move(series.reflected)};
}

}  // namespace tetrawave::results
