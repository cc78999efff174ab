// Reading a slab of Tetrawave's HDF5 mesh, trusting nothing that the file says.
#include "mesh/mesh_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <system_error>

#include "base/error.hpp"
#include "mesh/slab_range.hpp"
#include "store/hdf5.hpp"

namespace tetrawave {
namespace {

using store::ElementKind;
using store::File;

struct Range {
  GlobalIndex first = 0;
  GlobalIndex count = 0;
};

Range cut_slab(GlobalIndex items, int rank, int ranks) {
  const GlobalIndex first = slab_begin(rank, ranks, items);
  return {first, slab_begin(rank + 1, ranks, items) - first};
}

template <class... Args>
[[noreturn]] void refuse(const File& file, format_string<Args...> text, Args&&... args) {
  fail(ExitCode::bad_mesh, "{}: not a valid mesh: {}", file.name(),
       tetrawave::format(text, std::forward<Args>(args)...));
}

// Rows of a dataset that has the right kind and width, and whose bytes are all in the file.
GlobalIndex count_rows(const File& file, const std::string& path, ElementKind kind, std::int64_t width) {
  if (!file.has(path)) refuse(file, "dataset {} is missing", path);
  const store::DatasetInfo info = file.info(path);
  if (info.kind != kind)
    refuse(file, "dataset {} does not hold {}", path,
           kind == ElementKind::real ? "real numbers" : (kind == ElementKind::integer ? "whole numbers" : "texts"));
  const bool list = width == 1 && info.extents.size() == 1;
  if (!list && !(info.extents.size() == 2 && info.extents[1] == width))
    refuse(file, "dataset {} must have the shape {}", path, width == 1 ? "[n]" : tetrawave::format("[n, {}]", width));
  if (!info.is_plain())
    refuse(file,
           "dataset {} is chunked, compressed or outside the file; write it contiguous (h5repack -l CONTI -f NONE)",
           path);
  const std::int64_t claimed = info.claimed_bytes();
  if (claimed < 0 || claimed > info.stored_bytes)
    refuse(file, "dataset {} claims {} rows, but the file holds only {} bytes of it (is it cut off?)", path,
           info.extents[0], info.stored_bytes);
  return info.extents[0];
}

void check_header(const File& file) {
  if (!file.has_attribute("/", "format") || file.attribute<std::string>("/", "format") != "tetrawave-mesh")
    refuse(file, "the attribute format = \"tetrawave-mesh\" is missing; make a mesh with 'tetrawave mesh'");
  if (!file.has_attribute("/", "version")) refuse(file, "the attribute version is missing");
  const auto version = file.attribute<std::int64_t>("/", "version");
  if (version != mesh_format_version)
    refuse(file, "format version {} is not known (this program reads version {}); make the mesh anew", version,
           mesh_format_version);
  if (!file.has_attribute("/", "units") || file.attribute<std::string>("/", "units") != "m")
    refuse(file, "the attribute units = \"m\" is missing");
}

// A well-formed mesh of another kind is not broken: it does not suit the case.
void check_kind(const File& file) {
  if (!file.has("/tetrahedra") && file.has("/triangles"))
    fail(ExitCode::bad_case, "{}: the mesh is two-dimensional (triangles), but this mode needs tetrahedra",
         file.name());
  if (!file.has("/tetrahedra")) return;
  const store::Extents extents = file.info("/tetrahedra").extents;
  if (extents.size() == 2 && extents[1] == 10)
    fail(ExitCode::bad_case,
         "{}: the mesh has second-order tetrahedra, but this mode needs straight ones: make it with 'order: 1'",
         file.name());
}

std::vector<std::string> read_names(const File& file, const std::string& path) {
  const GlobalIndex count = count_rows(file, path, ElementKind::text, 1);
  std::vector<std::string> names;
  if (count > 0) names = file.read<std::string>(path);
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!is_group_name(name))
      refuse(file,
             "the name '{}' in {} is not allowed: letters, digits, '.', '_', '-', no leading dot or dash, at most "
             "128 characters",
             name.substr(0, 128), path);
    if (!seen.insert(name).second) refuse(file, "the name '{}' stands twice in {}", name, path);
  }
  return names;
}

template <std::size_t N, class T>
std::vector<std::array<T, N>> read_tuples(const File& file, const std::string& path, Range range) {
  const std::vector<T> flat = file.read_rows<T>(path, range.first, range.count);
  std::vector<std::array<T, N>> tuples(flat.size() / N);
  for (std::size_t i = 0; i < flat.size(); ++i) tuples[i / N][i % N] = flat[i];
  return tuples;
}

template <std::size_t N>
void check_references(const File& file, const char* what, GlobalIndex first, GlobalIndex node_count,
                      const std::vector<std::array<GlobalIndex, N>>& tuples) {
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    const GlobalIndex id = first + static_cast<GlobalIndex>(i);
    auto nodes = tuples[i];
    for (const GlobalIndex node : nodes)
      if (node < 0 || node >= node_count)
        refuse(file, "{} {} refers to node {}, but nodes are 0 to {}", what, id, node, node_count - 1);
    std::sort(nodes.begin(), nodes.end());
    const auto repeated = std::adjacent_find(nodes.begin(), nodes.end());
    if (repeated != nodes.end()) refuse(file, "{} {} refers to node {} twice", what, id, *repeated);
  }
}

void check_indices(const File& file, const char* what, GlobalIndex first, const std::vector<std::int64_t>& indices,
                   const std::vector<std::string>& names, const char* list) {
  const auto limit = static_cast<std::int64_t>(names.size());
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0 || indices[i] >= limit)
      refuse(file, "{} {} has the index {} into {}, which has {} names", what, first + static_cast<GlobalIndex>(i),
             indices[i], list, limit);
}

void check_coordinates(const File& file, const MeshSlab& slab) {
  for (std::size_t i = 0; i < slab.nodes.size(); ++i) {
    const Vec3& x = slab.nodes[i];
    if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
      refuse(file, "node {} has a coordinate that is not finite ({}, {}, {})",
             slab.first_node + static_cast<GlobalIndex>(i), x[0], x[1], x[2]);
  }
}

void read_counts(const File& file, MeshSlab& slab) {
  slab.node_count = count_rows(file, "/nodes", ElementKind::real, 3);
  slab.element_count = count_rows(file, "/tetrahedra", ElementKind::integer, 4);
  slab.face_count = count_rows(file, "/faces", ElementKind::integer, 3);
  const GlobalIndex regions = count_rows(file, "/region", ElementKind::integer, 1);
  const GlobalIndex groups = count_rows(file, "/face_group", ElementKind::integer, 1);
  if (slab.element_count == 0) refuse(file, "it has no elements");
  if (regions != slab.element_count) refuse(file, "/region has {} rows for {} tetrahedra", regions, slab.element_count);
  if (groups != slab.face_count) refuse(file, "/face_group has {} rows for {} faces", groups, slab.face_count);
}

std::vector<std::int32_t> narrow(const std::vector<std::int64_t>& checked) { return {checked.begin(), checked.end()}; }

MeshSlab read_slab(const File& file, int rank, int ranks) {
  check_header(file);
  check_kind(file);
  MeshSlab slab;
  read_counts(file, slab);
  slab.region_names = read_names(file, "/region_names");
  slab.group_names = read_names(file, "/group_names");
  slab.source = file.has_attribute("/", "source") ? file.attribute<std::string>("/", "source") : file.name();
  const Range nodes = cut_slab(slab.node_count, rank, ranks);
  const Range elements = cut_slab(slab.element_count, rank, ranks);
  const Range faces = cut_slab(slab.face_count, rank, ranks);
  slab.first_node = nodes.first;
  slab.nodes = read_tuples<3, double>(file, "/nodes", nodes);
  check_coordinates(file, slab);
  slab.first_element = elements.first;
  slab.elements = read_tuples<4, GlobalIndex>(file, "/tetrahedra", elements);
  check_references(file, "tetrahedron", elements.first, slab.node_count, slab.elements);
  slab.faces = read_tuples<3, GlobalIndex>(file, "/faces", faces);
  check_references(file, "face", faces.first, slab.node_count, slab.faces);
  const auto region = file.read_rows<std::int64_t>("/region", elements.first, elements.count);
  check_indices(file, "tetrahedron", elements.first, region, slab.region_names, "/region_names");
  const auto group = file.read_rows<std::int64_t>("/face_group", faces.first, faces.count);
  check_indices(file, "face", faces.first, group, slab.group_names, "/group_names");
  slab.region = narrow(region);
  slab.face_group = narrow(group);
  return slab;
}

}  // namespace

MeshSlab read_mesh_slab(const std::filesystem::path& path, int rank, int ranks) {
  ensure(ranks > 0 && rank >= 0 && rank < ranks, "a rank is below the number of ranks");
  std::error_code failure;
  if (!std::filesystem::exists(path, failure))
    fail(ExitCode::missing_input, "{}: the mesh file is missing", path.string());
  try {
    return read_slab(File::open(path), rank, ranks);
  } catch (const UserError& error) {
    // What HDF5 cannot read in a file that is there is a broken mesh, not a broken disk.
    if (error.code() != ExitCode::io) throw;
    fail(ExitCode::bad_mesh, "{} (not a valid mesh, or cut off: make it anew with 'tetrawave mesh')", error.what());
  }
}

}  // namespace tetrawave
