// The fields of port modes on their faces, for results.h5.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "results/ports/ports.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::results {

/// The field of the wave that carries 1 W into the structure through a port's face, at the centroid of each triangle: E
/// = v e, H = i d x e0/oint e0.e0 with v = sqrt(Z), i = 1/sqrt(Z) and d into the structure (theory/ports), so that oint
/// (E x H).d = 1 W. For a waveguide Z is that of its medium, to which its mode's impedance tends far above cutoff.
struct PortMode {
  std::string port;
  std::string type;                                  ///< as in the case
  std::vector<Vec3> points_m{};                      ///< the nodes of the face
  std::vector<std::array<std::int32_t, 3>> cells{};  ///< its triangles, of `points_m`
  std::vector<Vec3> electric{};                      ///< per cell [V/m]
  std::vector<Vec3> magnetic{};                      ///< per cell [A/m]
  double impedance_ohm = 0;                          ///< of the whole port
  double eps_effective = 0;                          ///< tem; 0: unknown
  double cutoff_hz = 0;  ///< of the mode, for a coaxial or tem port of its first higher one; 0: none
};

/// Inputs of a mode: profiles at barycentric coordinates of triangles of PortFaces::all [1/m].
struct ModeProfiles {
  PortRecipe::Profile electric;  ///< e
  PortRecipe::Profile magnetic;  ///< e0
  double norm = 1;               ///< oint e0.e0
  double face_ohm = 1;           ///< Z of the face, without the other sides of symmetry planes
};

/// Points, cells and fields; the other members are to be filled in.
[[nodiscard]] PortMode make_port_mode(const PortFaces& faces, const ModeProfiles& profiles);

/// Writes group PREFIX/ports/NAME/mode of each: points [n,3], cells [m,3], E [m,3], H [m,3], attributes type, impedance
/// and, where known, eps_effective and cutoff.
void write_port_modes(const store::File& file, const std::string& prefix, const std::vector<PortMode>& modes);

}  // namespace tetrawave::results
