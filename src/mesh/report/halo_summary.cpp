#include "mesh/report/halo_summary.hpp"

#include <algorithm>

#include "base/text/format.hpp"

namespace tetrawave {

std::vector<RankHalo> measure_halos(const LocalMesh& mesh, const comm::Communicator& ranks) {
  RankHalo mine{mesh.element_count(), mesh.border_count, 0, static_cast<std::int64_t>(mesh.peers.size())};
  for (const HaloPeer& peer : mesh.peers) mine.faces += static_cast<std::int64_t>(peer.faces.size());
  return ranks.all_gather(std::span<const RankHalo>(&mine, 1));
}

OverRanks spread_of(const std::vector<RankHalo>& halos, std::int64_t RankHalo::*number) {
  OverRanks spread{static_cast<double>(halos.front().*number), 0, 0};
  for (const RankHalo& halo : halos) {
    const auto value = static_cast<double>(halo.*number);
    spread.least = std::min(spread.least, value);
    spread.most = std::max(spread.most, value);
    spread.mean += value / static_cast<double>(halos.size());
  }
  return spread;
}

OverRanks spread_of(double mine, const comm::Communicator& ranks) {
  return {ranks.min(mine), ranks.sum(mine) / ranks.size(), ranks.max(mine)};
}

std::string describe_halos(const std::vector<RankHalo>& halos) {
  if (halos.size() < 2) return "";
  const OverRanks elements = spread_of(halos, &RankHalo::elements);
  const OverRanks border = spread_of(halos, &RankHalo::border);
  const OverRanks faces = spread_of(halos, &RankHalo::faces);
  const OverRanks peers = spread_of(halos, &RankHalo::peers);
  return tetrawave::format(
      "{} ranks of {:.0f} to {:.0f} elements (the largest {:.1f} % above the mean), {:.0f} to {:.0f} of them at "
      "borders; {:.0f} to {:.0f} faces shared with {:.0f} to {:.0f} ranks",
      halos.size(), elements.least, elements.most, 100 * (elements.most / elements.mean - 1), border.least, border.most,
      faces.least, faces.most, peers.least, peers.most);
}

}  // namespace tetrawave
