// The first two stages of a port: its faces in the mesh, and the fields on them. Each stage is a function of the one
// before: find_port, solve_port, make_port_recipe (model/ports/recipe.hpp), results::place_port.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "case/spec/case.hpp"
#include "case/spec/requested_band.hpp"
#include "comm/communicator.hpp"
#include "model/ports/port.hpp"
#include "sources/ports/lumped_port.hpp"
#include "sources/ports/tem_port.hpp"
#include "sources/ports/waveguide_port.hpp"

namespace tetrawave::modes {

/// The place of a port: its faces, and the metal that they touch.
struct PortPlace {
  results::PortFaces faces;
  std::vector<ConductorEdge> metal;
};
/// Finds the place from each rank's faces of the port and of metal. Collective.
[[nodiscard]] PortPlace find_port(const march::Problem& problem, std::vector<results::LocalPortFace> mine,
                                  const std::vector<results::MetalFace>& metal, const comm::Communicator& ranks);

/// Inputs of the fields of a port in addition to its place.
struct PortConditions {
  const PortDescription& spec;
  Space space;
  Scheme scheme;
  std::optional<Band> band;         ///< of the case
  double highest_hz;                ///< of the case
  std::vector<Medium> laminates{};  ///< media whose only losses are a loss tangent; lines may end in them
  // Of tem ports:
  std::int32_t signal = 0;  ///< boundary tag of its conductor
  const std::vector<std::string>* tag_names = nullptr;
  std::vector<double> weights{};  ///< of the triangles at edges of metal sheets; or none
};
/// The largest degree of a port's potential whose gradients are in the tangential traces of the space (k in mixed-k, k
/// + 1 in full-k), up to 3.
[[nodiscard]] int potential_degree(Space space);

/// A lumped port on its face, which planes of symmetry may cut.
struct LumpedFace {
  LumpedPort port;
  PortDescription spec;  ///< with the values of the face
};

/// A port whose fields are known.
struct SolvedPort {
  PortSummary summary;
  results::PortFaces of_mode;  ///< its faces with the media of its mode: of lines without small losses
  Medium medium{};             ///< of coaxial lines and waveguides
  std::variant<TemMode, TemPort, WaveguidePort, LumpedFace> mode;  ///< coaxial, tem, rectangular-waveguide, lumped
};
/// Solves for the mode of a port. Throws UserError (bad_case), the same on all ranks.
[[nodiscard]] SolvedPort solve_port(const PortConditions& conditions, const PortPlace& place);

}  // namespace tetrawave::modes
