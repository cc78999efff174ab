// A plane problem made ready: triangles, media, walls and ports of a case (theory/frequency-domain-2d).
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "fem/planar/plate_modes.hpp"
#include "media/material.hpp"
#include "results/ports/port_model.hpp"

namespace tetrawave::modes {

/// An edge with a condition.
struct PlanarWall {
  fem::PlanarEdge edge;
  BoundaryKind kind = BoundaryKind::pec;
  const BoundarySpec* spec = nullptr;  ///< of the case; nullptr by boundaries.default
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] bool has_loss() const;  ///< power ends in it
};

struct PlanarPort {
  results::PortModel model;
  fem::PlateModes modes;
  std::size_t mode = 0;  ///< the port's own, among these
  double polarity = 1;   ///< of E along the port, towards larger x or y, in the direction n x z, n outward
  std::size_t region = 0;
};

/// Where a point is in a layer along x and y: depth over thickness, and the thickness; depth 0 outside.
struct LayerDepth {
  std::array<double, 2> depth{};
  std::array<double, 2> thickness_m{};
};

struct PlanarSetup {
  TriangleMesh mesh;
  std::string mesh_hash;
  fem::PlanarSpace space;
  std::vector<Medium> media;                       ///< per region
  std::vector<bool> is_layer;                      ///< per region
  std::array<Point2, 2> inner_box{}, outer_box{};  ///< around all but layers, and around the mesh
  std::vector<PlanarWall> walls;
  std::vector<PlanarPort> ports;
  std::vector<fem::PlanarEdge> layer_border;  ///< edges between layers and the rest, of the elements outside of layers
  std::optional<std::size_t> outer_region;    ///< whose medium is next to absorbing walls and layers, if there is one

  [[nodiscard]] std::size_t region_of(std::int32_t element) const {
    return static_cast<std::size_t>(mesh.region[static_cast<std::size_t>(element)]);
  }
  [[nodiscard]] LayerDepth depth_at(const Point2& place_m) const;
};

/// Throws UserError.
[[nodiscard]] PlanarSetup set_up_planar(const Case& given, const std::filesystem::path& mesh_file);

}  // namespace tetrawave::modes
