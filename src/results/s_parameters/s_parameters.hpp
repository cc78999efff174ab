// Scattering parameters from the waves at the ports.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "results/ports/port_model.hpp"
#include "results/ports/power_balance.hpp"
#include "results/request/request.hpp"

namespace tetrawave::results {

/// a and b of one port at the times k dt [sqrt(W)]; for a waveguide those at the impedance of its medium, for a port of
/// one mode a as excited and b = v - a.
struct PortHistory {
  std::vector<double> incident;
  std::vector<double> reflected;
  std::vector<double> sent{};  ///< where it is known by itself: a as excited, at the mode's own impedance
};

/// Statistics of the stored energy in a run.
struct EnergyTail {
  double largest_j = 0;
  double largest_time_s = 0;  ///< time of its maximum
  double last_j = 0;          ///< at the end
  double jumps_j = 0;         ///< DGTD-Upwind: taken from jumps until the end
  [[nodiscard]] std::array<double, 4> numbers() const { return {largest_j, largest_time_s, last_j, jumps_j}; }
};

/// One run: the histories of all ports while one of them was driven.
struct DrivenMarch {
  std::size_t driven_port = 0;
  std::vector<PortHistory> ports;
  std::optional<EnergyTail> energy;
  std::string remedy{};  ///< remedy, apart from a longer run, for energy left at the end
};

/// S[f,i,j] = b_i/a_j; the column of a port never driven is NaN.
struct SParameters {
  std::vector<std::string> ports;
  std::vector<double> frequency_hz;
  std::vector<std::complex<double>> values;  ///< [f][i][j]
  std::vector<bool> driven;                  ///< per port
  std::vector<std::string> warnings;         ///< for the log
  std::vector<std::string> notes{};          ///< likewise
  std::vector<std::string> cautions{};       ///< comments in the Touchstone file
  std::vector<double> amplitudes{};          ///< Kerr media: of the ports when driven (NaN: not), else empty

  [[nodiscard]] std::complex<double>& at(std::size_t f, std::size_t i, std::size_t j) {
    return values[(f * ports.size() + i) * ports.size() + j];
  }
  [[nodiscard]] const std::complex<double>& at(std::size_t f, std::size_t i, std::size_t j) const {
    return values[(f * ports.size() + i) * ports.size() + j];
  }
};

/// b/a of one of several ports that are driven together, at its reference plane.
struct ActiveReflection {
  std::vector<std::complex<double>> values;  ///< per frequency
  std::vector<std::string> warnings;
};

[[nodiscard]] ActiveReflection reflect(const PortModel& port, const PortHistory& history,
                                       const std::vector<double>& frequencies_hz, double dt_s);

/// Warns if more than 1e-4 of the largest energy is left at the end of a run.
[[nodiscard]] std::vector<std::string> warn_of_energy(const std::vector<double>& frequencies_hz,
                                                      const EnergyTail& energy, double end_s,
                                                      const std::string& remedy);

/// `points` frequencies from start to stop, both included; one point is the start.
[[nodiscard]] std::vector<double> frequencies_of(const SParameterRequest& spec);

/// S with no column known yet.
[[nodiscard]] SParameters make_s_parameters(const std::vector<PortModel>& ports, std::vector<double> frequencies_hz);

/// Checks S at the ports' own impedances where it is `reliable` (per frequency), warning with this remedy, and converts
/// it to the requested planes and impedances.
void finish_s_parameters(SParameters& s, const SParameterRequest& spec, const std::vector<PortModel>& ports,
                         const std::vector<bool>& reliable, const std::string& remedy, const PowerBalance& balance);

/// S of the wanted band from runs with time step dt_s; all histories have one length. Waveguides have the impedance of
/// their mode; S is at the requested planes and impedances. Warns where the driving spectrum is below -40 dB of its
/// peak, where a waveguide is below its cutoff, if more than 1e-4 of the largest energy is left at the end, where S is
/// not passive or reciprocal, and where power is missing according to `balance`.
[[nodiscard]] SParameters compute_s_parameters(const SParameterRequest& spec, const std::vector<PortModel>& ports,
                                               double dt_s, const std::vector<DrivenMarch>& marches,
                                               PowerBalance balance = {});

}  // namespace tetrawave::results
