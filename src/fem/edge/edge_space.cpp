#include "fem/edge/edge_space.hpp"

#include <limits>
#include <unordered_map>

#include "base/error.hpp"
#include "basis/functions.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::fem {

namespace {

/// Vertices of an edge or a face; -1 after them.
using Entity = std::array<GlobalIndex, 3>;

struct HashEntity {
  std::size_t operator()(const Entity& entity) const {
    std::uint64_t hash = 0;
    for (const GlobalIndex vertex : entity) {
      hash = (hash ^ static_cast<std::uint64_t>(vertex)) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 29U;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// The functions of an element that belong to one edge, one face or its inside.
struct FunctionGroup {
  std::vector<int> vertices;
  std::vector<std::size_t> functions;
};

std::vector<FunctionGroup> group_functions(Space space) {
  std::vector<FunctionGroup> groups;
  const auto functions = basis::functions_of(space);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    std::size_t g = 0;
    while (g < groups.size() && groups[g].vertices != functions[i].vertices) ++g;
    if (g == groups.size()) groups.push_back({functions[i].vertices, {}});
    groups[g].functions.push_back(i);
  }
  return groups;
}

class Numbering {
 public:
  explicit Numbering(Space space) : groups_(group_functions(space)) {}

  void number(const std::array<GlobalIndex, 4>& vertices, std::int32_t* unknown) {
    for (const FunctionGroup& group : groups_) {
      std::int64_t first = next_;
      const auto count = static_cast<std::int64_t>(group.functions.size());
      if (group.vertices.size() < 4) {
        Entity entity{-1, -1, -1};
        for (std::size_t v = 0; v < group.vertices.size(); ++v)
          entity[v] = vertices[static_cast<std::size_t>(group.vertices[v])];
        first = known_.try_emplace(entity, next_).first->second;
      }
      if (first == next_) next_ += count;
      if (next_ > std::numeric_limits<std::int32_t>::max())
        fail(ExitCode::bad_case, "the finite elements have more than 2^31 unknowns: use a coarser mesh");
      for (std::size_t k = 0; k < group.functions.size(); ++k)
        unknown[group.functions[k]] = static_cast<std::int32_t>(first + static_cast<std::int64_t>(k));
    }
  }
  [[nodiscard]] std::int64_t count() const { return next_; }

 private:
  std::vector<FunctionGroup> groups_;
  std::unordered_map<Entity, std::int64_t, HashEntity> known_;
  std::int64_t next_ = 0;
};

}  // namespace

EdgeSpace fix_unknowns(EdgeSpace space, const std::vector<bool>& fixed) {
  std::vector<std::int32_t> free(fixed.size(), EdgeSpace::fixed);
  space.unknowns = 0;
  for (std::size_t u = 0; u < fixed.size(); ++u)
    if (!fixed[u]) free[u] = space.unknowns++;
  for (std::int32_t& number : space.unknown) number = free[static_cast<std::size_t>(number)];
  return space;
}

std::vector<bool> find_fixed(const EdgeSpace& space, std::span<const ElementFace> metal) {
  std::vector<bool> fixed(static_cast<std::size_t>(space.unknowns), false);
  const auto& reference = basis::reference_element(space.space);
  for (const auto& [element, face] : metal)
    for (const std::size_t i : reference.on_face[face])
      fixed[static_cast<std::size_t>(space.of(static_cast<std::size_t>(element))[i])] = true;
  return fixed;
}

EdgeSpace number_unknowns(Space space, std::span<const std::array<GlobalIndex, 4>> vertices,
                          std::span<const ElementFace> metal) {
  EdgeSpace result;
  result.space = space;
  result.functions = basis::reference_element(space).dofs;
  result.unknown.resize(vertices.size() * result.functions);
  Numbering numbering(space);
  for (std::size_t e = 0; e < vertices.size(); ++e)
    numbering.number(vertices[e], result.unknown.data() + e * result.functions);
  result.unknowns = static_cast<std::int32_t>(numbering.count());
  return metal.empty() ? result : fix_unknowns(result, find_fixed(result, metal));
}

}  // namespace tetrawave::fem
