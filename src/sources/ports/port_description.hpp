// A port as users describe it.
#pragma once

#include <optional>
#include <string>

#include "sources/description.hpp"

namespace tetrawave {

enum class PortType { coaxial, tem, rectangular_waveguide, lumped, parallel_plate };

/// TEmn or TMmn: m half waves along the longer side, n along the shorter one.
struct WaveguideMode {
  bool tm = false;
  int m = 1;
  int n = 0;
};

struct PortDescription {
  std::string name;
  std::string boundary;
  PortType type = PortType::coaxial;
  std::optional<Vec3> centre_m;  ///< coaxial: derived from the face unless given
  std::optional<Vec3> axis;      ///< coaxial: any length, either direction
  std::optional<double> inner_radius_m;
  std::optional<double> outer_radius_m;
  std::string signal;               ///< tem: physical surface of the positive conductor, one of boundaries.pec
  WaveguideMode mode;               ///< rectangular-waveguide
  std::optional<int> half_waves{};  ///< parallel-plate: between the plates; absent: of the lowest mode
  double resistance_ohm = 0;        ///< lumped, as the following
  double inductance_h = 0;          ///< in series; 0: none
  double capacitance_f = 0;         ///< in parallel; 0: none
  std::optional<Vec3> direction{};  ///< from the negative to the positive conductor; absent: radial, on a ring
  double reference_plane_m = 0;     ///< reference plane of S, from the face into the structure
  bool takes_one_mode =
      false;  ///< not for lumped ports: reflects all but its mode; else everything else is absorbed by an open wall
  bool may_take_one_mode = false;  ///< decided by the program: true where that is better (theory/ports)
  int electric_planes = 0;         ///< symmetry planes that cut the port: PEC, all others PMC
  int magnetic_planes = 0;
  std::optional<NamedExcitation> excite;
  Place boundary_place;
  Place signal_place{};
  Place place;
};

/// "TE10", "TM21", "TE12,0"; none for names that are not modes: TE00, and TMmn with m or n = 0.
std::optional<WaveguideMode> read_waveguide_mode(const std::string& name);

/// "TE10" or, with a number above 9, "TE12,0".
std::string name_of(const WaveguideMode& mode);

}  // namespace tetrawave
