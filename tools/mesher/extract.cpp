#include "extract.hpp"

#include <gmsh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "base/error.hpp"
#include "check_msh.hpp"

namespace tetrawave::mesher {
namespace {

using Tags = std::vector<std::size_t>;

struct Group {
  std::int32_t index = 0;  ///< into the list of names
  std::vector<int> entities;
};

const char* name_dimension(int dimension) {
  constexpr std::array names{"point", "curve", "surface", "volume"};
  return names.at(static_cast<std::size_t>(dimension));
}

std::string join_tags(const std::vector<int>& tags) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(tags.size(), 10); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(tags[i]);
  return tags.size() > 10 ? tetrawave::format("{} and {} more", text, tags.size() - 10) : text;
}

// Physical groups of one dimension by ascending tag. Groups of one name are one group.
std::vector<Group> read_groups(const std::string& input, int dimension, std::vector<std::string>& names) {
  gmsh::vectorpair tags;
  gmsh::model::getPhysicalGroups(tags, dimension);
  std::sort(tags.begin(), tags.end());
  std::vector<Group> groups;
  for (const auto& [dim, tag] : tags) {
    Group group;
    gmsh::model::getEntitiesForPhysicalGroup(dim, tag, group.entities);
    std::sort(group.entities.begin(), group.entities.end());
    std::string name;
    gmsh::model::getPhysicalName(dim, tag, name);
    if (name.empty())
      fail(ExitCode::bad_case, "{}: physical {} {} (entities {}) has no name: write Physical {}(\"name\") = ...", input,
           name_dimension(dim), tag, join_tags(group.entities), dim == 3 ? "Volume" : (dim == 2 ? "Surface" : "Curve"));
    if (!is_group_name(name))
      fail(ExitCode::bad_case,
           "{}: the name '{}' of physical {} {} is not allowed: letters, digits, '.', '_', '-', no "
           "leading dot or dash, at most 128 characters",
           input, name, name_dimension(dim), tag);
    const auto known = std::find(names.begin(), names.end(), name);
    group.index = static_cast<std::int32_t>(known - names.begin());
    if (known == names.end()) names.push_back(name);
    groups.push_back(std::move(group));
  }
  return groups;
}

void check_corners(const std::string& input, const std::string& type, const Tags& nodes, std::size_t nodes_each) {
  for (auto node = nodes.begin(); node != nodes.end(); node += static_cast<std::ptrdiff_t>(nodes_each)) {
    Tags sorted(node, node + static_cast<std::ptrdiff_t>(nodes_each));
    std::sort(sorted.begin(), sorted.end());
    const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
    if (repeated != sorted.end())
      fail(ExitCode::bad_mesh, "{}: an element of the kind '{}' has node {} twice: regenerate the mesh", input, type,
           *repeated);
  }
}

// Node tags of an entity's elements, all of which must be simplices of the given order.
Tags read_simplices(const std::string& input, int dimension, int entity, std::size_t nodes_each) {
  std::vector<int> types;
  std::vector<Tags> elements;
  std::vector<Tags> nodes;
  gmsh::model::mesh::getElements(types, elements, nodes, dimension, entity);
  Tags all;
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::string type;
    int type_dimension = 0;
    int order = 0;
    int count = 0;
    int corners = 0;
    std::vector<double> coordinates;
    gmsh::model::mesh::getElementProperties(types[i], type, type_dimension, order, count, coordinates, corners);
    if (corners != dimension + 1 || static_cast<std::size_t>(count) != nodes_each)
      fail(ExitCode::bad_case, "{}: {} {} holds elements of the kind '{}': only {} can be used", input,
           name_dimension(dimension), entity, type,
           dimension == 3 ? "tetrahedra" : (dimension == 2 ? "triangles" : "lines"));
    check_corners(input, type, nodes[i], nodes_each);
    all.insert(all.end(), nodes[i].begin(), nodes[i].end());
  }
  return all;
}

// Region of each entity that has one. An entity in groups of different names has none that could be right.
std::unordered_map<int, std::int32_t> map_regions(const Options& options, const std::vector<Group>& groups,
                                                  const std::vector<std::string>& names) {
  std::unordered_map<int, std::int32_t> region_of;
  for (const Group& group : groups)
    for (const int entity : group.entities) {
      const auto [known, added] = region_of.emplace(entity, group.index);
      if (!added && known->second != group.index)
        fail(ExitCode::bad_case, "{}: {} {} stands in two physical groups, '{}' and '{}': leave it in one",
             options.input.string(), name_dimension(options.dimension), entity,
             names[static_cast<std::size_t>(known->second)], names[static_cast<std::size_t>(group.index)]);
    }
  return region_of;
}

Tags read_elements(const Options& options, WholeMesh& mesh) {
  const std::string input = options.input.string();
  const std::vector<Group> groups = read_groups(input, options.dimension, mesh.region_names);
  const auto region_of = map_regions(options, groups, mesh.region_names);
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, options.dimension);
  std::sort(entities.begin(), entities.end());
  Tags all;
  std::vector<int> nameless;
  for (const auto& [dim, tag] : entities) {
    const Tags nodes = read_simplices(input, dim, tag, mesh.nodes_per_element());
    if (nodes.empty()) continue;
    const auto region = region_of.find(tag);
    if (region == region_of.end()) {
      nameless.push_back(tag);
      continue;
    }
    all.insert(all.end(), nodes.begin(), nodes.end());
    mesh.region.insert(mesh.region.end(), nodes.size() / mesh.nodes_per_element(), region->second);
  }
  if (!nameless.empty())
    fail(ExitCode::bad_case, "{}: {}{} in no physical {}: every {} needs a name, as in Physical {}(\"name\") = {{{}}};",
         input, name_dimension(options.dimension),
         (nameless.size() == 1 ? " " : "s ") + join_tags(nameless) + (nameless.size() == 1 ? " is" : " are"),
         name_dimension(options.dimension), name_dimension(options.dimension),
         options.dimension == 3 ? "Volume" : "Surface", nameless.front());
  return all;
}

// Version 2 of .msh writes an element once for each group of its entity, and Gmsh reads all copies, having forgotten
// which stood in which group. When every element is there once per group, all belong to all groups, once.
Tags drop_copies(const std::string& input, int dimension, int entity, std::size_t groups, std::size_t nodes_each,
                 const Tags& nodes) {
  std::map<Tags, std::size_t> copies;
  Tags unique;
  for (auto node = nodes.begin(); node != nodes.end(); node += static_cast<std::ptrdiff_t>(nodes_each)) {
    Tags key(node, node + static_cast<std::ptrdiff_t>(nodes_each));
    std::sort(key.begin(), key.end());
    if (++copies[key] == 1) unique.insert(unique.end(), node, node + static_cast<std::ptrdiff_t>(nodes_each));
  }
  for (const auto& [key, count] : copies)
    if (count != groups)
      fail(ExitCode::bad_case,
           "{}: elements of {} {} have different physical groups: in a .msh of version 2 give each "
           "group an elementary entity of its own, or save as version 4.1",
           input, name_dimension(dimension), entity);
  return unique;
}

Tags read_faces(const Options& options, WholeMesh& mesh) {
  const std::string input = options.input.string();
  const int dimension = options.dimension - 1;
  const std::size_t each = mesh.nodes_per_face();
  const bool has_copies = is_msh2(input);
  Tags all;
  for (const Group& group : read_groups(input, dimension, mesh.group_names))
    for (const int entity : group.entities) {
      Tags nodes = read_simplices(input, dimension, entity, each);
      std::vector<int> groups;
      gmsh::model::getPhysicalGroupsForEntity(dimension, entity, groups);
      if (has_copies && groups.size() > 1) nodes = drop_copies(input, dimension, entity, groups.size(), each, nodes);
      all.insert(all.end(), nodes.begin(), nodes.end());
      mesh.face_group.insert(mesh.face_group.end(), nodes.size() / each, group.index);
    }
  return all;
}

// Ids of nodes: ascending tags of those that elements use.
std::unordered_map<std::size_t, std::int64_t> number_nodes(const Tags& element_nodes) {
  Tags used = element_nodes;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::unordered_map<std::size_t, std::int64_t> id_of;
  id_of.reserve(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) id_of.emplace(used[i], static_cast<std::int64_t>(i));
  return id_of;
}

void read_nodes(const Options& options, const std::unordered_map<std::size_t, std::int64_t>& id_of, WholeMesh& mesh) {
  Tags tags;
  std::vector<double> coordinates;
  std::vector<double> parametric;
  gmsh::model::mesh::getNodes(tags, coordinates, parametric);
  mesh.nodes.assign(id_of.size(), Vec3{});
  std::vector<bool> found(id_of.size(), false);
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const auto id = id_of.find(tags[i]);
    if (id == id_of.end()) continue;
    const auto node = static_cast<std::size_t>(id->second);
    mesh.nodes[node] = options.unit_m * Vec3{coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
    found[node] = true;
    if (!std::isfinite(norm(mesh.nodes[node])))
      fail(ExitCode::bad_mesh, "{}: node {} has a coordinate that is not finite", options.input.string(), tags[i]);
  }
  if (std::find(found.begin(), found.end(), false) != found.end())
    fail(ExitCode::bad_mesh, "{}: an element refers to a node that is not in the mesh", options.input.string());
}

// -1 for a node that no element has.
std::vector<std::int64_t> renumber(const Tags& nodes, const std::unordered_map<std::size_t, std::int64_t>& id_of) {
  std::vector<std::int64_t> ids;
  ids.reserve(nodes.size());
  for (const std::size_t tag : nodes) {
    const auto id = id_of.find(tag);
    ids.push_back(id == id_of.end() ? -1 : id->second);
  }
  return ids;
}

void check_faces(const Options& options, const WholeMesh& mesh) {
  const auto missing = std::find(mesh.faces.begin(), mesh.faces.end(), -1);
  if (missing == mesh.faces.end()) return;
  const auto face = static_cast<std::size_t>(missing - mesh.faces.begin()) / mesh.nodes_per_face();
  fail(ExitCode::bad_case, "{}: the physical {} '{}' has parts outside of every {} with a name: leave them out of it",
       options.input.string(), name_dimension(options.dimension - 1),
       mesh.group_names[static_cast<std::size_t>(mesh.face_group[face])], name_dimension(options.dimension));
}

void check_plane(const Options& options, const WholeMesh& mesh) {
  Vec3 low = mesh.nodes.front();
  Vec3 high = low;
  for (const Vec3& node : mesh.nodes)
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], node[i]);
      high[i] = std::max(high[i], node[i]);
    }
  if (high[2] - low[2] > 1e-9 * norm(high - low))
    fail(ExitCode::bad_case, "{}: a two-dimensional mesh must lie in a plane of constant z, but z goes from {} to {} m",
         options.input.string(), low[2], high[2]);
}

}  // namespace

WholeMesh extract_mesh(const Options& options) {
  WholeMesh mesh;
  mesh.dimension = options.dimension;
  mesh.order = options.order;
  mesh.source = options.input.filename().string();
  const Tags element_nodes = read_elements(options, mesh);
  const Tags face_nodes = read_faces(options, mesh);
  const auto id_of = number_nodes(element_nodes);
  read_nodes(options, id_of, mesh);
  mesh.elements = renumber(element_nodes, id_of);
  mesh.faces = renumber(face_nodes, id_of);
  check_faces(options, mesh);
  if (mesh.dimension == 2) check_plane(options, mesh);
  return mesh;
}

}  // namespace tetrawave::mesher
