#include "mesh/make/box_mesh.hpp"

#include <string>
#include <utility>

#include "base/error.hpp"
#include "mesh/hash.hpp"
#include "mesh/slab_range.hpp"

namespace tetrawave {

namespace {

using Cell = std::array<GlobalIndex, 3>;

constexpr std::array<std::array<std::size_t, 3>, 6> axis_permutations{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
constexpr std::array<bool, 6> is_odd{false, true, true, false, false, true};

/// Row-major numbering of a lattice of counts[0] x counts[1] x counts[2] items.
constexpr GlobalIndex number_of(const Cell& item, const Cell& counts) {
  return (item[0] * counts[1] + item[1]) * counts[2] + item[2];
}
constexpr Cell item_of(GlobalIndex number, const Cell& counts) {
  return {number / (counts[1] * counts[2]), number / counts[2] % counts[1], number % counts[2]};
}

struct Box {
  const BoxMesh& spec;
  Cell cells;
  Cell nodes;

  explicit Box(const BoxMesh& box) : spec(box), cells(box.cells) {
    for (std::size_t axis = 0; axis < 3; ++axis) cells[axis] += box.layer_cells[axis][0] + box.layer_cells[axis][1];
    nodes = {cells[0] + 1, cells[1] + 1, cells[2] + 1};
  }

  [[nodiscard]] GlobalIndex cell_count() const { return cells[0] * cells[1] * cells[2]; }
  [[nodiscard]] GlobalIndex node_count() const { return nodes[0] * nodes[1] * nodes[2]; }
  /// Boundary triangles on one of the two faces across `axis`.
  [[nodiscard]] GlobalIndex side_count(std::size_t axis) const {
    return 2 * cells[(axis + 1) % 3] * cells[(axis + 2) % 3];
  }
  [[nodiscard]] GlobalIndex face_count() const { return 2 * (side_count(0) + side_count(1) + side_count(2)); }
};

/// Index of a cell or node along an axis, counted from the box without its layers.
GlobalIndex from_box(const Box& box, const Cell& item, std::size_t axis) {
  return item[axis] - box.spec.layer_cells[axis][0];
}

bool is_in_layer(const Box& box, const Cell& cell) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const GlobalIndex k = from_box(box, cell, axis);
    if (k < 0 || k >= box.spec.cells[axis]) return true;
  }
  return false;
}

/// Coordinate along an axis of a node `step` steps from the box's low side, which may be outside of the box.
double place_along(const Box& box, std::size_t axis, double step) {
  const auto cells = static_cast<double>(box.spec.cells[axis]);
  const double size = box.spec.size_m[axis];
  const auto layer = [&](std::size_t side, double steps) {
    return box.spec.layer_m * (steps / static_cast<double>(box.spec.layer_cells[axis][side]));
  };
  if (step < 0) return layer(0, step);
  if (step > cells) return size + layer(1, step - cells);
  return size * (step / cells);
}

Vec3 place_node(const Box& box, GlobalIndex id) {
  const Cell node = item_of(id, box.nodes);
  bool inner = true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const GlobalIndex k = from_box(box, node, axis);
    inner = inner && k > 0 && k < box.spec.cells[axis];
  }
  Vec3 place{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto step = static_cast<double>(from_box(box, node, axis));
    if (inner) step += box.spec.jitter * (to_unit_interval(hash_words(box.spec.seed, id, axis)) - 0.5);
    place[axis] = place_along(box, axis, step);
  }
  return place;
}

std::array<GlobalIndex, 4> make_element(const Box& box, GlobalIndex id) {
  const auto path = static_cast<std::size_t>(id % 6);
  Cell corner = item_of(id / 6, box.cells);
  std::array<GlobalIndex, 4> element{number_of(corner, box.nodes)};
  for (std::size_t step = 0; step < 3; ++step) {
    ++corner[axis_permutations[path][step]];
    element[step + 1] = number_of(corner, box.nodes);
  }
  if (is_odd[path]) std::swap(element[2], element[3]);
  return element;
}

/// Named face `id`: the sides x0, x1, y0, .. one after the other, each cell of a side with its two triangles, which
/// are the Kuhn triangles of the square.
void add_face(const Box& box, GlobalIndex id, MeshSlab& slab) {
  std::int32_t side = 0;
  while (id >= box.side_count(static_cast<std::size_t>(side / 2))) {
    id -= box.side_count(static_cast<std::size_t>(side / 2));
    ++side;
  }
  const auto axis = static_cast<std::size_t>(side / 2);
  std::size_t first = (axis + 1) % 3, second = (axis + 2) % 3;
  Cell corner{};
  corner[axis] = side % 2 == 0 ? 0 : box.cells[axis];
  corner[first] = id / 2 / box.cells[second];
  corner[second] = id / 2 % box.cells[second];
  if (id % 2 == 1) std::swap(first, second);
  std::array<GlobalIndex, 3> face{number_of(corner, box.nodes)};
  ++corner[first];
  face[1] = number_of(corner, box.nodes);
  ++corner[second];
  face[2] = number_of(corner, box.nodes);
  slab.faces.push_back(face);
  slab.face_group.push_back(side);
}

void check_cells(const BoxMesh& spec) {
  double cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    ensure(spec.cells[axis] > 0 && spec.size_m[axis] > 0, "a box has a size and cells along each axis");
    cells *= static_cast<double>(spec.cells[axis] + spec.layer_cells[axis][0] + spec.layer_cells[axis][1]);
  }
  if (cells > 0x1p40)
    fail(ExitCode::bad_case, "{}: error: a box of {:.3g} cells is too large: at most 2^40", spec.place.text, cells);
}

}  // namespace

MeshSlab make_box_slab(const BoxMesh& spec, int rank, int ranks) {
  check_cells(spec);
  const Box box(spec);
  MeshSlab slab;
  slab.source = "box";
  slab.region_names = {"box"};
  const bool layered = box.cell_count() > spec.cells[0] * spec.cells[1] * spec.cells[2];
  if (layered) slab.region_names.push_back("box" + std::string(PmlLayers::suffix));
  slab.group_names = {"x0", "x1", "y0", "y1", "z0", "z1"};
  slab.node_count = box.node_count();
  slab.element_count = 6 * box.cell_count();
  slab.face_count = box.face_count();
  slab.first_node = slab_begin(rank, ranks, slab.node_count);
  slab.first_element = slab_begin(rank, ranks, slab.element_count);
  const GlobalIndex last_node = slab_begin(rank + 1, ranks, slab.node_count);
  const GlobalIndex last_element = slab_begin(rank + 1, ranks, slab.element_count);
  slab.nodes.reserve(static_cast<std::size_t>(last_node - slab.first_node));
  slab.elements.reserve(static_cast<std::size_t>(last_element - slab.first_element));
  for (GlobalIndex id = slab.first_node; id < last_node; ++id) slab.nodes.push_back(place_node(box, id));
  for (GlobalIndex id = slab.first_element; id < last_element; ++id) slab.elements.push_back(make_element(box, id));
  slab.region.assign(slab.elements.size(), 0);
  for (std::size_t e = 0; layered && e < slab.region.size(); ++e)
    if (is_in_layer(box, item_of((slab.first_element + static_cast<GlobalIndex>(e)) / 6, box.cells)))
      slab.region[e] = 1;
  const GlobalIndex last_face = slab_begin(rank + 1, ranks, slab.face_count);
  for (GlobalIndex id = slab_begin(rank, ranks, slab.face_count); id < last_face; ++id) add_face(box, id, slab);
  return slab;
}

}  // namespace tetrawave
