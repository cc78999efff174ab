#include "mesh/file/mesh_file_checks.hpp"

#include <algorithm>
#include <compare>
#include <set>

#include "base/parallel.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

using store::ElementKind;
using store::File;

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
    refuse(file, "format version {} is not known (this program reads version {}); regenerate the mesh", version,
           mesh_format_version);
  if (!file.has_attribute("/", "units") || file.attribute<std::string>("/", "units") != "m")
    refuse(file, "the attribute units = \"m\" is missing");
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
    if (!seen.insert(name).second) refuse(file, "the name '{}' occurs twice in {}", name, path);
  }
  return names;
}

void check_indices(const File& file, const char* what, GlobalIndex first, const std::vector<std::int64_t>& indices,
                   const std::vector<std::string>& names, const char* list) {
  const auto limit = static_cast<std::int64_t>(names.size());
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0 || indices[i] >= limit)
      refuse(file, "{} {} has the index {} into {}, which has {} names", what, first + static_cast<GlobalIndex>(i),
             indices[i], list, limit);
}

namespace {

/// An edge with the node on it.
struct EdgeNode {
  std::array<GlobalIndex, 2> edge{};  ///< ascending
  GlobalIndex node = 0;
  [[nodiscard]] auto operator<=>(const EdgeNode&) const = default;
};

EdgeNode make_edge(GlobalIndex a, GlobalIndex b, GlobalIndex node) { return {{std::min(a, b), std::max(a, b)}, node}; }

}  // namespace

void check_middles(const File& file, const MeshSlab& slab, int threads) {
  std::vector<EdgeNode> edges(6 * slab.elements.size());
  for_each_index(slab.elements.size(), threads, [&](std::size_t e) {
    for (std::size_t k = 0; k < 6; ++k)
      edges[6 * e + k] =
          make_edge(slab.elements[e][edge_corners[k][0]], slab.elements[e][edge_corners[k][1]], slab.middles[e][k]);
  });
  sort_once(edges, threads);
  for (std::size_t k = 1; k < edges.size(); ++k)
    if (edges[k].edge == edges[k - 1].edge)
      refuse(file, "the edge from node {} to node {} has the node {} on it in one tetrahedron, {} in another",
             edges[k].edge[0], edges[k].edge[1], edges[k - 1].node, edges[k].node);
  std::vector<GlobalIndex> nodes;
  nodes.reserve(4 * slab.elements.size());
  for (const auto& element : slab.elements) nodes.insert(nodes.end(), element.begin(), element.end());
  sort_once(nodes, threads);
  for (const EdgeNode& edge : edges) nodes.push_back(edge.node);
  sort_list(nodes, threads);
  const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
  if (twice != nodes.end()) refuse(file, "node {} lies on two edges, or is a corner too", *twice);
  constexpr std::array<std::array<std::size_t, 2>, 3> sides{{{0, 1}, {0, 2}, {1, 2}}};
  for_each_index(slab.faces.size(), threads, [&](std::size_t f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const EdgeNode side = make_edge(slab.faces[f][sides[k][0]], slab.faces[f][sides[k][1]], slab.face_middles[f][k]);
      if (!std::binary_search(edges.begin(), edges.end(), side))
        refuse(file, "face {} has node {} on its edge from node {} to node {}, but no tetrahedron has", f, side.node,
               side.edge[0], side.edge[1]);
    }
  });
}

}  // namespace tetrawave
