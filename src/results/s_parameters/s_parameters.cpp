#include "results/s_parameters/s_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "results/history/spectrum.hpp"
#include "results/s_parameters/s_matrix.hpp"

namespace tetrawave::results {

namespace {

using Complex = std::complex<double>;

constexpr double lowest_drive = 1e-2;      // -40 dB
constexpr double most_energy_left = 1e-4;  // of the largest

// "from 9 GHz to 10 GHz", or "at 9 GHz".
std::string describe_band(double first_hz, double last_hz) {
  if (first_hz == last_hz) return tetrawave::format("at {:.6g} GHz", first_hz / 1e9);
  return tetrawave::format("from {:.6g} GHz to {:.6g} GHz", first_hz / 1e9, last_hz / 1e9);
}

// The intervals of the band in which a condition is true.
std::string describe_bands(const std::vector<double>& frequency_hz, const std::function<bool(std::size_t)>& holds) {
  std::string bands;
  for (std::size_t f = 0; f < frequency_hz.size(); ++f) {
    if (!holds(f)) continue;
    const std::size_t first = f;
    while (f + 1 < frequency_hz.size() && holds(f + 1)) ++f;
    bands += (bands.empty() ? "" : ", ") + describe_band(frequency_hz[first], frequency_hz[f]);
  }
  return bands;
}

struct PortWaves {
  Complex incident;
  Complex reflected;
};

/// What a port is driven with, where that is known, else the wave that comes in at it.
const std::vector<double>& drive_of(const PortHistory& port) { return port.sent.empty() ? port.incident : port.sent; }

// The time at which the energy would reach the limit if it continued to fall at the mean rate from its maximum to the
// end.
std::string needed_time(const EnergyTail& energy, double end_s) {
  const double fall = std::log(energy.largest_j / energy.last_j);
  constexpr double least_fall = 0.1;
  if (!(fall > least_fall) || energy.largest_time_s >= end_s)
    return "the energy is not decaying yet, so the time needed cannot be estimated";
  const double needed = energy.largest_time_s + (end_s - energy.largest_time_s) * -std::log(most_energy_left) / fall;
  return tetrawave::format("at this rate about {:.3g} ns are needed instead of {:.3g} ns", needed * 1e9, end_s * 1e9);
}

bool is_cut_off(const EnergyTail& energy) { return energy.last_j > most_energy_left * energy.largest_j; }

std::string truncation_text(const std::vector<double>& frequency_hz, const std::string& driven,
                            const EnergyTail& energy, double end_s, const std::string& remedy) {
  return tetrawave::format(
      "S-parameters {} with {} driven: {:.2g} of the largest energy is left at the end of the "
      "run (limit {:.0e}), which causes ripple in S; {}{}",
      describe_band(frequency_hz.front(), frequency_hz.back()), driven, energy.last_j / energy.largest_j,
      most_energy_left, needed_time(energy, end_s), remedy.empty() ? "" : "; " + remedy);
}

void warn_of_truncation(SParameters& s, const DrivenMarch& march, double end_s) {
  if (!march.energy || !is_cut_off(*march.energy)) return;
  s.warnings.push_back(
      truncation_text(s.frequency_hz, "port '" + s.ports[march.driven_port] + "'", *march.energy, end_s, march.remedy));
}

void warn_of_weak_drive(std::vector<std::string>& warnings, const std::vector<double>& frequency_hz,
                        const std::string& port, const std::vector<Complex>& incident, double peak) {
  const auto weak = [&](std::size_t f) { return std::abs(incident[f]) < lowest_drive * peak; };
  const std::string bands = describe_bands(frequency_hz, weak);
  if (bands.empty()) return;
  warnings.push_back(tetrawave::format(
      "S-parameters {}: the spectrum that drives port '{}' is below -40 dB of its peak there, so that S is not "
      "reliable; drive with a waveform that covers the band",
      bands, port));
}

void warn_of_cutoff(SParameters& s, const PortModel& port) {
  if (port.kind != PortModel::Kind::waveguide) return;
  const std::string bands =
      describe_bands(s.frequency_hz, [&](std::size_t f) { return s.frequency_hz[f] <= port.cutoff_hz; });
  if (!bands.empty())
    s.warnings.push_back(
        tetrawave::format("S-parameters {}: port '{}' is below the cutoff of its mode, {:.6g} GHz, where its impedance "
                          "is imaginary and |S|^2 is no power",
                          bands, port.name, port.cutoff_hz / 1e9));
}

/// a and b at one frequency, at the port's own impedance, from those of its medium, or from a and v; averaging two
/// levels of the current has introduced a cosine, by which it is divided. Where a is known, the wave that leaves is
/// taken from the traces of the field alone: they have v + Z i = 2 w to the error of the mesh only.
PortWaves waves_of(const PortModel& port, const Complex& incident, const Complex& reflected,
                   const std::optional<Complex>& sent, double hz) {
  const Complex v = incident + reflected;
  const Complex zi = (incident - reflected) / std::cos(pi * hz * port.averaging_s);
  const Complex ratio = port.impedance_ratio(hz);
  if (port.one_mode) return {incident, v / std::sqrt(ratio) - incident};
  const Complex root = 2.0 * std::sqrt(ratio);
  if (!sent) return {(v + ratio * zi) / root, (v - ratio * zi) / root};
  return {*sent, (root * (v - zi) / 2.0 - (ratio - 1.0) * *sent) / (ratio + 1.0)};
}

/// Of several ports over time: per port and frequency.
struct PortSpectra {
  std::vector<std::vector<PortWaves>> waves;
  std::vector<std::vector<Complex>> drive;
};
PortSpectra spectra_of(std::span<const PortModel> ports, std::span<const PortHistory> histories, double dt_s,
                       const std::vector<double>& frequencies_hz) {
  std::vector<const std::vector<double>*> series;
  for (const PortHistory& port : histories)
    series.insert(series.end(), {&port.incident, &port.reflected, &drive_of(port)});
  auto spectra = fourier_sums(series, dt_s, frequencies_hz);
  PortSpectra result;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    auto& waves = result.waves.emplace_back();
    std::vector<Complex>& drive = result.drive.emplace_back(std::move(spectra[3 * p + 2]));
    for (std::size_t f = 0; f < frequencies_hz.size(); ++f)
      waves.push_back(waves_of(ports[p], spectra[3 * p][f], spectra[3 * p + 1][f],
                               histories[p].sent.empty() ? std::nullopt : std::optional(drive[f]), frequencies_hz[f]));
  }
  return result;
}

/// Marks the frequencies at which this run does not determine the power.
void mark_unreliable(const SParameters& s, const std::vector<PortModel>& ports, const std::vector<Complex>& drive,
                     double peak, std::vector<bool>& reliable) {
  for (std::size_t f = 0; f < s.frequency_hz.size(); ++f) {
    if (std::abs(drive[f]) < lowest_drive * peak) reliable[f] = false;
    for (const PortModel& port : ports)
      if (port.kind == PortModel::Kind::waveguide && s.frequency_hz[f] <= port.cutoff_hz) reliable[f] = false;
  }
}

void add_column(SParameters& s, const DrivenMarch& march, double dt_s, const std::vector<PortModel>& ports,
                std::vector<bool>& reliable) {
  const std::size_t j = march.driven_port;
  const std::vector<double>& drive = drive_of(march.ports[j]);
  const PortSpectra spectra = spectra_of(ports, march.ports, dt_s, s.frequency_hz);
  const double peak = spectral_peak(drive, dt_s);
  if (peak == 0) {
    s.warnings.push_back(tetrawave::format("port '{}' is driven by zeros only: its S-parameters are NaN", s.ports[j]));
    return;
  }
  s.driven[j] = true;
  for (std::size_t f = 0; f < s.frequency_hz.size(); ++f)
    for (std::size_t i = 0; i < s.ports.size(); ++i)
      s.at(f, i, j) = spectra.waves[i][f].reflected / spectra.waves[j][f].incident;
  mark_unreliable(s, ports, spectra.drive[j], peak, reliable);
  warn_of_weak_drive(s.warnings, s.frequency_hz, s.ports[j], spectra.drive[j], peak);
  warn_of_truncation(s, march, dt_s * static_cast<double>(drive.size() - 1));
}

}  // namespace

ActiveReflection reflect(const PortModel& port, const PortHistory& history, const std::vector<double>& frequencies_hz,
                         double dt_s) {
  ActiveReflection result{std::vector<Complex>(frequencies_hz.size()), {}};
  const PortSpectra spectra = spectra_of({&port, 1}, {&history, 1}, dt_s, frequencies_hz);
  for (std::size_t f = 0; f < frequencies_hz.size(); ++f) {
    const PortWaves& waves = spectra.waves[0][f];
    result.values[f] =
        waves.reflected / waves.incident * std::exp(2 * port.reference_plane_m * port.propagation(frequencies_hz[f]));
  }
  warn_of_weak_drive(result.warnings, frequencies_hz, port.name, spectra.drive[0],
                     spectral_peak(drive_of(history), dt_s));
  return result;
}

std::vector<std::string> warn_of_energy(const std::vector<double>& frequencies_hz, const EnergyTail& energy,
                                        double end_s, const std::string& remedy) {
  if (!is_cut_off(energy)) return {};
  return {truncation_text(frequencies_hz, "all ports", energy, end_s, remedy)};
}

std::vector<double> frequencies_of(const SParameterRequest& spec) {
  return even_frequencies(spec.start_hz, spec.stop_hz, spec.points);
}

SParameters make_s_parameters(const std::vector<PortModel>& ports, std::vector<double> frequencies_hz) {
  SParameters s;
  for (const PortModel& port : ports) s.ports.push_back(port.name);
  s.frequency_hz = std::move(frequencies_hz);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  s.values.assign(s.frequency_hz.size() * s.ports.size() * s.ports.size(), {nan, nan});
  s.driven.assign(s.ports.size(), false);
  return s;
}

void finish_s_parameters(SParameters& s, const SParameterRequest& spec, const std::vector<PortModel>& ports,
                         const std::vector<bool>& reliable, const std::string& remedy, const PowerBalance& balance) {
  for (const PortModel& port : ports) warn_of_cutoff(s, port);
  judge(s, reliable, remedy, balance);
  shift_reference_planes(s, ports);
  if (!spec.impedance_ohm.empty()) renormalise(s, ports, spec.impedance_ohm);
}

SParameters compute_s_parameters(const SParameterRequest& spec, const std::vector<PortModel>& ports, double dt_s,
                                 const std::vector<DrivenMarch>& marches, PowerBalance balance) {
  SParameters s = make_s_parameters(ports, frequencies_of(spec));
  std::vector<bool> reliable(s.frequency_hz.size(), true);
  bool is_short = false;
  for (const DrivenMarch& march : marches) {
    ensure(march.ports.size() == s.ports.size() && march.driven_port < s.ports.size(), "a march has all ports");
    add_column(s, march, dt_s, ports, reliable);
    is_short = is_short || (march.energy && is_cut_off(*march.energy));
  }
  if (is_short)
    balance.cause = "the run ends before the fields have decayed: extend it" +
                    (balance.cause.empty() ? "" : "; if that does not help, " + balance.cause);
  finish_s_parameters(s, spec, ports, reliable, "increase time.end or refine the mesh", balance);
  return s;
}

}  // namespace tetrawave::results
