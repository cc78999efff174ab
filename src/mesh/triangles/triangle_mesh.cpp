#include "mesh/triangles/triangle_mesh.hpp"

#include <array>
#include <utility>

#include "base/error.hpp"
#include "mesh/hash.hpp"
#include "mesh/number_tuples.hpp"

namespace tetrawave {

namespace {

using Grid = std::array<std::int64_t, 2>;

/// Corners of an element at the ends of its edges 0, 1, 2.
constexpr std::array<std::array<std::size_t, 2>, 3> edge_corners{{{0, 1}, {1, 2}, {2, 0}}};

std::int32_t node_at(const Grid& nodes, std::int64_t i, std::int64_t j) {
  return static_cast<std::int32_t>(i * nodes[1] + j);
}

void place_nodes(const RectangleMesh& spec, const Grid& nodes, TriangleMesh& mesh) {
  mesh.nodes.reserve(static_cast<std::size_t>(nodes[0] * nodes[1]));
  for (std::int64_t i = 0; i < nodes[0]; ++i)
    for (std::int64_t j = 0; j < nodes[1]; ++j) {
      const bool inner = i > 0 && i < spec.cells[0] && j > 0 && j < spec.cells[1];
      std::array<double, 2> step{static_cast<double>(i), static_cast<double>(j)};
      for (std::size_t axis = 0; inner && spec.jitter > 0 && axis < 2; ++axis)
        step[axis] += spec.jitter * (to_unit_interval(hash_words(spec.seed, node_at(nodes, i, j), axis)) - 0.5);
      mesh.nodes.push_back({spec.size_m[0] * (step[0] / static_cast<double>(spec.cells[0])),
                            spec.size_m[1] * (step[1] / static_cast<double>(spec.cells[1]))});
    }
}

void add_triangles(const RectangleMesh& spec, const Grid& nodes, TriangleMesh& mesh) {
  mesh.elements.reserve(static_cast<std::size_t>(6 * spec.cells[0] * spec.cells[1]));
  for (std::int64_t i = 0; i < spec.cells[0]; ++i)
    for (std::int64_t j = 0; j < spec.cells[1]; ++j) {
      const std::int32_t low = node_at(nodes, i, j), high = node_at(nodes, i + 1, j + 1);
      mesh.elements.insert(mesh.elements.end(),
                           {low, node_at(nodes, i + 1, j), high, low, high, node_at(nodes, i, j + 1)});
    }
}

void add_side(const Grid& nodes, std::int32_t side, TriangleMesh& mesh) {
  const auto along = side / 2 == 0 ? std::size_t{1} : std::size_t{0};  // x0 and x1 run along y
  for (std::int64_t step = 0; step + 1 < nodes[along]; ++step)
    for (std::int64_t end = 0; end < 2; ++end) {
      Grid at{};
      at[along] = step + end;
      at[1 - along] = side % 2 == 0 ? 0 : nodes[1 - along] - 1;
      mesh.edges.push_back(node_at(nodes, at[0], at[1]));
    }
  mesh.edge_group.resize(mesh.edges.size() / 2, side);
}

/// Edges of all elements, then the named ones, two corners each.
std::vector<std::int32_t> list_edges(const TriangleMesh& mesh) {
  std::vector<std::int32_t> edges;
  edges.reserve(2 * mesh.elements.size() + mesh.edges.size());
  for (std::size_t e = 0; e < mesh.element_count(); ++e)
    for (const auto& [a, b] : edge_corners) {
      edges.push_back(mesh.elements[3 * e + a]);
      edges.push_back(mesh.elements[3 * e + b]);
    }
  edges.insert(edges.end(), mesh.edges.begin(), mesh.edges.end());
  return edges;
}

template <class Names>
void copy_names(const Names& from, TriangleMesh& to) {
  to.region = from.region;
  to.edge_group = from.edge_group;
  to.region_names = from.region_names;
  to.group_names = from.group_names;
  to.source = from.source;
}

/// The first `keep` of every `stride` ids.
std::vector<std::int32_t> keep_corners(const std::vector<std::int32_t>& ids, std::size_t stride, std::size_t keep) {
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (i % stride < keep) kept.push_back(ids[i]);
  return kept;
}

}  // namespace

TriangleMesh make_rectangle(const RectangleMesh& spec) {
  const Grid nodes{spec.cells[0] + 1, spec.cells[1] + 1};
  if (2 * static_cast<double>(spec.cells[0]) * static_cast<double>(spec.cells[1]) > most_triangles)
    fail(ExitCode::bad_case, "{}: error: a rectangle of {} x {} cells is too large: at most 2^28 triangles",
         spec.place.text, spec.cells[0], spec.cells[1]);
  TriangleMesh mesh;
  mesh.source = "rectangle";
  mesh.region_names = {"rectangle"};
  mesh.group_names = {"x0", "x1", "y0", "y1"};
  place_nodes(spec, nodes, mesh);
  add_triangles(spec, nodes, mesh);
  mesh.region.assign(mesh.elements.size() / 3, 0);
  for (std::int32_t side = 0; side < 4; ++side) add_side(nodes, side, mesh);
  return mesh;
}

TriangleMesh add_midside_nodes(const TriangleMesh& mesh) {
  ensure(mesh.order == 1, "the mesh is of first order");
  const std::vector<std::int32_t> edges = list_edges(mesh);
  const auto corners = static_cast<std::int32_t>(mesh.nodes.size());
  const TupleNumbers numbers = number_tuples(edges, 2, corners);
  TriangleMesh result;
  copy_names(mesh, result);
  result.order = 2;
  result.nodes = mesh.nodes;
  result.nodes.resize(mesh.nodes.size() + static_cast<std::size_t>(numbers.count));
  for (std::size_t k = 0; k < numbers.id.size(); ++k) {
    const Point2& a = mesh.nodes[static_cast<std::size_t>(edges[2 * k])];
    const Point2& b = mesh.nodes[static_cast<std::size_t>(edges[2 * k + 1])];
    result.nodes[static_cast<std::size_t>(corners + numbers.id[k])] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
  }
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    for (std::size_t i = 0; i < 3; ++i) result.elements.push_back(mesh.elements[3 * e + i]);
    for (std::size_t i = 0; i < 3; ++i) result.elements.push_back(corners + numbers.id[3 * e + i]);
  }
  for (std::size_t k = 0; k < mesh.edge_group.size(); ++k)
    result.edges.insert(result.edges.end(),
                        {mesh.edges[2 * k], mesh.edges[2 * k + 1], corners + numbers.id[3 * mesh.element_count() + k]});
  return result;
}

TriangleMesh drop_midside_nodes(const TriangleMesh& mesh) {
  ensure(mesh.order == 2, "the mesh is of second order");
  TriangleMesh result;
  copy_names(mesh, result);
  result.elements = keep_corners(mesh.elements, 6, 3);
  result.edges = keep_corners(mesh.edges, 3, 2);
  std::vector<std::int32_t> new_id(mesh.nodes.size(), -1);
  for (const std::int32_t node : result.elements) new_id[static_cast<std::size_t>(node)] = 0;
  for (std::size_t node = 0; node < new_id.size(); ++node) {
    if (new_id[node] < 0) continue;
    new_id[node] = static_cast<std::int32_t>(result.nodes.size());
    result.nodes.push_back(mesh.nodes[node]);
  }
  for (std::int32_t& node : result.elements) node = new_id[static_cast<std::size_t>(node)];
  for (std::int32_t& node : result.edges) node = new_id[static_cast<std::size_t>(node)];
  return result;
}

WholeMesh make_whole(const TriangleMesh& mesh) {
  WholeMesh whole;
  whole.dimension = 2;
  whole.order = mesh.order;
  for (const Point2& node : mesh.nodes) whole.nodes.push_back({node[0], node[1], 0});
  whole.elements.assign(mesh.elements.begin(), mesh.elements.end());
  whole.region = mesh.region;
  whole.faces.assign(mesh.edges.begin(), mesh.edges.end());
  whole.face_group = mesh.edge_group;
  whole.region_names = mesh.region_names;
  whole.group_names = mesh.group_names;
  whole.source = mesh.source;
  return whole;
}

}  // namespace tetrawave
