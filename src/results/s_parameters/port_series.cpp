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

/// f and g at the medium's impedance of one mode's port: f = T * a + R * g, the rectangle rule as in the march.
class ModalParts {
 public:
  ModalParts(const PortModel& port, double step_over_cutoff)
      : scale_((port.tm ? -1 : 1) * step_over_cutoff), state_(modal_reflection().pole.size()) {
    for (const auto& pole : modal_reflection().pole) decay_.push_back(std::exp(pole * step_over_cutoff));
  }
  /// f at the next row, `sent` of which is T * a.
  [[nodiscard]] double incident(double sent) const {
    double in = sent;
    for (const auto& x : state_) in += x.real();
    return in;
  }
  void remember(double leaving) {
    for (std::size_t k = 0; k < state_.size(); ++k)
      state_[k] = decay_[k] * (state_[k] + scale_ * modal_reflection().residue[k] * leaving);
  }

 private:
  double scale_;
  std::vector<std::complex<double>> decay_, state_;
};

/// Parts v, which has been recorded alone, into f and g = v - f; `means_waves`: and j, with which f - j leaves.
void part_signals(PortSeries& series, const PortModel& port, double dt_s, const std::function<double(double)>& sent) {
  const double step_over_cutoff = 2 * pi * port.cutoff_hz * dt_s;
  ModalParts of_v(port, step_over_cutoff), of_j(port, step_over_cutoff);
  Series wave;
  for (const double time : series.time) wave.push_back(sent(time));
  const Series tail = convolve(modal_transmission(), step_over_cutoff, wave);
  for (std::size_t n = 0; n < wave.size(); ++n) {
    const double v = series.incident[n] + series.reflected[n];
    const double j = series.incident[n] - series.reflected[n];
    double in = of_v.incident(wave[n] + tail[n]);
    double out = v - in;
    of_v.remember(out);
    if (port.means_waves) {
      const double in_of_j = of_j.incident(wave[n] + tail[n]);
      of_j.remember(in_of_j - j);
      out = (out + in_of_j - j) / 2;
      in = (in + in_of_j) / 2;
    }
    series.incident[n] = in;
    series.reflected[n] = out;
    series.voltage[n] = (in + out) * std::sqrt(port.impedance_ohm);
    series.current[n] = (in - out) / std::sqrt(port.impedance_ohm);
  }
}

/// The voltage whose wave that leaves is the mean of v - a and a - Z i.
void take_means(PortSeries& series, const PortModel& port, const std::function<double(double)>& sent) {
  const double root = std::sqrt(port.impedance_ohm);
  for (std::size_t n = 0; n < series.time.size(); ++n)
    series.voltage[n] = sent(series.time[n]) + root * series.reflected[n];
}

/// a as excited [sqrt(W)].
Series sent_waves(const PortModel& port, const Series& time, const std::function<double(double)>& sent) {
  const double scale = port.kind == PortModel::Kind::waveguide ? 1 : 1 / std::sqrt(port.impedance_ohm);
  Series waves;
  for (const double at : time) waves.push_back(scale * sent(at));
  return waves;
}

void add_modal_waves(PortSeries& series, const PortModel& port, double dt_s,
                     const std::function<double(double)>& sent) {
  const double step_over_cutoff = 2 * pi * port.cutoff_hz * dt_s;
  const Series leaving = series.reflected;
  series.incident = sent_waves(port, series.time, sent);
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
    if (port.one_mode) part_signals(series, port, dt_s, sent);
    add_modal_waves(series, port, dt_s, sent);
  } else if (port.knows_incident()) {
    series.incident = sent_waves(port, series.time, sent);
  } else if (port.follows_source()) {
    if (port.means_waves) take_means(series, port, sent);
    add_lumped_waves(series, port, dt_s, sent);
  }
  return series;
}

PortHistory make_port_history(const PortModel& port, const store::StreamData& recorded, double dt_s,
                              const std::function<double(double t_s)>& sent) {
  if (port.knows_incident()) {
    PortHistory history{recorded.column(1), recorded.column(2), sent_waves(port, recorded.column(0), sent)};
    for (Series* waves : {&history.incident, &history.reflected}) scale(*waves, port.wave_scale());
    return history;
  }
  PortSeries series = make_port_series(port, recorded, dt_s, sent);
  for (std::size_t n = 0; port.kind == PortModel::Kind::waveguide && n < series.time.size(); ++n)
    series.reflected[n] = series.voltage[n] / std::sqrt(port.impedance_ohm) - series.incident[n];
  return {std::move(series.incident), std::move(series.reflected)};
}

}  // namespace tetrawave::results
