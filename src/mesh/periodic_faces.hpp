// Faces that lead to each other: the nodes of one group are those of another, moved.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/mesh_slab.hpp"

namespace tetrawave {

/// Which nodes of a mesh are one node, as periodic faces have it. Few: those on the faces.
class SameNodes {
 public:
  SameNodes() = default;
  /// `pairs`: (node, the lowest node that it is one with), by ascending node.
  SameNodes(std::vector<std::pair<GlobalIndex, GlobalIndex>> pairs, std::string place)
      : pairs_(std::move(pairs)), place_(std::move(place)) {}

  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  /// The lowest of the nodes that are one with this.
  [[nodiscard]] GlobalIndex operator()(GlobalIndex node) const;
  /// Place of the first pair in the case file, for messages.
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  std::vector<std::pair<GlobalIndex, GlobalIndex>> pairs_;
  std::string place_;
};

/// Finds the translations of FaceTags::periodic (from the low corners of the groups' boxes) and the nodes that they
/// bring together, to 1e-6 of the faces' size. A collective; the nodes of these faces come to every rank.
///
/// Throws UserError (bad_case), the same on all ranks: groups of the same place, of different sizes, vertices or
/// triangles without a partner, each named with its place and the remedy.
SameNodes identify_nodes(const MeshSlab& slab, const FaceTags& tags, const comm::Communicator& ranks);

}  // namespace tetrawave
