// A port of a model: what is known of it, and how it is placed on faces.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "fem/edge/line_modes.hpp"
#include "results/ports/ports.hpp"

namespace tetrawave::modes {

/// Results of a port's set-up.
struct PortSummary {
  std::string name;
  double impedance_ohm = 0;  ///< of the whole port
  std::size_t faces = 0;
  std::optional<std::array<double, 2>> radii_m;  ///< coaxial: of the inner and the outer conductor
  double facets_ohm = 0;                         ///< coaxial: of the line as the mesh has it, with facets for circles
  double refractive_index = 1;
  double eps_effective = 0;   ///< tem: capacitance over that without media; 0 for others
  bool is_quasi_tem = false;  ///< tem: over several media
  bool follows_line = false;  ///< then: takes the mode of its line at each frequency, not the static one
  double source_share = 0;    ///< lumped: of the source's voltage, the part missing in the recorded voltage
  std::string loose_end;      ///< lumped, with a direction: the end that touches no metal, "positive" or "negative"
  double voltage_scale = 1;   ///< of the whole port over that of its face, if it is cut by symmetry planes
  double current_scale = 1;
  double mode_cutoff_per_m = 0;  ///< rectangular-waveguide: kc of its mode
  double second_mode_hz = 0;     ///< from here on another mode than the port's propagates as well; 0: lumped
  bool takes_one_mode = false;   ///< reflects all else
  bool means_waves = false;      ///< then: of the port's E and of its H (results::PortModel)

  [[nodiscard]] double face_impedance_ohm() const { return impedance_ohm * current_scale / voltage_scale; }
  /// Cutoff of a waveguide port's mode; 0 for other ports.
  [[nodiscard]] double mode_cutoff_hz() const;
};

/// A port found on its faces, to be copied or evaluated again.
struct FoundPort {
  results::PortFaces faces;
  results::PortRecipe recipe;
  std::optional<fem::CrossSection> line{};  ///< quasi-TEM, for finite elements
  /// With it, this rank's faces: the port's, then those of its copies in the antenna cells of an array.
  std::vector<std::vector<results::PlacedFace>> places{};
};

}  // namespace tetrawave::modes
