#include "fem/parts/mesh_parts.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>

#include "base/parallel.hpp"
#include "base/vertex_marks.hpp"

namespace tetrawave::fem {

namespace {

class PartFinder {
 public:
  PartFinder(const LocalMesh& mesh, const EdgeSpace& space, const CellLabels& labels, const MeshTerms& terms,
             int threads)
      : mesh_(mesh), space_(space), labels_(labels), terms_(terms), threads_(threads), elements_(labels.at.size()) {
    list_walls();
    list_elements();
    find_owners();
  }

  [[nodiscard]] MeshParts find() const {
    std::map<std::int32_t, std::size_t> first_of_kind;
    std::vector<std::size_t> first(elements_.size());
    for (std::size_t cell = 0; cell < first.size(); ++cell)
      first[cell] = first_of_kind.try_emplace(labels_.kind[cell], cell).first->second;
    MeshParts result;
    result.parts.resize(first.size());
    std::vector<std::size_t> originals;
    for (const auto& [kind, cell] : first_of_kind) originals.push_back(cell);
    add_kinds(originals, result);
    std::vector<char> is_copy(first.size(), 1);
    for_each_task(first.size(), threads_, [&](std::size_t cell) {
      MeshPart& part = result.parts[cell];
      part.kind = result.parts[first[cell]].kind;
      if (first[cell] != cell) is_copy[cell] = fit(cell, result.kinds[part.kind], part) ? 1 : 0;
    });
    originals.clear();
    for (std::size_t cell = 0; cell < first.size(); ++cell)
      if (is_copy[cell] == 0) originals.push_back(cell);
    add_kinds(originals, result);
    for_each_task(first.size(), threads_, [&](std::size_t cell) { list_own(cell, result.parts[cell]); });
    return result;
  }

 private:
  using VertexCell = std::pair<GlobalIndex, std::int32_t>;

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  void list_walls() {
    first_wall_.assign(mesh_.vertices.size() + 1, 0);
    for (const auto& [element, face] : terms_.walls) ++first_wall_[at(element) + 1];
    for (std::size_t e = 0; e < mesh_.vertices.size(); ++e) first_wall_[e + 1] += first_wall_[e];
    wall_numbers_.resize(terms_.walls.size());
    std::vector<std::size_t> next(first_wall_.begin(), first_wall_.end() - 1);
    for (std::size_t w = 0; w < terms_.walls.size(); ++w) wall_numbers_[next[at(terms_.walls[w].first)]++] = w;
  }

  /// Vertices on faces between cells with all cells that have them, sorted.
  [[nodiscard]] std::vector<VertexCell> find_shared_vertices() const {
    const std::size_t count = mesh_.vertices.size(), ranges = count_ranges(count, threads_);
    std::vector<std::vector<VertexCell>> found(ranges);
    for_ranges(count, ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
      for (std::size_t e = first; e < last; ++e)
        for (std::size_t f = 0; f < 4; ++f) {
          const LocalIndex other = mesh_.neighbour[e][f];
          if (other < 0 || labels_.cell[at(other)] == labels_.cell[e]) continue;
          for (std::size_t v = 0; v < 4; ++v)
            if (v != f) found[range].emplace_back(mesh_.vertices[e][v], labels_.cell[e]);
        }
      std::sort(found[range].begin(), found[range].end());
      found[range].erase(std::unique(found[range].begin(), found[range].end()), found[range].end());
    });
    std::vector<VertexCell> all;
    for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  /// The elements of every part: those of its cell by their places, then those around it by the places of their cells
  /// and theirs.
  void list_elements() {
    const std::vector<VertexCell> shared = find_shared_vertices();
    const VertexMarks is_shared(std::views::keys(shared));
    const std::size_t count = mesh_.vertices.size(), ranges = count_ranges(count, threads_);
    std::vector<std::vector<std::vector<LocalIndex>>> of_range(ranges);  // per cell
    for_ranges(count, ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
      std::vector<std::vector<LocalIndex>> found(elements_.size());
      std::vector<std::int32_t> cells;
      for (std::size_t e = first; e < last; ++e) {
        cells.clear();
        for (const GlobalIndex vertex : mesh_.vertices[e]) {
          if (!is_shared.has(vertex)) continue;
          for (auto other = std::lower_bound(shared.begin(), shared.end(), VertexCell{vertex, 0});
               other != shared.end() && other->first == vertex; ++other)
            if (other->second != labels_.cell[e]) cells.push_back(other->second);
        }
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        cells.push_back(labels_.cell[e]);
        for (const std::int32_t cell : cells) found[at(cell)].push_back(static_cast<LocalIndex>(e));
      }
      of_range[range] = std::move(found);
    });
    for_each_task(elements_.size(), threads_, [&](std::size_t cell) {
      std::vector<std::tuple<bool, std::int64_t, std::int64_t, GlobalIndex, LocalIndex>> placed;
      const auto& own = labels_.at[cell];
      for (const auto& some : of_range)
        for (const LocalIndex element : some[cell]) {
          const auto of = at(labels_.cell[at(element)]);
          const auto& place = labels_.at[of];
          placed.emplace_back(of != cell, place[0] - own[0], place[1] - own[1], labels_.place[at(element)], element);
        }
      std::sort(placed.begin(), placed.end());
      for (const auto& one : placed) elements_[cell].push_back(std::get<LocalIndex>(one));
    });
  }

  /// The lowest cell that has an unknown in its own elements.
  void find_owners() {
    owner_.assign(at(space_.unknowns), std::numeric_limits<std::int32_t>::max());
    for_each_index(mesh_.vertices.size(), threads_, [this](std::size_t e) {
      for (const std::int32_t u : space_.of(e)) {
        if (u == EdgeSpace::fixed) continue;
        std::atomic_ref owner(owner_[at(u)]);
        std::int32_t before = owner.load(std::memory_order_relaxed);
        while (labels_.cell[e] < before &&
               !owner.compare_exchange_weak(before, labels_.cell[e], std::memory_order_relaxed)) {
        }
      }
    });
  }

  void add_kinds(const std::vector<std::size_t>& cells, MeshParts& result) const {
    const std::size_t before = result.kinds.size();
    result.kinds.resize(before + cells.size());
    for_each_task(cells.size(), threads_, [&](std::size_t k) {
      result.parts[cells[k]].kind = before + k;
      make_kind(cells[k], result.kinds[before + k], result.parts[cells[k]]);
    });
  }

  void make_kind(std::size_t cell, PartKind& kind, MeshPart& part) const {
    part.unknowns.clear();  // of a copy that did not fit
    kind.elements = elements_[cell];
    for (const LocalIndex element : kind.elements) kind.corners.push_back(mesh_.corners[at(element)]);
    number_unknowns_of(kind, part);
    for (std::size_t k = 0; k < kind.elements.size(); ++k)
      for_walls(kind.elements[k], [&](std::size_t w) {
        kind.walls.emplace_back(static_cast<LocalIndex>(k), terms_.walls[w].second);
        kind.wall_numbers.push_back(w);
      });
    std::vector<LocalIndex> inside = kind.elements;
    std::sort(inside.begin(), inside.end());
    for (std::size_t k = 0; k < kind.elements.size(); ++k) {
      const auto e = at(kind.elements[k]);
      if (at(labels_.cell[e]) == cell) continue;
      for (std::uint8_t f = 0; f < 4; ++f)
        if (mesh_.neighbour[e][f] >= 0 && !std::binary_search(inside.begin(), inside.end(), mesh_.neighbour[e][f]))
          kind.ends.emplace_back(static_cast<LocalIndex>(k), f);
    }
  }

  void number_unknowns_of(PartKind& kind, MeshPart& part) const {
    const std::size_t n = space_.functions;
    std::vector<std::pair<std::int32_t, std::int32_t>> seen;  // unknown, and where
    kind.space.space = space_.space;
    kind.space.functions = n;
    kind.space.unknown.assign(kind.elements.size() * n, EdgeSpace::fixed);
    for (std::size_t k = 0; k < kind.elements.size(); ++k)
      for (std::size_t i = 0; i < n; ++i)
        if (const std::int32_t u = space_.of(at(kind.elements[k]))[i]; u != EdgeSpace::fixed)
          seen.emplace_back(u, static_cast<std::int32_t>(k * n + i));
    std::sort(seen.begin(), seen.end());
    std::vector<std::int32_t>& unknown = kind.space.unknown;  // first: where an unknown is met first
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const bool is_known = k > 0 && seen[k].first == seen[k - 1].first;
      unknown[at(seen[k].second)] = is_known ? unknown[at(seen[k - 1].second)] : seen[k].second;
    }
    for (std::size_t place = 0; place < unknown.size(); ++place) {
      if (unknown[place] == EdgeSpace::fixed) continue;
      const auto first = at(unknown[place]);
      unknown[place] = first < place ? unknown[first] : kind.space.unknowns++;
      if (first == place) part.unknowns.push_back(space_.of(at(kind.elements[place / n]))[place % n]);
    }
    std::vector<std::int32_t> vertices;
    for (const std::int32_t u : part.unknowns) vertices.push_back(space_.vertex[at(u)]);
    kind.space.vertex = vertices;
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    for (std::int32_t& v : kind.space.vertex)
      v = static_cast<std::int32_t>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  }

  template <class Use>
  void for_walls(LocalIndex element, const Use& use) const {
    for (std::size_t k = first_wall_[at(element)]; k < first_wall_[at(element) + 1]; ++k) use(wall_numbers_[k]);
  }

  /// Whether the part of a cell is a copy; then with its unknowns.
  [[nodiscard]] bool fit(std::size_t cell, const PartKind& kind, MeshPart& part) const {
    const std::vector<LocalIndex>& own = elements_[cell];
    if (own.size() != kind.elements.size() || !has_same_shape(own, kind) || !has_same_walls(own, kind)) return false;
    const std::size_t n = space_.functions;
    part.unknowns.assign(at(kind.space.unknowns), EdgeSpace::fixed);
    for (std::size_t k = 0; k < own.size(); ++k)
      for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t here = space_.of(at(own[k]))[i], number = kind.space.unknown[k * n + i];
        if ((here == EdgeSpace::fixed) != (number == EdgeSpace::fixed)) return false;
        if (number == EdgeSpace::fixed) continue;
        std::int32_t& known = part.unknowns[at(number)];
        if (known != EdgeSpace::fixed && known != here) return false;
        known = here;
      }
    std::vector<std::int32_t> sorted = part.unknowns;  // one for each
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  }

  static constexpr double tolerance = 1e-9;

  [[nodiscard]] bool has_same_shape(const std::vector<LocalIndex>& own, const PartKind& kind) const {
    const Vec3 shift = mesh_.corners[at(own.front())][0] - kind.corners.front()[0];
    for (std::size_t k = 0; k < own.size(); ++k) {
      const auto& corners = mesh_.corners[at(own[k])];
      const double size = norm(kind.corners[k][1] - kind.corners[k][0]);
      for (std::size_t v = 0; v < 4; ++v)
        if (norm(corners[v] - kind.corners[k][v] - shift) > tolerance * (size + norm(shift))) return false;
      if (terms_.media[at(own[k])] != terms_.media[at(kind.elements[k])]) return false;
    }
    return true;
  }

  [[nodiscard]] bool has_same_walls(const std::vector<LocalIndex>& own, const PartKind& kind) const {
    std::size_t next = 0;
    bool same = true;
    for (std::size_t k = 0; k < own.size(); ++k)
      for_walls(own[k], [&](std::size_t w) {
        same = same && next < kind.walls.size() &&
               kind.walls[next] == ElementFace(static_cast<LocalIndex>(k), terms_.walls[w].second);
        if (!same) return;
        const Complex wanted = terms_.wall_factors[kind.wall_numbers[next++]];
        same = std::abs(terms_.wall_factors[w] - wanted) <= tolerance * std::abs(wanted);
      });
    return same && next == kind.walls.size();
  }

  void list_own(std::size_t cell, MeshPart& part) const {
    for (std::size_t k = 0; k < part.unknowns.size(); ++k)
      if (at(owner_[at(part.unknowns[k])]) == cell) part.own.push_back(static_cast<std::int32_t>(k));
  }

  const LocalMesh& mesh_;
  const EdgeSpace& space_;
  const CellLabels& labels_;
  MeshTerms terms_;
  int threads_;
  std::vector<std::vector<LocalIndex>> elements_;  ///< per cell: of its part
  std::vector<std::size_t> first_wall_;            ///< per element, into wall_numbers_
  std::vector<std::size_t> wall_numbers_;
  std::vector<std::int32_t> owner_;  ///< per unknown
};

}  // namespace

std::int32_t MeshParts::largest() const {
  std::int32_t most = 0;
  for (const PartKind& kind : kinds) most = std::max(most, kind.space.unknowns);
  return most;
}

CellLabels label_cells(const LocalMesh& mesh, const ArrayGrid& grid, const ArrayNumbers& elements, int threads) {
  constexpr std::int64_t many = 6;  // cells across: pairs of them are one part, as iterations grow with the parts
  using Pair = std::array<std::int64_t, 2>;
  const Pair cells{grid.size[0] + 2, grid.size[1] + 2};
  const Pair width{cells[0] > many ? 2 : 1, cells[1] > many ? 2 : 1};
  const Pair blocks{(cells[0] + width[0] - 1) / width[0], (cells[1] + width[1] - 1) / width[1]};
  const std::size_t count = mesh.global_id.size();
  CellLabels labels{std::vector<std::int32_t>(count), std::vector<GlobalIndex>(count), {}, {}};
  for_each_index(count, threads, [&](std::size_t e) {
    const std::int64_t number = elements.cell_of(mesh.global_id[e]);
    const ArrayGrid::Cell cell = grid.cell(number);
    labels.cell[e] = static_cast<std::int32_t>(cell.column / width[0] * blocks[1] + cell.row / width[1]);
    labels.place[e] = (cell.column % width[0] * width[1] + cell.row % width[1]) * elements.total() + mesh.global_id[e] -
                      elements.first(number);
  });
  // The unit cells of a block along an axis and those on either side of it.
  const auto kind = [&](std::size_t axis, std::int64_t block) {
    std::int32_t code = 0;
    for (std::int64_t k = block * width[axis] - 1; k <= (block + 1) * width[axis]; ++k)
      code = 4 * code + (k < 0 || k >= cells[axis] ? 3 : static_cast<std::int32_t>(grid.kind(axis, k)));
    return code;
  };
  for (std::int64_t column = 0; column < blocks[0]; ++column)
    for (std::int64_t row = 0; row < blocks[1]; ++row) {
      labels.at.push_back({column, row});
      labels.kind.push_back(256 * kind(0, column) + kind(1, row));
    }
  return labels;
}

MeshParts find_parts(const LocalMesh& mesh, const EdgeSpace& space, const CellLabels& labels, const MeshTerms& terms,
                     int threads) {
  return PartFinder(mesh, space, labels, terms, threads).find();
}

}  // namespace tetrawave::fem
