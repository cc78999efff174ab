// Edges of metal sheets between two elements, where fields are singular.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

struct SheetEdges {
  /// Per element: whether one of its corners is on the edge of a sheet. Empty if the mesh has no such edge.
  std::vector<std::uint8_t> is_near;
  std::int64_t elements = 0;          ///< near edges, over the ranks
  std::vector<GlobalIndex> vertices;  ///< on edges, ascending, of all ranks
  std::vector<bool> ends_on;          ///< per boundary tag: whether an edge of a sheet ends on outer faces with it
};

/// The edge of a sheet is an edge of the mesh with exactly one face of metal, between two elements, and no outer face.
/// `is_metal`: per boundary tag. Collective.
SheetEdges find_sheet_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads,
                            const comm::Communicator& ranks);

/// Per element, bit f: whether a corner of its face f belongs to a chosen element or to the `layers` - 1 layers around
/// these, consisting of elements with a corner on the previous layer. The same on both sides of a face. Collective.
std::vector<std::uint8_t> find_faces_around(const LocalMesh& mesh, const std::vector<std::uint8_t>& chosen, int layers,
                                            int threads, const comm::Communicator& ranks);

}  // namespace tetrawave
