#include "march/interface/health.hpp"

#include <cmath>
#include <limits>
#include <span>

namespace tetrawave::march {

namespace {

struct Candidate {
  double energy_j = -1;
  GlobalIndex id = 0;
  std::int32_t region = 0;
  Vec3 centroid_m{};

  /// Not finite counts as infinite.
  [[nodiscard]] double rank() const { return std::isfinite(energy_j) ? energy_j : std::numeric_limits<double>::max(); }
  [[nodiscard]] bool is_worse_than(const Candidate& other) const {
    return rank() > other.rank() || (rank() == other.rank() && id < other.id);
  }
};

}  // namespace

WorstElement find_worst(const LocalMesh& mesh, const std::vector<double>& energy_j, const comm::Communicator& ranks) {
  Candidate worst;
  for (std::size_t e = 0; e < energy_j.size(); ++e) {
    Candidate next{energy_j[e], mesh.global_id[e], mesh.region[e], {}};
    if (!next.is_worse_than(worst)) continue;
    for (const Vec3& corner : mesh.corners[e])
      for (std::size_t axis = 0; axis < 3; ++axis) next.centroid_m[axis] += corner[axis] / 4;
    worst = next;
  }
  for (const Candidate& other : ranks.all_gather(std::span<const Candidate>(&worst, 1)))
    if (other.is_worse_than(worst)) worst = other;
  return {worst.id, worst.centroid_m, mesh.region_names[static_cast<std::size_t>(worst.region)], worst.energy_j};
}

}  // namespace tetrawave::march
