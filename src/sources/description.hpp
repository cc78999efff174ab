// Waveforms and sources as users describe them.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/place.hpp"
#include "base/types.hpp"

namespace tetrawave {

enum class WaveformType { gaussian, derivative_gaussian, modulated_gaussian, sine, expression, table };

struct WaveformShape {
  std::string name;
  WaveformType type = WaveformType::gaussian;
  double width_s = 0;             ///< gaussian, derivative-gaussian
  std::optional<double> delay_s;  ///< always set for the three Gaussians; default: 6 width, or 6 s
  double frequency_hz = 0;        ///< modulated-gaussian, sine
  double bandwidth_hz = 0;        ///< modulated-gaussian: full width at -20 dB of the amplitude spectrum
  double rise_s = 0;              ///< sine
  std::string expression;         ///< in t (s), pi, c0
  std::filesystem::path table;    ///< absolute; two columns, linear, 0 outside
  Place value_place;              ///< of the expression, or of the table's name
  Place place;
};

struct NamedExcitation {
  std::string waveform;  ///< may be empty in mode frequency-domain
  double amplitude = 1;
  double delay_s = 0;
  Place place;
};

enum class SourceType { dipole, plane_wave, current };

/// A source inside the domain; its excitation is amplitude w(t - delay), in A m, V/m, or times the density.
struct SourceDescription {
  SourceType type = SourceType::dipole;
  NamedExcitation excite{};
  Vec3 position_m{};                   ///< dipole
  Vec3 direction{};                    ///< dipole: of the current; plane-wave: direction of propagation; any length
  Vec3 polarization{};                 ///< plane-wave: of E, any length
  std::vector<std::string> regions{};  ///< plane-wave: of the total field; current: the region of the current
  std::array<std::string, 3> density{"0", "0", "0"};  ///< current: expressions in x, y, z (m), A/m^2
  std::array<Place, 3> density_places{};
  Place position_place{};
  Place region_place{};
  Place place{};
};

/// An incident plane wave of 1 V/m, phase 0 at the origin.
struct IncidentWave {
  double theta_deg = 0;  ///< direction of arrival
  double phi_deg = 0;
  bool is_theta = true;  ///< E along the unit vector of theta there, else of phi
  Place place;
};

}  // namespace tetrawave
