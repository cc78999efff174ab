// Periodic faces: the nodes of one group are those of another, translated.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/mesh_slab.hpp"

namespace tetrawave {

/// Nodes of a mesh that are identified by periodic faces. Few: those on the faces.
class SameNodes {
 public:
  SameNodes() = default;
  /// `pairs`: (node, the lowest node identified with it), by ascending node.
  SameNodes(std::vector<std::pair<GlobalIndex, GlobalIndex>> pairs, std::string place)
      : pairs_(std::move(pairs)), place_(std::move(place)) {}

  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  /// The lowest of the nodes identified with this one.
  [[nodiscard]] GlobalIndex operator()(GlobalIndex node) const;
  /// Place of the first pair in the case file, for messages.
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  std::vector<std::pair<GlobalIndex, GlobalIndex>> pairs_;
  std::string place_;
};

/// Finds the translations of FaceTags::periodic (from the low corners of the groups' boxes) and the nodes that they map
/// onto each other, to 1e-6 of the faces' size. Collective; the nodes of these faces are sent to every rank.
///
/// Throws UserError (bad_case), the same on all ranks: groups in the same place, of different sizes, vertices or
/// triangles without a partner, each with its place and the remedy.
SameNodes identify_nodes(const MeshSlab& slab, const FaceTags& tags, const comm::Communicator& ranks);

}  // namespace tetrawave
