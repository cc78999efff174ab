// Where metal sheets end between two elements: fields are singular there.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

struct SheetEdges {
  /// Per element: whether one of its corners lies on the edge of a sheet. Empty where the mesh has no such edge.
  std::vector<std::uint8_t> is_near;
  std::int64_t elements = 0;          ///< near edges, over the ranks
  std::vector<GlobalIndex> vertices;  ///< on edges, ascending, of all ranks
  std::vector<bool> ends_on;          ///< per boundary tag: whether an edge of a sheet ends on outer faces with it
};

/// The edge of a sheet is an edge of the mesh with exactly one face of metal, between two elements, and no outer face.
/// `is_metal`: per boundary tag. A collective.
SheetEdges find_sheet_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, const comm::Communicator& ranks);

/// Per element, bit f: whether a corner of its face f is one of a chosen element or of so many layers less one around
/// these, of elements with a corner on the layer before. The same from both sides of a face. A collective.
std::vector<std::uint8_t> find_faces_around(const LocalMesh& mesh, const std::vector<std::uint8_t>& chosen, int layers,
                                            const comm::Communicator& ranks);

}  // namespace tetrawave
