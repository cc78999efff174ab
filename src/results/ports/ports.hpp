// Ports in the problem: the faces of a port, its incident wave as moments, its voltage and current as functionals.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"
#include "sources/ports/lumped_port.hpp"
#include "sources/ports/tem_port.hpp"
#include "sources/ports/waveguide_port.hpp"

namespace tetrawave::results {

/// One face of a port on this rank.
struct LocalPortFace {
  LocalIndex element = 0;
  std::uint8_t face = 0;
  PortTriangle triangle;
};

/// All faces of a port, the same on every rank, and this rank's own.
struct PortFaces {
  std::vector<LocalPortFace> mine;
  std::vector<PortTriangle> all;  ///< sorted by vertices
  std::vector<Medium> media;      ///< of the elements at `all`, in its order; an inner face has two
  Vec3 normal{};                  ///< outward, of the first of `all`
  /// Global ids of the elements at `all` with the number of the face, sorted.
  std::vector<std::pair<GlobalIndex, std::size_t>> elements;

  /// Between elements. Neither this nor `is_outer` if some faces are and some are not.
  [[nodiscard]] bool is_inner() const { return media.size() == 2 * all.size(); }
  [[nodiscard]] bool is_outer() const { return media.size() == all.size(); }
};

/// This rank's faces with each of the boundary tags below `tags`, by ascending element.
std::vector<std::vector<LocalPortFace>> find_port_faces(const LocalMesh& mesh, std::size_t tags);

/// Collects the faces of a port from those of every rank. Collective.
PortFaces collect_port_faces(const LocalMesh& mesh, std::vector<LocalPortFace> mine, const std::vector<Medium>& media,
                             const comm::Communicator& ranks);

/// A face of an element on an electric wall (outer face or inner sheet).
struct MetalFace {
  LocalIndex element = 0;
  std::uint8_t face = 0;
};
/// This rank's, by ascending element.
std::vector<MetalFace> find_metal_faces(const LocalMesh& mesh, const std::vector<march::Wall>& walls);

/// The edges of a port's face on the metal of all ranks, with their boundary tags, sorted; the same on every rank.
/// Collective.
std::vector<ConductorEdge> collect_port_metal(const LocalMesh& mesh, const std::vector<MetalFace>& metal,
                                              const PortFaces& faces, const comm::Communicator& ranks);

/// Face-independent description of a port, shared by its copies in an array.
struct PortRecipe {
  int degree = 0;  ///< of the quadrature
  using Profile = std::function<Vec3(std::size_t t, const std::array<double, 3>& barycentric)>;
  Profile profile;    ///< at a point of triangle t of PortFaces::all, given by barycentric coordinates
  double direct = 1;  ///< factors of the moments
  double rotated = 1;
  double voltage = 1;  ///< factors of the functionals
  double current = 1;
  std::optional<march::PortMemory> memory{};  ///< its wave and functional are set when it is placed
  /// Profiles of the voltage and current functionals if they differ from the wave's.
  Profile voltage_profile{};
  Profile current_profile{};
  std::vector<double> admittance{};     ///< of the wall at each triangle; empty: of its medium
  std::optional<double> termination{};  ///< of a port of one mode: march::ModalTermination::admittance
  double overlap = 1;                   ///< and its march::ModalTermination::overlap
  /// Lumped, where the state at the sheet is one of DGTD-Upwind: 1/(Y + Y+ + G) at each triangle. The functional of the
  /// voltage is then that of E* without its source, in two parts, and this part of the source's voltage is missing.
  std::vector<double> sheet{};
  double source_share = 0;
};

/// A face of a port on this rank, matched to one of the recipe's: corner i of the face is corner order[i] of the
/// triangle.
struct PlacedFace {
  LocalIndex element = 0;
  std::uint8_t face = 0;
  std::size_t triangle = 0;
  std::array<std::uint8_t, 3> order{0, 1, 2};
};

/// The faces of the recipe itself.
std::vector<PlacedFace> place_faces(const PortFaces& faces);
/// Those of a copy, whose elements have ids larger by `id_shift` and are translated by `shift` [m].
std::vector<PlacedFace> place_copy(const PortFaces& faces, const LocalMesh& mesh,
                                   const std::vector<LocalPortFace>& copy, GlobalIndex id_shift, const Vec3& shift);

/// Contributions of a port to a problem on this rank: driven faces, and one functional each for the modal voltage and
/// for the impedance times the modal current [V].
struct PlacedPort {
  std::vector<march::DrivenFace> driven;
  march::Functional voltage;
  march::Functional current;
  std::vector<std::pair<std::pair<LocalIndex, std::uint8_t>, double>> admittance;  ///< of Problem::open_admittance
};
/// Driven by row `wave`.
PlacedPort make_placed_port(const march::Problem& problem, const std::vector<PlacedFace>& faces,
                            const PortRecipe& recipe, std::int32_t wave);
void add_port(march::Problem& problem, PlacedPort port, const PortRecipe& recipe, std::int32_t wave);
/// Both.
void place_port(march::Problem& problem, const std::vector<PlacedFace>& faces, const PortRecipe& recipe,
                std::int32_t wave);

/// Z_p i of a port at an open wall of admittance Y, with the incident wave V e_p:
///   Z_p i = recipe.current oint Y (2 V e_p - E) . e_c,  e_c the profile of its current.
struct WallCurrent {
  double of_wave = 0;          ///< times V
  march::Functional of_field;  ///< of E, to be subtracted
};
WallCurrent make_wall_current(const march::Problem& problem, const std::vector<PlacedFace>& faces,
                              const PortRecipe& recipe);

/// Recipe for a port that takes its TEM mode alone (theory/ports): v = oint E.e0 / oint e0.e0, e0 the mode without
/// media on these triangles; its current follows from the voltage and the source, and is no functional but in DFDD-ELD.
PortRecipe make_modal_recipe(const march::Problem& problem, const std::vector<PortTriangle>& triangles,
                             const TemMode& vacuum, double admittance);

/// Recipe for a TEM mode at an open wall: v = oint E.e_p / oint e_p.e_p, Z_p i = Z oint (n x eta0 H).e_p / oint
/// e_p.e_p, Z the relative impedance of the medium.
PortRecipe make_tem_recipe(const march::Problem& problem, const TemMode& mode, const Medium& medium);

/// The same for a line of several media: v = oint E.e0 / oint e0.e0, Z_p i = Z_p oint (n x H).e, with the wave (Y_t e +
/// Y0 e0)/(2 Y_t) at walls of admittance Y_t.
PortRecipe make_mixed_recipe(const march::Problem& problem, const TemPort& port);

/// The same for a waveguide's mode, whose profile is scaled so that its projections on the traces of E and of H have
/// norm 1: v = oint E.e, Z i = Z oint (n x eta0 H).e. The port is dispersive (theory/ports); with `one_mode` it couples
/// to this mode alone, and its current is not a functional. Collective.
PortRecipe make_waveguide_recipe(const march::Problem& problem, const PortFaces& faces, const WaveguidePort& port,
                                 const Medium& medium, bool one_mode, const comm::Communicator& ranks);

/// The same for a lumped port with boundary tag `tag`, inside or outside; the wave is half the voltage of its source.
/// Its current follows from the voltage and the source, and is not a functional: that of the current is 0, in
/// DGTD-Upwind the part of the voltage that depends on H.
PortRecipe make_lumped_recipe(const march::Problem& problem, const PortFaces& faces, const LumpedPort& port,
                              const PortDescription& spec, std::int32_t tag);

}  // namespace tetrawave::results
