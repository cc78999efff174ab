// Distance in memory between the two elements of a face.
#pragma once

#include <cstdint>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// Shares of all faces between two elements, over all ranks.
struct FaceShares {
  std::int64_t faces = 0;
  double in_block = 0;       ///< share with both elements in one block of order_block
  double in_part = 0;        ///< in one group of order_part elements
  double mean_distance = 0;  ///< elements between them; for those on one rank
};

/// Border elements and the others are counted separately, as they are stored (march/elements/layout.hpp). Collective.
FaceShares measure_shares(const LocalMesh& mesh, const comm::Communicator& ranks, int threads = 1);

}  // namespace tetrawave
