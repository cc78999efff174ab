#include "fem/edge/shared_space.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "basis/functions.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::fem {

namespace {

/// Identification of a function on a face between ranks: its vertices, -1 after those of an edge, and the number of the
/// function on that edge or face.
struct Key {
  std::array<GlobalIndex, 3> vertices{-1, -1, -1};
  std::int64_t which = 0;
  [[nodiscard]] auto operator<=>(const Key& other) const = default;
};

/// A function on a face to another rank, as sent by a rank.
struct Told {
  Key key;
  std::int64_t rank = 0;
  std::int64_t value = 0;  ///< its properties, a sum of the two below; or its number
  [[nodiscard]] auto operator<=>(const Told& other) const = default;
};

constexpr std::int64_t on_metal = 1, is_wanted = 2;

std::vector<std::int64_t> places_among_equals(const std::vector<basis::Function>& functions) {
  std::vector<std::int64_t> place;
  for (std::size_t i = 0; i < functions.size(); ++i)
    place.push_back(std::count_if(functions.begin(), functions.begin() + static_cast<std::ptrdiff_t>(i),
                                  [&](const auto& other) { return other.vertices == functions[i].vertices; }));
  return place;
}

/// Unknowns on faces to other ranks.
std::map<Key, std::int32_t> list_shared(const EdgeSpace& space, const LocalMesh& mesh) {
  const auto functions = basis::functions_of(space.space);
  const auto place = places_among_equals(functions);
  const auto& reference = basis::reference_element(space.space);
  std::map<Key, std::int32_t> shared;
  for (const HaloPeer& peer : mesh.peers)
    for (const HaloFace& at : peer.faces) {
      const auto e = static_cast<std::size_t>(at.element);
      for (const std::size_t i : reference.on_face[at.face]) {
        Key key{{-1, -1, -1}, place[i]};
        for (std::size_t v = 0; v < functions[i].vertices.size(); ++v)
          key.vertices[v] = mesh.vertices[e][static_cast<std::size_t>(functions[i].vertices[v])];
        shared.emplace(key, space.of(e)[i]);
      }
    }
  return shared;
}

/// The functions of this rank's elements, as unknowns of a space without fixed ones.
struct RankFunctions {
  EdgeSpace all;
  std::vector<bool> is_fixed;  ///< per unknown: on metal, or without a trace on the faces to which the space is limited
  std::vector<bool> is_own;    ///< per unknown: no lower rank has it
  std::map<Key, std::int32_t> shared;  ///< unknowns on faces to other ranks
};

/// From the rank's own faces alone. `told`: the properties of shared unknowns.
RankFunctions list_functions(Space space, const LocalMesh& mesh, std::span<const ElementFace> metal,
                             const std::vector<ElementFace>* only, int rank, int threads, std::vector<Told>& told) {
  RankFunctions mine;
  mine.all = number_unknowns(space, mesh.vertices, {}, threads);
  mine.is_fixed = find_fixed(mine.all, metal);
  mine.is_own.assign(mine.is_fixed.size(), true);
  mine.shared = list_shared(mine.all, mesh);
  const auto wanted = only == nullptr ? std::vector<bool>(mine.is_fixed.size(), true) : find_fixed(mine.all, *only);
  for (const auto& [key, unknown] : mine.shared) {
    const auto u = static_cast<std::size_t>(unknown);
    told.push_back({key, rank, (mine.is_fixed[u] ? on_metal : 0) | (wanted[u] ? is_wanted : 0)});
  }
  for (std::size_t u = 0; u < wanted.size(); ++u) mine.is_fixed[u] = mine.is_fixed[u] || !wanted[u];
  return mine;
}

/// What all ranks have told about this rank's shared unknowns.
void take_properties(const std::vector<Told>& sorted, int rank, RankFunctions& mine) {
  for (std::size_t first = 0, last = 0; first < sorted.size(); first = last) {
    std::int64_t any = 0;
    for (last = first; last < sorted.size() && sorted[last].key == sorted[first].key; ++last) any |= sorted[last].value;
    const auto found = mine.shared.find(sorted[first].key);
    if (found == mine.shared.end()) continue;
    const auto unknown = static_cast<std::size_t>(found->second);
    mine.is_fixed[unknown] = (any & on_metal) != 0 || (any & is_wanted) == 0;
    mine.is_own[unknown] = sorted[first].rank == rank;
  }
}

/// Numbers the unknowns that are not fixed: own ones in their order, then asks the owners for the others.
SharedRows number_rows(const RankFunctions& mine, const comm::Communicator& ranks) {
  const std::size_t size = mine.is_fixed.size();
  const auto is_counted = [&mine](std::size_t u) { return mine.is_own[u] && !mine.is_fixed[u]; };
  std::int64_t count = 0;
  for (std::size_t u = 0; u < size; ++u) count += is_counted(u) ? 1 : 0;
  const auto counts = ranks.all_gather(std::span<const std::int64_t>(&count, 1));
  if (std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) > std::numeric_limits<std::int32_t>::max())
    fail(ExitCode::bad_case, "the finite elements have more than 2^31 unknowns: use a coarser mesh");
  SharedRows rows{ranks, {0}, {}};
  for (const std::int64_t of_rank : counts)
    rows.first.push_back(rows.first.back() + static_cast<std::int32_t>(of_rank));
  std::vector<std::int32_t> number(size, EdgeSpace::fixed);
  std::int32_t next = rows.begin();
  for (std::size_t u = 0; u < size; ++u)
    if (is_counted(u)) number[u] = next++;
  std::vector<Told> told;
  for (const auto& [key, unknown] : mine.shared)
    if (const auto u = static_cast<std::size_t>(unknown); is_counted(u)) told.push_back({key, ranks.rank(), number[u]});
  for (const Told& one : ranks.all_gather(std::span<const Told>(told)))
    if (const auto found = mine.shared.find(one.key); found != mine.shared.end())
      number[static_cast<std::size_t>(found->second)] = static_cast<std::int32_t>(one.value);
  for (std::size_t u = 0; u < size; ++u)
    if (!mine.is_fixed[u]) rows.number.push_back(number[u]);
  return rows;
}

}  // namespace

SharedSpace number_shared_unknowns(Space space, const LocalMesh& mesh, std::span<const ElementFace> metal,
                                   const comm::Communicator& ranks, const std::vector<ElementFace>* only, int threads) {
  RankFunctions mine;
  std::vector<Told> told;
  ranks.agree([&] { mine = list_functions(space, mesh, metal, only, ranks.rank(), threads, told); });
  told = ranks.all_gather(std::span<const Told>(told));
  std::sort(told.begin(), told.end());
  take_properties(told, ranks.rank(), mine);
  SharedRows rows = number_rows(mine, ranks);
  return {fix_unknowns(std::move(mine.all), mine.is_fixed, threads), std::move(rows)};
}

}  // namespace tetrawave::fem
