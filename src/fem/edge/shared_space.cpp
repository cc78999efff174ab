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
  std::int64_t value = 0;  ///< its properties, the two below; later its number
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

}  // namespace

SharedSpace number_shared_unknowns(Space space, const LocalMesh& mesh, std::span<const ElementFace> metal,
                                   const comm::Communicator& ranks, const std::vector<ElementFace>* only, int threads) {
  EdgeSpace all;
  std::vector<bool> fixed, wanted;
  std::map<Key, std::int32_t> shared;
  std::vector<Told> told;
  ranks.agree([&] {
    all = number_unknowns(space, mesh.vertices, {}, threads);
    fixed = find_fixed(all, metal);
    wanted = only == nullptr ? std::vector<bool>(fixed.size(), true) : find_fixed(all, *only);
    shared = list_shared(all, mesh);
    for (const auto& [key, unknown] : shared)
      told.push_back({key, ranks.rank(),
                      (fixed[static_cast<std::size_t>(unknown)] ? on_metal : 0) |
                          (wanted[static_cast<std::size_t>(unknown)] ? is_wanted : 0)});
  });
  told = ranks.all_gather(std::span<const Told>(told));
  std::sort(told.begin(), told.end());
  if (ranks.size() == 1) {
    for (std::size_t u = 0; u < fixed.size() && only != nullptr; ++u) fixed[u] = fixed[u] || !wanted[u];
    SharedSpace result{fix_unknowns(std::move(all), fixed, threads), {}};
    result.rows.ranks = ranks;
    result.rows.first = {0, result.own.unknowns};
    result.rows.number.resize(static_cast<std::size_t>(result.own.unknowns));
    std::iota(result.rows.number.begin(), result.rows.number.end(), 0);
    return result;
  }
  std::vector<bool> is_own(fixed.size(), true);
  for (std::size_t first = 0, last = 0; first < told.size(); first = last) {
    std::int64_t any = 0;
    for (last = first; last < told.size() && told[last].key == told[first].key; ++last) any |= told[last].value;
    const auto found = shared.find(told[first].key);
    if (found == shared.end()) continue;
    const auto unknown = static_cast<std::size_t>(found->second);
    fixed[unknown] = (any & on_metal) != 0;
    wanted[unknown] = (any & is_wanted) != 0;
    is_own[unknown] = told[first].rank == ranks.rank();
  }

  for (std::size_t u = 0; u < fixed.size(); ++u) fixed[u] = fixed[u] || !wanted[u];

  SharedSpace result;
  std::vector<std::int32_t> number(fixed.size(), EdgeSpace::fixed);
  std::int64_t count = 0;
  for (std::size_t u = 0; u < fixed.size(); ++u) count += is_own[u] && !fixed[u] ? 1 : 0;
  const auto counts = ranks.all_gather(std::span<const std::int64_t>(&count, 1));
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (total > std::numeric_limits<std::int32_t>::max())
    fail(ExitCode::bad_case, "the finite elements have more than 2^31 unknowns: use a coarser mesh");
  result.rows.ranks = ranks;
  result.rows.first = {0};
  for (const std::int64_t of_rank : counts)
    result.rows.first.push_back(result.rows.first.back() + static_cast<std::int32_t>(of_rank));
  std::int32_t next = result.rows.begin();
  for (std::size_t u = 0; u < fixed.size(); ++u)
    if (is_own[u] && !fixed[u]) number[u] = next++;
  std::vector<Told> numbers;
  for (const auto& [key, unknown] : shared)
    if (const auto u = static_cast<std::size_t>(unknown); is_own[u] && !fixed[u])
      numbers.push_back({key, ranks.rank(), number[u]});
  for (const Told& one : ranks.all_gather(std::span<const Told>(numbers)))
    if (const auto found = shared.find(one.key); found != shared.end())
      number[static_cast<std::size_t>(found->second)] = static_cast<std::int32_t>(one.value);
  for (std::size_t u = 0; u < fixed.size(); ++u)
    if (!fixed[u]) result.rows.number.push_back(number[u]);
  result.own = fix_unknowns(std::move(all), fixed, threads);
  return result;
}

}  // namespace tetrawave::fem
