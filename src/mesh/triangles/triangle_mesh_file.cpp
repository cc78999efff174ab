// Reads a two-dimensional HDF5 mesh, validating everything in the file.
#include <algorithm>
#include <cmath>
#include <system_error>

#include "mesh/file/mesh_file_checks.hpp"
#include "mesh/triangles/triangle_mesh.hpp"

namespace tetrawave {

namespace {

using store::ElementKind;
using store::File;

/// 1 or 2, from the number of nodes per triangle.
int find_order(const File& file) {
  if (!file.has("/triangles") && file.has("/tetrahedra"))
    fail(ExitCode::bad_case, "{}: the mesh has tetrahedra, but this mode needs triangles", file.name());
  if (!file.has("/triangles")) return 1;  // the reading of /triangles tells what is wrong
  const store::Extents extents = file.info("/triangles").extents;
  return extents.size() == 2 && extents[1] == 6 ? 2 : 1;
}

template <std::size_t N>
std::vector<std::int32_t> read_nodes_of(const File& file, const std::string& path, const char* what, GlobalIndex count,
                                        GlobalIndex node_count) {
  const auto flat = file.read_rows<std::int64_t>(path, 0, count);
  std::vector<std::array<GlobalIndex, N>> tuples(flat.size() / N);
  for (std::size_t i = 0; i < flat.size(); ++i) tuples[i / N][i % N] = flat[i];
  check_references(file, what, 0, node_count, tuples);
  return {flat.begin(), flat.end()};
}

std::vector<std::int32_t> read_indices(const File& file, const std::string& path, const char* what, GlobalIndex count,
                                       const std::vector<std::string>& names, const char* list) {
  const auto indices = file.read_rows<std::int64_t>(path, 0, count);
  check_indices(file, what, 0, indices, names, list);
  return {indices.begin(), indices.end()};
}

struct Counts {
  GlobalIndex nodes = 0, elements = 0, edges = 0;
};

Counts read_counts(const File& file, const TriangleMesh& mesh) {
  Counts counts;
  counts.nodes = count_rows(file, "/nodes", ElementKind::real, 3);
  counts.elements =
      count_rows(file, "/triangles", ElementKind::integer, static_cast<std::int64_t>(mesh.nodes_per_element()));
  counts.edges = count_rows(file, "/edges", ElementKind::integer, static_cast<std::int64_t>(mesh.nodes_per_edge()));
  const GlobalIndex regions = count_rows(file, "/region", ElementKind::integer, 1);
  const GlobalIndex groups = count_rows(file, "/face_group", ElementKind::integer, 1);
  if (counts.elements == 0) refuse(file, "it has no elements");
  if (regions != counts.elements) refuse(file, "/region has {} rows for {} triangles", regions, counts.elements);
  if (groups != counts.edges) refuse(file, "/face_group has {} rows for {} edges", groups, counts.edges);
  if (counts.elements > most_triangles || std::max(counts.nodes, counts.edges) > 3 * most_triangles)
    fail(ExitCode::bad_case, "{}: the mesh is too large for this mode: at most 2^28 triangles", file.name());
  return counts;
}

void read_coordinates(const File& file, TriangleMesh& mesh) {
  const auto flat = file.read<double>("/nodes");
  mesh.nodes.resize(flat.size() / 3);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    mesh.nodes[i] = {flat[3 * i], flat[3 * i + 1]};
    if (!std::isfinite(flat[3 * i]) || !std::isfinite(flat[3 * i + 1]))
      refuse(file, "node {} has a coordinate that is not finite ({}, {})", i, flat[3 * i], flat[3 * i + 1]);
  }
}

/// Checks that every node belongs to an element, and that no triangle is degenerate.
void check_shape(const File& file, const TriangleMesh& mesh) {
  std::vector<bool> used(mesh.nodes.size(), false);
  for (const std::int32_t node : mesh.elements) used[static_cast<std::size_t>(node)] = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) refuse(file, "node {} belongs to no triangle", i);
  const std::size_t stride = mesh.nodes_per_element();
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const auto corner = [&](std::size_t i) {
      return mesh.nodes[static_cast<std::size_t>(mesh.elements[stride * e + i])];
    };
    const Point2 a = corner(0), b = corner(1), c = corner(2);
    const double twice_area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if (!(std::abs(twice_area) > 0))
      refuse(file, "triangle {} has no area: its corners are ({:.6g}, {:.6g}), ({:.6g}, {:.6g}) and ({:.6g}, {:.6g}) m",
             e, a[0], a[1], b[0], b[1], c[0], c[1]);
  }
}

TriangleMesh read_mesh(const File& file) {
  check_header(file);
  TriangleMesh mesh;
  mesh.order = find_order(file);
  const Counts counts = read_counts(file, mesh);
  mesh.region_names = read_names(file, "/region_names");
  mesh.group_names = read_names(file, "/group_names");
  mesh.source = file.has_attribute("/", "source") ? file.attribute<std::string>("/", "source") : file.name();
  read_coordinates(file, mesh);
  const bool second = mesh.order == 2;
  mesh.elements = second ? read_nodes_of<6>(file, "/triangles", "triangle", counts.elements, counts.nodes)
                         : read_nodes_of<3>(file, "/triangles", "triangle", counts.elements, counts.nodes);
  mesh.edges = second ? read_nodes_of<3>(file, "/edges", "edge", counts.edges, counts.nodes)
                      : read_nodes_of<2>(file, "/edges", "edge", counts.edges, counts.nodes);
  mesh.region = read_indices(file, "/region", "triangle", counts.elements, mesh.region_names, "/region_names");
  mesh.edge_group = read_indices(file, "/face_group", "edge", counts.edges, mesh.group_names, "/group_names");
  check_shape(file, mesh);
  return mesh;
}

}  // namespace

TriangleMesh read_triangle_mesh(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure))
    fail(ExitCode::missing_input, "{}: the mesh file is missing", path.string());
  try {
    return read_mesh(File::open(path));
  } catch (const UserError& error) {
    // If HDF5 cannot read an existing file, the mesh is broken, not the disk.
    if (error.code() != ExitCode::io) throw;
    fail(ExitCode::bad_mesh, "{} (not a valid mesh, or cut off: regenerate it with 'tetrawave mesh')", error.what());
  }
}

}  // namespace tetrawave
