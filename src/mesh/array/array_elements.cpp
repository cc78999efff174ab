#include "mesh/array/array_elements.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <limits>
#include <map>
#include <utility>

#include "base/copy_on_threads.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "mesh/array/array_mesh.hpp"
#include "mesh/array/cell_patterns.hpp"
#include "mesh/connect/order_elements.hpp"
#include "mesh/connect/resize_elements.hpp"
#include "mesh/connect/space_curve.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

namespace {

using Step = std::array<std::int8_t, 2>;
constexpr std::array<Step, 4> beside{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};

/// Bit k is set if the cell beside[k] of a cell is on another rank.
unsigned foreign_sides(const ArrayGrid& grid, const std::vector<std::int32_t>& owners, const ArrayGrid::Cell& cell,
                       int rank) {
  unsigned sides = 0;
  for (std::size_t k = 0; k < beside.size(); ++k) {
    const ArrayGrid::Cell other{cell.column + beside[k][0], cell.row + beside[k][1]};
    const bool exists =
        other.column >= 0 && other.row >= 0 && other.column < grid.size[0] + 2 && other.row < grid.size[1] + 2;
    if (exists && owners[static_cast<std::size_t>(grid.number(other))] != rank) sides |= 1U << k;
  }
  return sides;
}

bool leads_away(const PatternElement& element, std::size_t face, unsigned sides) {
  if (element.neighbour[face] < 0) return false;
  for (std::size_t k = 0; k < beside.size(); ++k)
    if ((sides >> k & 1U) != 0 && element.step[face] == beside[k]) return true;
  return false;
}

/// The order of a cell's elements in memory, those at the border to other ranks first.
struct CellOrder {
  std::vector<LocalIndex> item;   ///< numbers in the cell
  std::vector<LocalIndex> place;  ///< of each number in `item`
  std::int64_t border = 0;
};

CellOrder order_cell(const std::vector<PatternElement>& elements, unsigned sides, Ordering ordering) {
  Vec3 low = elements.front().corner[0], high = low;
  for (const PatternElement& element : elements)
    for (const Vec3& corner : element.corner)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], corner[axis]);
        high[axis] = std::max(high[axis], corner[axis]);
      }
  const CurveGrid curve(low, high);
  ElementGraph graph;
  for (const PatternElement& element : elements) {
    bool at_border = false;
    std::array<LocalIndex, 4> inside{};
    for (std::size_t f = 0; f < 4; ++f) {
      at_border = at_border || leads_away(element, f, sides);
      inside[f] = element.step[f] == Step{} ? element.neighbour[f] : remote_neighbour;
    }
    graph.neighbours.push_back(inside);
    graph.curve.push_back(curve.code(centroid(element.corner)));
    graph.is_border.push_back(at_border ? 1 : 0);
  }
  CellOrder order;
  order.item = order_elements(graph, ordering, 1);
  order.place.resize(order.item.size());
  for (std::size_t i = 0; i < order.item.size(); ++i)
    order.place[static_cast<std::size_t>(order.item[i])] = static_cast<LocalIndex>(i);
  order.border = std::count(graph.is_border.begin(), graph.is_border.end(), 1);
  return order;
}

/// Positions of the elements of one cell: those at the border, whole blocks, and the remainder among the remainders of
/// all cells.
struct CellPlace {
  std::int64_t cell = 0;
  const CellOrder* order = nullptr;
  std::size_t pattern = 0;
  std::int64_t border = 0;  ///< element of the first
  std::int64_t inner = 0;   ///< likewise
  std::int64_t whole = 0;   ///< elements in whole blocks
  std::int64_t rest = 0;    ///< of the first among the remainders
};

/// The positions of all elements of a rank.
class ArrayOrder {
 public:
  ArrayOrder(const ArrayGrid& grid, const CellPatterns& patterns, const std::vector<std::int32_t>& owners, int rank,
             Ordering ordering, int threads)
      : index_(owners.size(), -1) {
    const auto block = static_cast<std::int64_t>(ordering == Ordering::none ? 1 : order_block);
    order_cells(grid, patterns, owners, rank, ordering, threads);
    for (const std::int64_t number : cells_in_order(grid, owners, rank, ordering)) {
      CellPlace& place = places_.emplace_back();
      const ArrayGrid::Cell cell = grid.cell(number);
      place.cell = number;
      place.pattern = patterns.of(cell);
      place.order = &orders_.at({place.pattern, foreign_sides(grid, owners, cell, rank)});
      place.border = border_;
      border_ += place.order->border;
      index_[static_cast<std::size_t>(number)] = static_cast<std::int32_t>(places_.size() - 1);
    }
    std::int64_t next = border_, rests = 0;
    for (CellPlace& place : places_) {
      const std::int64_t inner = static_cast<std::int64_t>(place.order->item.size()) - place.order->border;
      place.inner = next;
      place.whole = inner / block * block;
      place.rest = rests;
      next += place.whole;
      rests += inner - place.whole;
      for (; static_cast<std::int64_t>(rest_blocks_.size() + 1) * block <= rests; next += block)
        rest_blocks_.push_back(next);
    }
    rest_blocks_.push_back(next);
    block_ = block;
    count_ = next + rests % block;
    if (count_ >= std::numeric_limits<LocalIndex>::max())
      fail(ExitCode::bad_case,
           "array: a rank would have {} elements, which are counted in 32 bits there: take more ranks (mpirun -n), or "
           "fewer cells",
           count_);
  }

  [[nodiscard]] const std::vector<CellPlace>& cells() const { return places_; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t border() const { return border_; }
  /// This rank's cell for a number of the grid.
  [[nodiscard]] const CellPlace& at(std::int64_t cell) const {
    return places_[static_cast<std::size_t>(index_[static_cast<std::size_t>(cell)])];
  }
  [[nodiscard]] bool has(std::int64_t cell) const { return index_[static_cast<std::size_t>(cell)] >= 0; }
  /// The element at a position of a cell's order.
  [[nodiscard]] LocalIndex element(const CellPlace& cell, std::int64_t place) const {
    if (place < cell.order->border) return static_cast<LocalIndex>(cell.border + place);
    place -= cell.order->border;
    if (place < cell.whole) return static_cast<LocalIndex>(cell.inner + place);
    place += cell.rest - cell.whole;
    return static_cast<LocalIndex>(rest_blocks_[static_cast<std::size_t>(place / block_)] + place % block_);
  }

 private:
  static std::vector<std::int64_t> cells_in_order(const ArrayGrid& grid, const std::vector<std::int32_t>& owners,
                                                  int rank, Ordering ordering) {
    std::vector<std::pair<std::uint64_t, std::int64_t>> keys;
    for (std::int64_t number = 0; number < grid.cell_count(); ++number) {
      if (owners[static_cast<std::size_t>(number)] != rank) continue;
      const ArrayGrid::Cell cell = grid.cell(number);
      const auto x = static_cast<std::uint32_t>(cell.column), y = static_cast<std::uint32_t>(cell.row);
      keys.emplace_back(ordering == Ordering::none ? 0 : hilbert_code({x, y, 0}), number);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::int64_t> numbers;
    for (const auto& key : keys) numbers.push_back(key.second);
    return numbers;
  }

  void order_cells(const ArrayGrid& grid, const CellPatterns& patterns, const std::vector<std::int32_t>& owners,
                   int rank, Ordering ordering, int threads) {
    for (std::int64_t number = 0; number < grid.cell_count(); ++number) {
      if (owners[static_cast<std::size_t>(number)] != rank) continue;
      const ArrayGrid::Cell cell = grid.cell(number);
      orders_.try_emplace({patterns.of(cell), foreign_sides(grid, owners, cell, rank)});
    }
    // The largest first, as a thread each makes them.
    std::vector<std::pair<const std::pair<std::size_t, unsigned>, CellOrder>*> list;
    for (auto& one : orders_) list.push_back(&one);
    const auto size = [&](const auto* one) { return patterns.elements(one->first.first).size(); };
    std::stable_sort(list.begin(), list.end(), [&](const auto* a, const auto* b) { return size(a) > size(b); });
    const int used = ordering == Ordering::parts ? 1 : threads;  // METIS has one source of random numbers
    std::atomic<std::size_t> next = 0;
    for_each_task(static_cast<std::size_t>(used), used, [&](std::size_t) {
      for (std::size_t k = next++; k < list.size(); k = next++)
        list[k]->second = order_cell(patterns.elements(list[k]->first.first), list[k]->first.second, ordering);
    });
  }

  std::vector<CellPlace> places_;
  std::vector<std::int32_t> index_;                               ///< per cell of the grid: in places_, or -1
  std::map<std::pair<std::size_t, unsigned>, CellOrder> orders_;  ///< by pattern and foreign sides
  std::vector<std::int64_t> rest_blocks_;                         ///< first element of each block of remainders
  std::int64_t block_ = 1;
  std::int64_t border_ = 0;
  std::int64_t count_ = 0;
};

/// Writes the elements of cells into a LocalMesh.
class ArrayFiller {
 public:
  ArrayFiller(const UnitCells& cells, const ArrayGrid& grid, const CellPatterns& patterns, const ArrayOrder& order)
      : grid_(grid),
        patterns_(patterns),
        order_(order),
        elements_(number_elements(cells, grid)),
        nodes_(number_nodes(cells, grid)) {
    std::int32_t shapes = 0;
    for (std::size_t p = 0; p < patterns.count(); ++p) {
      first_shape_.push_back(shapes);
      shapes += static_cast<std::int32_t>(patterns.elements(p).size());
    }
  }

  [[nodiscard]] std::vector<std::array<Vec3, 4>> find_shapes(int threads) const {
    const std::size_t last = patterns_.count() - 1;
    std::vector<std::array<Vec3, 4>> corners(static_cast<std::size_t>(first_shape_[last]) +
                                             patterns_.elements(last).size());
    for_each_task(patterns_.count(), threads, [&](std::size_t p) {
      auto to = corners.begin() + first_shape_[p];
      for (const PatternElement& element : patterns_.elements(p)) *to++ = patterns_.corners(p, element);
    });
    return corners;
  }

  /// One of `pieces` of a cell's elements.
  void fill(LocalMesh& mesh, const CellPlace& place, std::size_t piece, std::size_t pieces) const {
    const ArrayGrid::Cell cell = grid_.cell(place.cell);
    const Around around(*this, cell);
    const auto& pattern = patterns_.elements(place.pattern);
    for (std::size_t i = piece * pattern.size() / pieces; i < (piece + 1) * pattern.size() / pieces; ++i) {
      const LocalIndex k = place.order->item[i];
      const auto e = static_cast<std::size_t>(order_.element(place, static_cast<std::int64_t>(i)));
      const PatternElement& element = pattern[static_cast<std::size_t>(k)];
      mesh.global_id[e] = around.element + k;
      mesh.region[e] = element.region;
      mesh.shape[e] = first_shape_[place.pattern] + k;
      mesh.boundary[e] = element.boundary;
      mesh.neighbour_face[e] = element.neighbour_face;
      for (std::size_t v = 0; v < 4; ++v) {
        const auto& owner = around.owners[static_cast<std::size_t>(2 * element.back[v][0] + element.back[v][1])];
        mesh.vertices[e][v] = owner.node + element.place[v];
        mesh.corners[e][v] = element.corner[v] + owner.shift;
      }
      for (std::size_t f = 0; f < 4; ++f) mesh.neighbour[e][f] = neighbour_of(element, f, around);
    }
  }

  /// The faces shared with other ranks, as find_peers in build_mesh.cpp lists them.
  [[nodiscard]] std::vector<HaloPeer> find_peers(const LocalMesh& mesh, const std::vector<std::int32_t>& owners) const {
    std::vector<SharedFace> shared;
    for (const CellPlace& place : order_.cells())
      for (std::int64_t i = 0; i < place.order->border; ++i) {
        const LocalIndex e = order_.element(place, i);
        const auto& element =
            patterns_.elements(place.pattern)[static_cast<std::size_t>(place.order->item[static_cast<std::size_t>(i)])];
        for (std::size_t f = 0; f < 4; ++f) {
          if (mesh.neighbour[static_cast<std::size_t>(e)][f] != remote_neighbour) continue;
          const auto& vertices = mesh.vertices[static_cast<std::size_t>(e)];
          const auto& [a, b, c] = face_corners[f];
          const ArrayGrid::Cell other = moved(grid_.cell(place.cell), element.step[f]);
          shared.push_back({owners[static_cast<std::size_t>(grid_.number(other))],
                            {vertices[a], vertices[b], vertices[c]},
                            e,
                            static_cast<std::uint8_t>(f)});
        }
      }
    return group_by_rank(std::move(shared));
  }

 private:
  static ArrayGrid::Cell moved(const ArrayGrid::Cell& cell, const Step& step) {
    return {cell.column + step[0], cell.row + step[1]};
  }

  /// Data about neighbouring cells for the elements of a cell.
  struct Around {
    struct Owner {
      GlobalIndex node = 0;  ///< the first
      Vec3 shift{};
    };
    GlobalIndex element = 0;                 ///< the first
    std::array<Owner, 4> owners{};           ///< of vertices, by 2 columns + rows before
    std::array<const CellPlace*, 5> cell{};  ///< itself and those of `beside`; null if on another rank

    Around(const ArrayFiller& filler, const ArrayGrid::Cell& own) : element(filler.elements_.first(own)) {
      const ArrayGrid& grid = filler.grid_;
      for (std::int64_t column = 0; column < 2; ++column)
        for (std::int64_t row = 0; row < 2; ++row) {
          const ArrayGrid::Cell owner{own.column - column, own.row - row};
          if (owner.column < 0 || owner.row < 0) continue;
          owners[static_cast<std::size_t>(2 * column + row)] = {filler.nodes_.first(owner), grid.shift(owner)};
        }
      cell[0] = &filler.order_.at(grid.number(own));
      for (std::size_t k = 0; k < beside.size(); ++k) {
        const ArrayGrid::Cell other = moved(own, beside[k]);
        if (other.column < 0 || other.row < 0 || other.column > grid.size[0] + 1 || other.row > grid.size[1] + 1)
          continue;
        if (filler.order_.has(grid.number(other))) cell[k + 1] = &filler.order_.at(grid.number(other));
      }
    }
    [[nodiscard]] const CellPlace* at(const Step& step) const {
      if (step == Step{}) return cell[0];
      for (std::size_t k = 0; k < beside.size(); ++k)
        if (step == beside[k]) return cell[k + 1];
      throw InternalError("elements of cells that share a face lie in cells side by side");
    }
  };

  [[nodiscard]] LocalIndex neighbour_of(const PatternElement& element, std::size_t face, const Around& around) const {
    if (element.neighbour[face] < 0) return no_neighbour;
    const CellPlace* cell = around.at(element.step[face]);
    if (cell == nullptr) return remote_neighbour;
    return order_.element(*cell, cell->order->place[static_cast<std::size_t>(element.neighbour[face])]);
  }

  const ArrayGrid& grid_;
  const CellPatterns& patterns_;
  const ArrayOrder& order_;
  ArrayNumbers elements_;
  ArrayNumbers nodes_;
  std::vector<std::int32_t> first_shape_;  ///< per pattern
};

}  // namespace

LocalMesh build_array_mesh(const UnitCells& cells, const ArrayGrid& grid, const FaceTags& tags, Ordering ordering,
                           int threads, const comm::Communicator& ranks, PhaseClock* clock) {
  const auto end_phase = [clock](const char* name) {
    if (clock != nullptr) clock->end(name);
  };
  ensure(tags.periodic.empty(), "cells at periodic faces have neighbours far away");
  LocalMesh mesh;
  ranks.agree([&] {
    const std::vector<std::int32_t> owners = partition_cells(cells, grid, ranks.size());
    const CellPatterns patterns(cells, grid, tags, threads);
    end_phase("match");
    const ArrayOrder order(grid, patterns, owners, ranks.rank(), ordering, threads);
    end_phase("order");
    const ArrayFiller filler(cells, grid, patterns, order);
    auto shapes = std::async(std::launch::async, [&] { return filler.find_shapes(threads); });
    resize_elements(mesh, static_cast<std::size_t>(order.count()), threads);
    resize_on_threads(mesh.shape, static_cast<std::size_t>(order.count()), threads);
    constexpr std::size_t pieces = 8;  // cells differ in size
    for_each_task(pieces * order.cells().size(), threads,
                  [&](std::size_t k) { filler.fill(mesh, order.cells()[k / pieces], k % pieces, pieces); });
    mesh.shape_corners = shapes.get();
    mesh.border_count = static_cast<LocalIndex>(order.border());
    mesh.peers = filler.find_peers(mesh, owners);
    end_phase("fill");
  });
  mesh.global_element_count = number_elements(cells, grid).total();
  mesh.region_names = cells.mesh.region_names;
  mesh.group_names = cells.mesh.group_names;
  return mesh;
}

}  // namespace tetrawave
