// Straight copies of second-order meshes, for work on their corners only.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "mesh/file/mesh_file.hpp"

namespace tetrawave {

/// Nodes on edges, by the edges' ends in ascending order.
using EdgeNodes = std::map<std::array<std::int64_t, 2>, std::int64_t>;

/// Converts a mesh of second-order tetrahedra to straight ones with the same nodes, of which those on edges then belong
/// to no element. Returns these.
EdgeNodes drop_edge_nodes(WholeMesh& mesh);

/// The reverse: edges missing in `known` get a new node at their midpoint.
void add_edge_nodes(WholeMesh& mesh, EdgeNodes known);

}  // namespace tetrawave
