#include "mesh/array/array_mesh.hpp"

#include <algorithm>
#include <numeric>

#include "base/copy_on_threads.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "mesh/slab_range.hpp"

namespace tetrawave {

namespace {

/// Global numbers of nodes.
class ArrayNodes {
 public:
  ArrayNodes(const UnitCells& cells, const ArrayGrid& grid)
      : cells_(cells), grid_(grid), numbers_(number_nodes(cells, grid)) {}

  [[nodiscard]] const ArrayNumbers& numbers() const { return numbers_; }

  /// Global number of a node from an element of a cell.
  [[nodiscard]] GlobalIndex of(const ArrayGrid::Cell& cell, const CellNode& node) const {
    const ArrayGrid::Cell owner{cell.column - node.back[0], cell.row - node.back[1]};
    return numbers_.first(owner) + grid_.unit(cells_, owner).place[static_cast<std::size_t>(node.folded)];
  }
  template <std::size_t N>
  [[nodiscard]] std::array<GlobalIndex, N> of(const ArrayGrid::Cell& cell, const std::array<CellNode, N>& nodes) const {
    std::array<GlobalIndex, N> result{};
    for (std::size_t v = 0; v < N; ++v) result[v] = of(cell, nodes[v]);
    return result;
  }

 private:
  const UnitCells& cells_;
  const ArrayGrid& grid_;
  ArrayNumbers numbers_;
};

/// Calls visit(cell, item, place) for the items [begin, end) of the array: the item's number in its cell, and its index
/// in the slab.
template <class Visit>
void visit_items(const ArrayGrid& grid, const ArrayNumbers& numbers, GlobalIndex begin, GlobalIndex end, int threads,
                 const Visit& visit) {
  if (begin == end) return;
  const std::int64_t first_cell = numbers.cell_of(begin), last_cell = numbers.cell_of(end - 1);
  const auto cells = static_cast<std::size_t>(last_cell - first_cell + 1);
  const std::size_t ranges = count_ranges(cells, static_cast<std::size_t>(end - begin), threads);
  for_ranges(cells, ranges, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      const std::int64_t number = first_cell + static_cast<std::int64_t>(c);
      const ArrayGrid::Cell cell = grid.cell(number);
      const GlobalIndex cell_begin = numbers.first(cell);
      const GlobalIndex low = std::max(begin, cell_begin), high = std::min(end, numbers.first(number + 1));
      for (GlobalIndex item = low; item < high; ++item)
        visit(number, cell, static_cast<std::size_t>(item - cell_begin), static_cast<std::size_t>(item - begin));
    }
  });
}

struct Range {
  GlobalIndex first;
  GlobalIndex last;
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(last - first); }
};

Range cut_slab(int rank, int ranks, GlobalIndex count) {
  return {slab_begin(rank, ranks, count), slab_begin(rank + 1, ranks, count)};
}

void add_nodes(MeshSlab& slab, const UnitCells& cells, const ArrayGrid& grid, const ArrayNumbers& numbers, Range range,
               int threads) {
  slab.node_count = numbers.total();
  slab.first_node = range.first;
  resize_on_threads(slab.nodes, range.size(), threads);
  visit_items(grid, numbers, range.first, range.last, threads,
              [&](std::int64_t, const ArrayGrid::Cell& cell, std::size_t item, std::size_t place) {
                const std::int32_t node = grid.unit(cells, cell).own[item];
                slab.nodes[place] = cells.mesh.nodes[static_cast<std::size_t>(node)] + grid.shift(cell);
              });
}

void add_elements(MeshSlab& slab, const UnitCells& cells, const ArrayGrid& grid, const ArrayNodes& nodes,
                  const std::vector<std::int32_t>& owners, Range range, const ArrayNumbers& numbers, int threads) {
  slab.element_count = numbers.total();
  slab.first_element = range.first;
  resize_on_threads(slab.elements, range.size(), threads);
  resize_on_threads(slab.region, range.size(), threads);
  visit_items(grid, numbers, range.first, range.last, threads,
              [&](std::int64_t number, const ArrayGrid::Cell& cell, std::size_t item, std::size_t place) {
                const UnitCell& unit = grid.unit(cells, cell);
                slab.elements[place] = nodes.of(cell, unit.elements[item]);
                slab.region[place] = unit.region[item];
                if (!slab.owner.empty()) slab.owner[place] = owners[static_cast<std::size_t>(number)];
              });
}

void add_faces(MeshSlab& slab, const UnitCells& cells, const ArrayGrid& grid, const ArrayNodes& nodes, int rank,
               int ranks, int threads) {
  const ArrayNumbers numbers = number_faces(cells, grid);
  slab.face_count = numbers.total();
  const Range range = cut_slab(rank, ranks, slab.face_count);
  resize_on_threads(slab.faces, range.size(), threads);
  resize_on_threads(slab.face_group, range.size(), threads);
  visit_items(grid, numbers, range.first, range.last, threads,
              [&](std::int64_t, const ArrayGrid::Cell& cell, std::size_t item, std::size_t place) {
                const UnitCell& unit = grid.unit(cells, cell);
                slab.faces[place] = nodes.of(cell, unit.faces[item]);
                slab.face_group[place] = unit.face_group[item];
              });
}

/// Cells to be distributed among ranks.
class Bisection {
 public:
  Bisection(const ArrayGrid& grid, std::vector<std::int64_t> weights)
      : grid_(grid), weights_(std::move(weights)), owner_(weights_.size(), 0) {}

  std::vector<std::int32_t> run(int ranks) {
    std::vector<std::int64_t> all(weights_.size());
    std::iota(all.begin(), all.end(), std::int64_t{0});
    cut(std::move(all), 0, ranks);
    return std::move(owner_);
  }

 private:
  void cut(std::vector<std::int64_t> cells, int first, int ranks) {
    if (ranks == 1) {
      for (const std::int64_t cell : cells) owner_[static_cast<std::size_t>(cell)] = first;
      return;
    }
    sort_along_longer_side(cells);
    const int low_ranks = ranks / 2;
    const auto middle = find_cut(cells, low_ranks, ranks);
    cut({cells.begin(), cells.begin() + middle}, first, low_ranks);
    cut({cells.begin() + middle, cells.end()}, first + low_ranks, ranks - low_ranks);
  }

  /// Line by line across the longer side of the cells' bounding box.
  void sort_along_longer_side(std::vector<std::int64_t>& cells) const {
    std::array<std::int64_t, 2> low{grid_.cell_count(), grid_.cell_count()}, high{-1, -1};
    for (const std::int64_t number : cells) {
      const auto [column, row] = grid_.cell(number);
      low = {std::min(low[0], column), std::min(low[1], row)};
      high = {std::max(high[0], column), std::max(high[1], row)};
    }
    const bool along_y = high[1] - low[1] > high[0] - low[0];
    std::sort(cells.begin(), cells.end(), [&](std::int64_t a, std::int64_t b) {
      const auto key = [&](std::int64_t number) {
        const auto [column, row] = grid_.cell(number);
        return along_y ? std::pair(row, column) : std::pair(column, row);
      };
      return key(a) < key(b);
    });
  }

  /// Position of the cut that brings the first part's weight closest to its ranks' share; each rank gets a cell.
  [[nodiscard]] std::ptrdiff_t find_cut(const std::vector<std::int64_t>& cells, int low_ranks, int ranks) const {
    std::int64_t total = 0;
    for (const std::int64_t cell : cells) total += weights_[static_cast<std::size_t>(cell)];
    const double share = static_cast<double>(total) * low_ranks / ranks;
    double sum = 0;
    std::ptrdiff_t middle = 0;
    for (const std::int64_t cell : cells) {
      const auto weight = static_cast<double>(weights_[static_cast<std::size_t>(cell)]);
      if (sum + weight / 2 > share) break;
      sum += weight;
      ++middle;
    }
    return std::clamp<std::ptrdiff_t>(middle, low_ranks,
                                      static_cast<std::ptrdiff_t>(cells.size()) - (ranks - low_ranks));
  }

  const ArrayGrid& grid_;
  std::vector<std::int64_t> weights_;
  std::vector<std::int32_t> owner_;
};

}  // namespace

std::vector<std::int32_t> partition_cells(const UnitCells& cells, const ArrayGrid& grid, int ranks) {
  if (ranks > grid.cell_count())
    fail(ExitCode::usage,
         "{} ranks, but the array has only {} cells, rim included: start at most as many ranks, or set array.explicit: "
         "true",
         ranks, grid.cell_count());
  std::vector<std::int64_t> weights;
  for (std::int64_t number = 0; number < grid.cell_count(); ++number)
    weights.push_back(static_cast<std::int64_t>(grid.unit(cells, grid.cell(number)).elements.size()));
  return Bisection(grid, std::move(weights)).run(ranks);
}

MeshSlab make_array_slab(const UnitCells& cells, const ArrayGrid& grid, int rank, int ranks, int threads) {
  const std::vector<std::int32_t> owners = partition_cells(cells, grid, ranks);
  const ArrayNodes nodes(cells, grid);
  const ArrayNumbers elements = number_elements(cells, grid);
  MeshSlab slab;
  slab.source = cells.mesh.source;
  slab.region_names = cells.mesh.region_names;
  slab.group_names = cells.mesh.group_names;
  if (ranks > 1) slab.owner.resize(cut_slab(rank, ranks, elements.total()).size());
  add_nodes(slab, cells, grid, nodes.numbers(), cut_slab(rank, ranks, nodes.numbers().total()), threads);
  add_elements(slab, cells, grid, nodes, owners, cut_slab(rank, ranks, elements.total()), elements, threads);
  add_faces(slab, cells, grid, nodes, rank, ranks, threads);
  return slab;
}

}  // namespace tetrawave
