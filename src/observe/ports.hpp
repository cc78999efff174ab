// Ports in a march: the faces of a port, its incident wave as moments, its voltage and current as functionals.
#pragma once

#include <vector>

#include "comm/communicator.hpp"
#include "march/problem.hpp"
#include "sources/lumped_port.hpp"
#include "sources/tem_port.hpp"
#include "sources/waveguide_port.hpp"

namespace tetrawave::observe {

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

  /// Between elements. Neither this nor `is_outer` when some faces are and some are not.
  [[nodiscard]] bool is_inner() const { return media.size() == 2 * all.size(); }
  [[nodiscard]] bool is_outer() const { return media.size() == all.size(); }
};

/// Collects the faces with boundary tag `tag`. A collective.
PortFaces collect_port_faces(const LocalMesh& mesh, std::int32_t tag, const std::vector<Medium>& media,
                             const comm::Communicator& ranks);

/// The edges of a port's face on electric walls (outer faces and inner sheets), with their boundary tags, sorted; the
/// same on every rank. A collective.
std::vector<ConductorEdge> collect_port_metal(const LocalMesh& mesh, const std::vector<march::Wall>& walls,
                                              const PortFaces& faces, const comm::Communicator& ranks);

/// Adds a port to the problem: driven faces fed by row `wave`, and one functional each for the modal voltage and for
/// the impedance times the modal current [V] (THEORY.md 8): v = oint E.e_p / oint e_p.e_p,
/// Z_p i = Z oint (n x eta0 H).e_p / oint e_p.e_p, Z the relative impedance of the medium.
void add_port(march::Problem& problem, const PortFaces& faces, const TemMode& mode, const Medium& medium,
              std::int32_t wave);

/// The same for a waveguide's mode, whose profile is scaled so that its projections on the traces of E and of H have
/// norm 1: v = oint E.e, Z i = Z oint (n x eta0 H).e. The port has a memory (THEORY.md 22). A collective.
void add_waveguide_port(march::Problem& problem, const PortFaces& faces, const WaveguidePort& port,
                        const Medium& medium, std::int32_t wave, const comm::Communicator& ranks);

/// The same for a lumped port, inside or outside; the wave is half the voltage of its source. Its current follows from
/// the voltage and the source, and is no functional: that of the current is 0.
void add_lumped_port(march::Problem& problem, const PortFaces& faces, const LumpedPort& port, const PortSpec& spec,
                     std::int32_t wave);

}  // namespace tetrawave::observe
