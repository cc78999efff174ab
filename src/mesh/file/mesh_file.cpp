// Reads a slab of Tetrawave's HDF5 mesh, validating everything in the file.
#include "mesh/file/mesh_file.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "base/error.hpp"
#include "mesh/file/mesh_file_checks.hpp"
#include "mesh/slab_range.hpp"
#include "store/hdf5.hpp"

namespace tetrawave {
namespace {

using store::ElementKind;
using store::File;

struct SlabItems {
  GlobalIndex first = 0;
  GlobalIndex count = 0;
};

SlabItems cut_slab(GlobalIndex items, int rank, int ranks) {
  const GlobalIndex first = slab_begin(rank, ranks, items);
  return {first, slab_begin(rank + 1, ranks, items) - first};
}

// The order of the mesh, which must be `order` unless that is 0. A well-formed mesh of another kind is not broken: it
// does not suit the case.
int check_kind(const File& file, int order) {
  if (!file.has("/tetrahedra") && file.has("/triangles"))
    fail(ExitCode::bad_case, "{}: the mesh is two-dimensional (triangles), but this mode needs tetrahedra",
         file.name());
  if (!file.has("/tetrahedra")) return 1;
  const store::Extents extents = file.info("/tetrahedra").extents;
  if (order == 1 && extents.size() == 2 && extents[1] == 10)
    fail(ExitCode::bad_case,
         "{}: the mesh has second-order tetrahedra, but mesh.order is 1: make it with 'order: 1', or give mesh.order 2 "
         "(modes frequency-domain, fe-iiee and eigenmode)",
         file.name());
  if (order == 2 && extents.size() == 2 && extents[1] == 4)
    fail(ExitCode::bad_case,
         "{}: the mesh has straight tetrahedra, but mesh.order is 2: make it with 'order: 2', or leave mesh.order out",
         file.name());
  return order == 0 && extents.size() == 2 && extents[1] == 10 ? 2 : std::max(order, 1);
}

template <std::size_t N, class T>
std::vector<std::array<T, N>> read_tuples(const File& file, const std::string& path, SlabItems range) {
  const std::vector<T> flat = file.read_rows<T>(path, range.first, range.count);
  std::vector<std::array<T, N>> tuples(flat.size() / N);
  for (std::size_t i = 0; i < flat.size(); ++i) tuples[i / N][i % N] = flat[i];
  return tuples;
}

void check_coordinates(const File& file, const MeshSlab& slab) {
  for (std::size_t i = 0; i < slab.nodes.size(); ++i) {
    const Vec3& x = slab.nodes[i];
    if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
      refuse(file, "node {} has a coordinate that is not finite ({}, {}, {})",
             slab.first_node + static_cast<GlobalIndex>(i), x[0], x[1], x[2]);
  }
}

void read_counts(const File& file, int order, MeshSlab& slab) {
  slab.node_count = count_rows(file, "/nodes", ElementKind::real, 3);
  slab.element_count = count_rows(file, "/tetrahedra", ElementKind::integer, order == 1 ? 4 : 10);
  slab.face_count = count_rows(file, "/faces", ElementKind::integer, order == 1 ? 3 : 6);
  const GlobalIndex regions = count_rows(file, "/region", ElementKind::integer, 1);
  const GlobalIndex groups = count_rows(file, "/face_group", ElementKind::integer, 1);
  if (slab.element_count == 0) refuse(file, "it has no elements");
  if (regions != slab.element_count) refuse(file, "/region has {} rows for {} tetrahedra", regions, slab.element_count);
  if (groups != slab.face_count) refuse(file, "/face_group has {} rows for {} faces", groups, slab.face_count);
}

std::vector<std::int32_t> narrow(const std::vector<std::int64_t>& checked) { return {checked.begin(), checked.end()}; }

void read_straight(const File& file, const SlabItems& elements, const SlabItems& faces, MeshSlab& slab) {
  slab.elements = read_tuples<4, GlobalIndex>(file, "/tetrahedra", elements);
  check_references(file, "tetrahedron", elements.first, slab.node_count, slab.elements);
  slab.faces = read_tuples<3, GlobalIndex>(file, "/faces", faces);
  check_references(file, "face", faces.first, slab.node_count, slab.faces);
}

/// Separates corners and edge nodes, the latter in the order of edge_corners.
void read_second_order(const File& file, const SlabItems& elements, const SlabItems& faces, MeshSlab& slab,
                       int threads) {
  const auto nodes = read_tuples<10, GlobalIndex>(file, "/tetrahedra", elements);
  check_references(file, "tetrahedron", elements.first, slab.node_count, nodes);
  for (const auto& n : nodes) {
    slab.elements.push_back({n[0], n[1], n[2], n[3]});
    slab.middles.push_back({n[4], n[6], n[7], n[5], n[9], n[8]});
  }
  const auto on_faces = read_tuples<6, GlobalIndex>(file, "/faces", faces);
  check_references(file, "face", faces.first, slab.node_count, on_faces);
  for (const auto& n : on_faces) {
    slab.faces.push_back({n[0], n[1], n[2]});
    slab.face_middles.push_back({n[3], n[5], n[4]});
  }
  if (elements.count == slab.element_count) return check_middles(file, slab, threads);
  slab.middles.clear();  // their nodes are on any rank
  slab.face_middles.clear();
}

MeshSlab read_slab(const File& file, int rank, int ranks, int wanted_order, int threads) {
  check_header(file);
  const int order = check_kind(file, wanted_order);
  MeshSlab slab;
  read_counts(file, order, slab);
  slab.region_names = read_names(file, "/region_names");
  slab.group_names = read_names(file, "/group_names");
  slab.source = file.has_attribute("/", "source") ? file.attribute<std::string>("/", "source") : file.name();
  const SlabItems nodes = cut_slab(slab.node_count, rank, ranks);
  const SlabItems elements = cut_slab(slab.element_count, rank, ranks);
  const SlabItems faces = cut_slab(slab.face_count, rank, ranks);
  slab.first_node = nodes.first;
  slab.nodes = read_tuples<3, double>(file, "/nodes", nodes);
  check_coordinates(file, slab);
  slab.first_element = elements.first;
  if (order == 1)
    read_straight(file, elements, faces, slab);
  else
    read_second_order(file, elements, faces, slab, threads);
  const auto region = file.read_rows<std::int64_t>("/region", elements.first, elements.count);
  check_indices(file, "tetrahedron", elements.first, region, slab.region_names, "/region_names");
  const auto group = file.read_rows<std::int64_t>("/face_group", faces.first, faces.count);
  check_indices(file, "face", faces.first, group, slab.group_names, "/group_names");
  slab.region = narrow(region);
  slab.face_group = narrow(group);
  return slab;
}

}  // namespace

int order_of_mesh(const std::filesystem::path& path) { return check_kind(File::open(path), 0); }

MeshSlab read_mesh_slab(const std::filesystem::path& path, int rank, int ranks, int order, int threads) {
  ensure(ranks > 0 && rank >= 0 && rank < ranks, "a rank is below the number of ranks");
  std::error_code failure;
  if (!std::filesystem::exists(path, failure))
    fail(ExitCode::missing_input, "{}: the mesh file is missing", path.string());
  try {
    return read_slab(File::open(path), rank, ranks, order, threads);
  } catch (const UserError& error) {
    // If HDF5 cannot read an existing file, the mesh is broken, not the disk.
    if (error.code() != ExitCode::io) throw;
    fail(ExitCode::bad_mesh, "{} (not a valid mesh, or cut off: regenerate it with 'tetrawave mesh')", error.what());
  }
}

}  // namespace tetrawave
