#include "mesh/connect/partition.hpp"

#include <metis.h>

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>

#include "base/error.hpp"
#include "mesh/slab_range.hpp"

namespace tetrawave {

namespace {

static_assert(sizeof(idx_t) == sizeof(std::int32_t), "METIS is built with 32-bit indices");

using Neighbours = std::array<LocalIndex, 4>;

void check_graph_size(GlobalIndex element_count) {
  if (element_count > std::numeric_limits<idx_t>::max() / 4) {
    fail(ExitCode::bad_mesh, "the mesh has {} elements, but at most {} can be partitioned: use a coarser mesh",
         element_count, std::numeric_limits<idx_t>::max() / 4);
  }
}

/// METIS may leave parts of tiny meshes empty: each of those gets the last element of the largest part.
void fill_empty_parts(std::vector<idx_t>& part, int parts) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(parts), 0);
  for (const idx_t p : part) ++counts[static_cast<std::size_t>(p)];
  for (std::size_t empty = 0; empty < counts.size(); ++empty) {
    if (counts[empty] > 0) continue;
    const auto largest = std::max_element(counts.begin(), counts.end());
    const auto last = std::find(part.rbegin(), part.rend(), static_cast<idx_t>(largest - counts.begin()));
    *last = static_cast<idx_t>(empty);
    --*largest;
    ++counts[empty];
  }
}

/// Divides rank 0's list into the ranks' slabs.
std::vector<std::int32_t> scatter(const std::vector<idx_t>& all, GlobalIndex count, const comm::Communicator& ranks) {
  std::vector<std::vector<std::int32_t>> out(static_cast<std::size_t>(ranks.size()));
  for (int to = 0; to < ranks.size() && ranks.rank() == 0; ++to) {
    out[static_cast<std::size_t>(to)].assign(all.begin() + slab_begin(to, ranks.size(), count),
                                             all.begin() + slab_begin(to + 1, ranks.size(), count));
  }
  return ranks.exchange(out)[0];
}

/// Small enough that METIS, which sums them in 32 bits, does not overflow.
std::vector<idx_t> scale_down(std::vector<std::int32_t> weights) {
  const auto sum = [&] { return std::accumulate(weights.begin(), weights.end(), std::int64_t{0}); };
  while (sum() > (std::int64_t{1} << 29) + static_cast<std::int64_t>(weights.size()))
    for (std::int32_t& weight : weights) weight = (weight + 2) / 3;
  return weights;
}

/// Faces of the heaviest elements cost as much as many others.
std::vector<idx_t> weigh_faces(std::span<const Neighbours> neighbours, const CutWeights& weights) {
  constexpr idx_t avoided = 20;
  const std::int32_t heaviest = *std::max_element(weights.elements.begin(), weights.elements.end());
  const auto is_heavy = [&](std::size_t e) { return weights.elements[e] == heaviest; };
  std::vector<idx_t> faces;
  for (std::size_t e = 0; e < neighbours.size(); ++e)
    for (const LocalIndex n : neighbours[e])
      if (n >= 0) faces.push_back(is_heavy(e) || is_heavy(static_cast<std::size_t>(n)) ? avoided : 1);
  return faces;
}

}  // namespace

std::vector<std::int32_t> cut_graph(std::span<const Neighbours> neighbours, int parts, const CutWeights& weights) {
  std::vector<idx_t> part(neighbours.size(), 0);
  if (parts == 1) return part;
  std::vector<idx_t> starts{0}, adjacent;
  starts.reserve(neighbours.size() + 1);
  adjacent.reserve(4 * neighbours.size());
  for (const Neighbours& element : neighbours) {
    std::copy_if(element.begin(), element.end(), std::back_inserter(adjacent), [](LocalIndex n) { return n >= 0; });
    starts.push_back(static_cast<idx_t>(adjacent.size()));
  }
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = weights.excess_permille;
  auto elements = static_cast<idx_t>(neighbours.size());
  idx_t constraints = 1, count = parts, cut = 0;
  std::vector<idx_t> of_elements = scale_down(weights.elements);
  std::vector<idx_t> of_faces;
  if (weights.keep_heaviest_inside) of_faces = weigh_faces(neighbours, weights);
  const int status = METIS_PartGraphKway(&elements, &constraints, starts.data(), adjacent.data(),
                                         of_elements.empty() ? nullptr : of_elements.data(), nullptr,
                                         of_faces.empty() ? nullptr : of_faces.data(), &count, nullptr, nullptr,
                                         options.data(), &cut, part.data());
  if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
  ensure(status == METIS_OK, "METIS partitions the dual graph");
  return part;
}

void check_rank_count(GlobalIndex element_count, int ranks) {
  if (ranks <= element_count) return;
  fail(ExitCode::usage, "{} ranks, but the mesh has only {} elements: start at most as many ranks", ranks,
       element_count);
}

std::vector<std::int32_t> partition_elements(std::span<const std::array<GlobalIndex, 4>> neighbours,
                                             GlobalIndex element_count, const comm::Communicator& ranks,
                                             const CutWeights& weights) {
  check_rank_count(element_count, ranks.size());
  if (ranks.size() == 1) return std::vector<std::int32_t>(neighbours.size(), 0);
  check_graph_size(element_count);
  std::vector<Neighbours> mine;
  mine.reserve(neighbours.size());
  for (const auto& element : neighbours) {
    auto& small = mine.emplace_back();
    for (std::size_t f = 0; f < 4; ++f) small[f] = static_cast<LocalIndex>(element[f]);
  }
  const std::vector<Neighbours> graph = ranks.gather<Neighbours>(mine);
  // the most loaded rank sets the pace; with a tolerance as small as this the cut is no longer (measured on boxes of
  // 10^6 elements)
  constexpr int excess_permille = 2;
  const CutWeights all{ranks.gather<std::int32_t>(weights.elements), weights.keep_heaviest_inside, excess_permille};
  std::vector<idx_t> part;
  ranks.agree([&] {
    if (ranks.rank() != 0) return;
    part = cut_graph(graph, ranks.size(), all);
    fill_empty_parts(part, ranks.size());
  });
  return scatter(part, element_count, ranks);
}

}  // namespace tetrawave
