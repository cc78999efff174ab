#include "mesh/local_mesh.hpp"

#include <algorithm>

namespace tetrawave {

std::vector<HaloPeer> group_by_rank(std::vector<SharedFace> faces) {
  std::sort(faces.begin(), faces.end());
  std::vector<HaloPeer> peers;
  for (const SharedFace& shared : faces) {
    if (peers.empty() || peers.back().rank != shared.rank) peers.push_back({shared.rank, {}});
    peers.back().faces.push_back({shared.element, shared.face});
  }
  return peers;
}

}  // namespace tetrawave
