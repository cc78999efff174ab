// Edges of solid metal, at which the medium fills more than half of the space around.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// A vertex on edges of solid metal. Fields grow as r^(nu - 1), nu = pi/angle of the medium: 1/2 at a sheet, 2/3 at a
/// right angle of metal.
struct SolidEdgeVertex {
  GlobalIndex vertex = 0;
  std::int32_t level = 0;  ///< 48 nu, the smallest of its edges
  [[nodiscard]] auto operator<=>(const SolidEdgeVertex&) const = default;
};

struct SolidEdges {
  static constexpr std::int32_t levels = 48;  ///< at nu = 1

  std::vector<SolidEdgeVertex> vertices;  ///< ascending, of all ranks
  /// Per element: the smallest level of its corners, 0 without one. Empty if the mesh has no such edge.
  std::vector<std::int32_t> level;
  std::int64_t elements = 0;  ///< with a level, over the ranks

  /// 0: not on an edge.
  [[nodiscard]] std::int32_t level_of(GlobalIndex vertex) const;
};

/// An edge of solid metal has two outer faces of metal and a medium of more than 240 degrees between them. If one of
/// its sides is lower than the elements across the edge and ends at another such edge, nu is between that of a sheet
/// and that of the angle (theory/metal-edges). `is_metal`: per boundary tag. Collective.
SolidEdges find_solid_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads,
                            const comm::Communicator& ranks);

}  // namespace tetrawave
