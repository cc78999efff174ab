// Which element is to blame when a march blows up.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"
#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::march {

struct WorstElement {
  GlobalIndex id = 0;
  Vec3 centroid_m{};
  std::string region;
  double energy_j = 0;
};

/// Among the elements of all ranks: the one whose energy is not finite, else the largest; of several the one with the
/// lowest global id. `energy_j`: per local element. A collective; the same on all ranks.
[[nodiscard]] WorstElement find_worst(const LocalMesh& mesh, const std::vector<double>& energy_j,
                                      const comm::Communicator& ranks);

}  // namespace tetrawave::march
