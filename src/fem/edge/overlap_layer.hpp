// The elements of a rank around the parts of other ranks.
#pragma once

#include <vector>

#include "comm/communicator.hpp"
#include "fem/edge/edge_space.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::fem {

/// This rank's elements in the layer around the part of another rank: those with a vertex in that part.
struct OverlapLayer {
  std::vector<LocalIndex> elements;
  std::vector<ElementFace> ends;  ///< of these: faces to elements that are neither of that part nor of the layer
};

/// One layer per rank, empty for this one. Collective.
[[nodiscard]] std::vector<OverlapLayer> find_overlap_layers(const LocalMesh& mesh, const comm::Communicator& ranks);

}  // namespace tetrawave::fem
