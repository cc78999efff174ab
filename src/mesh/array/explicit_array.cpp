// An array as a plain mesh: cells are placed one after the other, and nodes at the same position are merged. Shares no
// numbering code with make_array_slab, which it tests.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.hpp"
#include "mesh/array/array_mesh.hpp"
#include "mesh/hash.hpp"

namespace tetrawave {

namespace {

class Assembler {
 public:
  Assembler(const UnitCells& cells, const ArrayGrid& grid, const std::vector<std::string>& split_groups)
      : cells_(cells), grid_(grid), split_groups_(split_groups) {
    mesh_.source = cells.mesh.source;
    mesh_.region_names = cells.mesh.region_names;
    mesh_.group_names = cells.mesh.group_names;
    width_m_ = 1e-6 * std::max(cells.pitch_m(0), cells.pitch_m(1));
  }

  WholeMesh run() {
    for (std::int64_t column = 0; column < grid_.size[0] + 2; ++column)
      for (std::int64_t row = 0; row < grid_.size[1] + 2; ++row) place_cell({column, row});
    return std::move(mesh_);
  }

 private:
  void place_cell(const ArrayGrid::Cell& cell) {
    const std::size_t kind = 3 * grid_.kind(0, cell.column) + grid_.kind(1, cell.row);
    const MeshSlab& unit = cells_.mesh;
    std::vector<GlobalIndex> number(unit.nodes.size(), -1);
    for (std::size_t e = 0; e < unit.elements.size(); ++e)
      if (cells_.element_cell[e] == kind)
        for (const GlobalIndex node : unit.elements[e]) number[static_cast<std::size_t>(node)] = 0;
    const Vec3 shift = grid_.shift(cell);
    for (std::size_t n = 0; n < number.size(); ++n)
      if (number[n] == 0) number[n] = place_node(unit.nodes[n] + shift);
    for (std::size_t e = 0; e < unit.elements.size(); ++e) {
      if (cells_.element_cell[e] != kind) continue;
      for (const GlobalIndex node : unit.elements[e]) mesh_.elements.push_back(number[static_cast<std::size_t>(node)]);
      mesh_.region.push_back(unit.region[e]);
    }
    for (std::size_t f = 0; f < unit.faces.size(); ++f) {
      if (cells_.face_cell[f] != kind) continue;
      for (const GlobalIndex node : unit.faces[f]) mesh_.faces.push_back(number[static_cast<std::size_t>(node)]);
      mesh_.face_group.push_back(group_of(unit.face_group[f], cell));
    }
  }

  using Bucket = std::array<std::int64_t, 3>;
  static std::uint64_t key(const Bucket& bucket) { return hash_words(bucket[0], bucket[1], bucket[2]); }

  /// The node at this position, a new one if there is none.
  GlobalIndex place_node(const Vec3& place) {
    Bucket here{};
    for (std::size_t axis = 0; axis < 3; ++axis) here[axis] = std::llround(place[axis] / (4 * width_m_));
    for (std::int64_t n = 0; n < 27; ++n) {
      const auto [first, last] =
          buckets_.equal_range(key({here[0] + n % 3 - 1, here[1] + n / 3 % 3 - 1, here[2] + n / 9 - 1}));
      for (auto it = first; it != last; ++it)
        if (norm(mesh_.nodes[static_cast<std::size_t>(it->second)] - place) <= width_m_) return it->second;
    }
    const auto number = static_cast<GlobalIndex>(mesh_.nodes.size());
    mesh_.nodes.push_back(place);
    buckets_.emplace(key(here), number);
    return number;
  }

  /// The group in the array, specific to the cell if groups are split.
  std::int32_t group_of(std::int32_t group, const ArrayGrid::Cell& cell) {
    const std::string& name = cells_.mesh.group_names[static_cast<std::size_t>(group)];
    if (std::find(split_groups_.begin(), split_groups_.end(), name) == split_groups_.end()) return group;
    const std::string own = tetrawave::format("{}.{}.{}", name, cell.column - 1, cell.row - 1);
    const auto [found, is_new] = own_groups_.emplace(own, static_cast<std::int32_t>(mesh_.group_names.size()));
    if (is_new) mesh_.group_names.push_back(own);
    return found->second;
  }

  const UnitCells& cells_;
  const ArrayGrid& grid_;
  const std::vector<std::string>& split_groups_;
  WholeMesh mesh_;
  double width_m_ = 0;
  std::unordered_multimap<std::uint64_t, GlobalIndex> buckets_;
  std::unordered_map<std::string, std::int32_t> own_groups_;
};

}  // namespace

WholeMesh make_explicit_array(const UnitCells& cells, const ArrayGrid& grid,
                              const std::vector<std::string>& split_groups) {
  return Assembler(cells, grid, split_groups).run();
}

}  // namespace tetrawave
