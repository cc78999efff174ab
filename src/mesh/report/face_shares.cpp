#include "mesh/report/face_shares.hpp"

#include <array>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "mesh/connect/order_elements.hpp"

namespace tetrawave {

namespace {

/// Whether both are in one group of `length` consecutive elements of the same kind, border or inner.
bool are_together(const LocalMesh& mesh, LocalIndex a, LocalIndex b, std::size_t length) {
  const bool at_border = a < mesh.border_count;
  if (at_border != (b < mesh.border_count)) return false;
  const LocalIndex first = at_border ? 0 : mesh.border_count;
  return static_cast<std::size_t>(a - first) / length == static_cast<std::size_t>(b - first) / length;
}

}  // namespace

FaceShares measure_shares(const LocalMesh& mesh, const comm::Communicator& ranks, int threads) {
  enum Count : std::size_t { all, local, block, part, distance, counts };
  const std::size_t size = mesh.neighbour.size();
  std::vector<std::array<std::int64_t, counts>> ranges(count_ranges(size, threads));
  for_ranges(size, ranges.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    std::array<std::int64_t, counts> mine{};
    for (std::size_t k = first; k < last; ++k)
      for (const LocalIndex n : mesh.neighbour[k]) {
        if (n == no_neighbour) continue;
        ++mine[all];
        if (n < 0) continue;
        const auto e = static_cast<LocalIndex>(k);
        ++mine[local];
        mine[block] += are_together(mesh, e, n, order_block) ? 1 : 0;
        mine[part] += are_together(mesh, e, n, order_part) ? 1 : 0;
        mine[distance] += std::abs(n - e);
      }
    ranges[range] = mine;
  });
  std::vector<std::int64_t> sum(counts, 0);
  for (const auto& mine : ranges)
    for (std::size_t k = 0; k < counts; ++k) sum[k] += mine[k];
  ranks.sum_in_place(std::span<std::int64_t>(sum));
  FaceShares shares;
  shares.faces = sum[all] / 2;  // each was seen from both sides
  const auto share = [&sum](std::int64_t count, std::size_t of) {
    return sum[of] == 0 ? 0 : static_cast<double>(count) / static_cast<double>(sum[of]);
  };
  shares.in_block = share(sum[block], all);
  shares.in_part = share(sum[part], all);
  shares.mean_distance = share(sum[distance], local);
  return shares;
}

}  // namespace tetrawave
