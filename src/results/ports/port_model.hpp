// A port as a pair of waves: its impedance, the line behind its face, and the reference plane of its waves.
#pragma once

#include <cmath>
#include <complex>
#include <map>
#include <string>

namespace tetrawave::results {

struct PortModel {
  enum class Kind { line, waveguide, lumped };
  std::string name;
  Kind kind = Kind::line;
  bool one_mode = false;                ///< its port takes this mode alone, and its current follows from its source
  bool means_waves = false;             ///< one mode, in DFDD-ELD: b is the mean of v - a and a - Z i (theory/ports)
  bool returns_others = false;          ///< its wall sends what is not its mode back as the mode too: quasi-TEM
  double impedance_ohm = 50;            ///< of its waves; of a waveguide the medium's
  double refractive_index = 1;          ///< of its medium
  std::map<double, double> index_at{};  ///< line: beta/k0 by frequency where it depends on it; else none
  double cutoff_hz = 0;                 ///< waveguide
  bool tm = false;                      ///< waveguide
  double reference_plane_m = 0;         ///< reference plane of S, from the face into the structure
  double inductance_h = 0;              ///< lumped, in series
  double capacitance_f = 0;             ///< lumped, in parallel
  bool source_is_mean =
      false;                 ///< lumped: within a step its source is the mean of both ends, not the value in the middle
  double source_share = 0;   ///< lumped: of the source's voltage, the part missing in the recorded voltage
  double voltage_scale = 1;  ///< of the whole port over that of its face, if it is cut by symmetry planes
  double current_scale = 1;
  double averaging_s = 0;  ///< its current is the mean of two levels this far apart

  /// Whether its current follows from its voltage and its source, and is not recorded.
  [[nodiscard]] bool follows_source() const { return one_mode || kind == Kind::lumped; }
  /// Whether no wave comes in but the one that is sent, and a is not measured (theory/ports).
  [[nodiscard]] bool knows_incident() const { return !follows_source() && !returns_others; }
  /// Impedance at the face, to which the records refer.
  [[nodiscard]] double face_impedance_ohm() const { return impedance_ohm * current_scale / voltage_scale; }
  /// Ratio of the waves of the whole port to those of its face.
  [[nodiscard]] double wave_scale() const { return std::sqrt(voltage_scale * current_scale); }
  /// Impedance of the mode over the medium's: 1/sqrt(1 - (fc/f)^2) for TE, its inverse for TM, imaginary below cutoff;
  /// 1 for lines. Complex frequencies are those of fields that decay. The cutoff itself is taken as 1e-9 above it.
  [[nodiscard]] std::complex<double> impedance_ratio(std::complex<double> frequency_hz) const;
  /// Reference impedance of the port's own waves [ohm].
  [[nodiscard]] std::complex<double> reference(double frequency_hz) const {
    return impedance_ohm * impedance_ratio(frequency_hz);
  }
  /// gamma = alpha + j beta along the line or guide [1/m].
  [[nodiscard]] std::complex<double> propagation(double frequency_hz) const;
};

}  // namespace tetrawave::results
