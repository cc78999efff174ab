// Balance of the elements over the ranks, and the numbers of shared faces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// Halo of one rank.
struct RankHalo {
  std::int64_t elements = 0;
  std::int64_t border = 0;  ///< elements with a face on another rank
  std::int64_t faces = 0;   ///< shared with other ranks
  std::int64_t peers = 0;
};

/// Minimum, mean and maximum of a number over the ranks.
struct OverRanks {
  double least = 0;
  double mean = 0;
  double most = 0;
};

/// Halos of all ranks, in rank order. Collective.
std::vector<RankHalo> measure_halos(const LocalMesh& mesh, const comm::Communicator& ranks);

/// Minimum, mean and maximum of a member, e.g. &RankHalo::faces.
OverRanks spread_of(const std::vector<RankHalo>& halos, std::int64_t RankHalo::*number);
/// Minimum, mean and maximum of a number over the ranks. Collective.
OverRanks spread_of(double mine, const comm::Communicator& ranks);

/// "10,000 to 10,100 elements (largest 0.5 % above the mean), .."; empty for one rank.
std::string describe_halos(const std::vector<RankHalo>& halos);

}  // namespace tetrawave
