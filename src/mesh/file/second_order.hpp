// Straight copies of second-order meshes, for work on their corners alone.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "mesh/file/mesh_file.hpp"

namespace tetrawave {

/// Nodes on edges, by the edges' ends in ascending order.
using EdgeNodes = std::map<std::array<std::int64_t, 2>, std::int64_t>;

/// Makes a mesh of second-order tetrahedra one of straight ones with the same nodes, of which those on edges stand in
/// no element then. Returns these.
EdgeNodes drop_edge_nodes(WholeMesh& mesh);

/// The other way round: edges that `known` lacks get a new node in their middle.
void add_edge_nodes(WholeMesh& mesh, EdgeNodes known);

}  // namespace tetrawave
