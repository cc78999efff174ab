#include <algorithm>

#include "base/error.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh/file/mesh_quality.hpp"
#include "store/atomic_file.hpp"
#include "store/hdf5.hpp"

namespace tetrawave {
namespace {

void write_quality(const store::File& file, const WholeMesh& mesh) {
  const MeshQuality quality = measure_quality(mesh.nodes, mesh.elements, mesh.nodes_per_element(), mesh.dimension);
  file.set_attribute("/", "min_radius_ratio", quality.min_radius_ratio);
  file.set_attribute("/", "median_radius_ratio", quality.median_radius_ratio);
  file.set_attribute("/", mesh.dimension == 3 ? "min_dihedral_angle_deg" : "min_angle_deg", quality.min_angle_deg);
  file.set_attribute("/", "min_edge_m", quality.min_edge_m);
  file.set_attribute("/", "median_edge_m", quality.median_edge_m);
  file.set_attribute("/", "max_edge_m", quality.max_edge_m);
}

void write_contents(const std::filesystem::path& path, const WholeMesh& mesh) {
  const auto element_count = static_cast<std::int64_t>(mesh.region.size());
  const auto face_count = static_cast<std::int64_t>(mesh.face_group.size());
  store::File file = store::File::create(path, store::TextStyle::fixed);
  file.write("/nodes", mesh.nodes, "m");
  file.write(mesh.dimension == 3 ? "/tetrahedra" : "/triangles", mesh.elements, "",
             {element_count, static_cast<std::int64_t>(mesh.nodes_per_element())});
  file.write("/region", mesh.region);
  file.write("/region_names", mesh.region_names);
  file.write(mesh.dimension == 3 ? "/faces" : "/edges", mesh.faces, "",
             {face_count, static_cast<std::int64_t>(mesh.nodes_per_face())});
  file.write("/face_group", mesh.face_group);
  file.write("/group_names", mesh.group_names);
  file.set_attribute("/", "format", "tetrawave-mesh");
  file.set_attribute("/", "version", mesh_format_version);
  file.set_attribute("/", "units", "m");
  file.set_attribute("/", "source", mesh.source);
  write_quality(file, mesh);
  file.close();
}

}  // namespace

void write_mesh(const std::filesystem::path& path, const WholeMesh& mesh) {
  ensure(mesh.elements.size() == mesh.region.size() * mesh.nodes_per_element(), "every element has a region");
  ensure(mesh.faces.size() == mesh.face_group.size() * mesh.nodes_per_face(), "every face has a group");
  const auto node_count = static_cast<std::int64_t>(mesh.nodes.size());
  const auto in_range = [node_count](std::int64_t node) { return node >= 0 && node < node_count; };
  ensure(std::all_of(mesh.elements.begin(), mesh.elements.end(), in_range), "elements refer to nodes of the mesh");
  ensure(std::all_of(mesh.faces.begin(), mesh.faces.end(), in_range), "faces refer to nodes of the mesh");
  store::write_atomically(path, [&mesh](const std::filesystem::path& temporary) { write_contents(temporary, mesh); });
}

WholeMesh make_whole(const MeshSlab& slab) {
  ensure(static_cast<GlobalIndex>(slab.elements.size()) == slab.element_count, "the slab is the whole mesh");
  WholeMesh mesh;
  mesh.order = slab.middles.empty() ? 1 : 2;
  mesh.nodes = slab.nodes;
  for (std::size_t e = 0; e < slab.elements.size(); ++e) {
    mesh.elements.insert(mesh.elements.end(), slab.elements[e].begin(), slab.elements[e].end());
    if (mesh.order == 1) continue;
    const auto& on = slab.middles[e];
    mesh.elements.insert(mesh.elements.end(), {on[0], on[3], on[1], on[2], on[5], on[4]});  // Gmsh's order
  }
  mesh.region = slab.region;
  for (std::size_t f = 0; f < slab.faces.size(); ++f) {
    mesh.faces.insert(mesh.faces.end(), slab.faces[f].begin(), slab.faces[f].end());
    if (mesh.order == 1) continue;
    const auto& on = slab.face_middles[f];
    mesh.faces.insert(mesh.faces.end(), {on[0], on[2], on[1]});
  }
  mesh.face_group = slab.face_group;
  mesh.region_names = slab.region_names;
  mesh.group_names = slab.group_names;
  mesh.source = slab.source;
  return mesh;
}

bool is_group_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  return !name.empty() && name.size() <= 128 && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), allowed);
}

}  // namespace tetrawave
