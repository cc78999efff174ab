#include "mesh/neighbour_values.hpp"

namespace tetrawave {

NeighbourValues::NeighbourValues(const LocalMesh& mesh, const std::vector<std::int32_t>& own,
                                 const comm::Communicator& ranks)
    : mesh_(mesh), own_(own) {
  std::vector<std::vector<std::int32_t>> mine(static_cast<std::size_t>(ranks.size()));
  for (const HaloPeer& peer : mesh.peers)
    for (const HaloFace& face : peer.faces)
      mine[static_cast<std::size_t>(peer.rank)].push_back(own[static_cast<std::size_t>(face.element)]);
  const auto theirs = ranks.exchange(mine);
  for (const HaloPeer& peer : mesh.peers)
    for (std::size_t i = 0; i < peer.faces.size(); ++i)
      remote_[{peer.faces[i].element, peer.faces[i].face}] = theirs[static_cast<std::size_t>(peer.rank)][i];
}

std::int32_t NeighbourValues::behind(LocalIndex element, std::size_t face) const {
  const LocalIndex other = mesh_.neighbour[static_cast<std::size_t>(element)][face];
  if (other == no_neighbour) return -1;
  return other == remote_neighbour ? remote_.at({element, face}) : own_[static_cast<std::size_t>(other)];
}

}  // namespace tetrawave
