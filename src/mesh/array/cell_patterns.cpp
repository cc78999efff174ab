#include "mesh/array/cell_patterns.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "mesh/array/array_mesh.hpp"
#include "mesh/connect/build_mesh.hpp"

namespace tetrawave {

namespace {

std::array<std::int8_t, 2> difference(const ArrayGrid::Cell& to, const ArrayGrid::Cell& from) {
  return {static_cast<std::int8_t>(to.column - from.column), static_cast<std::int8_t>(to.row - from.row)};
}

/// Extracts the elements of a cell from the small array.
class PatternReader {
 public:
  PatternReader(const UnitCells& cells, const ArrayGrid& grid, const ConnectedSlab& mesh)
      : cells_(cells),
        grid_(grid),
        mesh_(mesh),
        nodes_(number_nodes(cells, grid)),
        elements_(number_elements(cells, grid)) {}

  [[nodiscard]] std::vector<PatternElement> read(std::int64_t number) const {
    const ArrayGrid::Cell cell = grid_.cell(number);
    std::vector<PatternElement> elements(grid_.unit(cells_, cell).elements.size());
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const auto e = static_cast<std::size_t>(elements_.first(cell)) + k;
      elements[k].region = mesh_.slab.region[e];
      for (std::size_t v = 0; v < 4; ++v) read_vertex(cell, mesh_.elements.vertices[e][v], v, elements[k]);
      for (std::size_t f = 0; f < 4; ++f) read_face(cell, mesh_.matches.of_element[e][f], f, elements[k]);
    }
    return elements;
  }

 private:
  void read_vertex(const ArrayGrid::Cell& cell, GlobalIndex node, std::size_t v, PatternElement& element) const {
    const ArrayGrid::Cell owner = grid_.cell(nodes_.cell_of(node));
    element.place[v] = static_cast<std::int32_t>(node - nodes_.first(owner));
    element.back[v] = difference(cell, owner);
    const std::int32_t meshed = grid_.unit(cells_, owner).own[static_cast<std::size_t>(element.place[v])];
    element.corner[v] = cells_.mesh.nodes[static_cast<std::size_t>(meshed)];
  }

  void read_face(const ArrayGrid::Cell& cell, const FaceMatch& face, std::size_t f, PatternElement& element) const {
    element.boundary[f] = face.tag;
    element.neighbour_face[f] = face.neighbour_face;
    element.neighbour[f] = -1;
    if (face.neighbour < 0) return;
    const ArrayGrid::Cell other = grid_.cell(elements_.cell_of(face.neighbour));
    element.neighbour[f] = static_cast<std::int32_t>(face.neighbour - elements_.first(other));
    element.step[f] = difference(other, cell);
  }

  const UnitCells& cells_;
  const ArrayGrid& grid_;
  const ConnectedSlab& mesh_;
  ArrayNumbers nodes_;
  ArrayNumbers elements_;
};

}  // namespace

CellPatterns::CellPatterns(const UnitCells& cells, const ArrayGrid& grid, const FaceTags& tags, int threads)
    : grid_(grid), small_(grid) {
  for (std::int64_t& size : small_.size) size = std::min<std::int64_t>(size, 3);
  const comm::Communicator alone = comm::Communicator::self();
  const ConnectedSlab mesh = connect_elements(make_array_slab(cells, small_, 0, 1, threads), tags, threads, alone);
  const PatternReader reader(cells, small_, mesh);
  patterns_.resize(static_cast<std::size_t>(small_.cell_count()));
  for_each_task(patterns_.size(), threads,
                [&](std::size_t c) { patterns_[c] = reader.read(static_cast<std::int64_t>(c)); });
}

ArrayGrid::Cell CellPatterns::in_small(const ArrayGrid::Cell& cell) const {
  const auto along = [&](std::size_t axis, std::int64_t k) {
    const std::int64_t from_end = grid_.size[axis] + 1 - k, last = small_.size[axis] + 1;
    if (from_end <= 1) return last - from_end;
    return std::min<std::int64_t>(k, 2);
  };
  return {along(0, cell.column), along(1, cell.row)};
}

std::array<Vec3, 4> CellPatterns::corners(std::size_t pattern, const PatternElement& element) const {
  const ArrayGrid::Cell cell = small_.cell(static_cast<std::int64_t>(pattern));
  std::array<Vec3, 4> corners = element.corner;
  for (std::size_t v = 0; v < 4; ++v)
    corners[v] = corners[v] + small_.shift({cell.column - element.back[v][0], cell.row - element.back[v][1]});
  return corners;
}

std::size_t CellPatterns::of(const ArrayGrid::Cell& cell) const {
  const auto [column, row] = in_small(cell);
  return static_cast<std::size_t>(column * (small_.size[1] + 2) + row);
}

}  // namespace tetrawave
