#include "mesh/make/add_layers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/text/suggest.hpp"
#include "mesh/report/setup_memory.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

namespace {

using Node = std::int64_t;
using Triangle = std::array<Node, 3>;
using Edge = std::array<Node, 2>;

constexpr std::array<const char*, 6> side_names{"-x", "+x", "-y", "+y", "-z", "+z"};

Triangle sorted(Triangle face) {
  std::sort(face.begin(), face.end());
  return face;
}
std::array<Edge, 3> edges_of(const Triangle& f) { return {{{f[0], f[1]}, {f[0], f[2]}, {f[1], f[2]}}}; }

/// One side of the box: a plane across an axis.
struct Side {
  std::size_t axis = 0;
  bool above = false;
  double plane_m = 0;
  [[nodiscard]] const char* name() const { return side_names[2 * axis + (above ? 1 : 0)]; }
};

class LayerBuilder {
 public:
  LayerBuilder(WholeMesh& mesh, const PmlLayers& layers, const FacePorts& ports, int ranks)
      : mesh_(mesh), layers_(layers), ports_(ports), ranks_(ranks) {
    ensure(mesh.dimension == 3 && mesh.order == 1, "layers are added to straight tetrahedra");
  }

  void run() {
    check_regions();
    find_groups();
    find_box();
    check_layer_thickness(layers_, layers_.thickness_m, norm(high_ - low_));
    check_faces();
    check_memory();
    for (const Side& side : sides_) extrude(side);
  }

 private:
  [[nodiscard]] const Vec3& at(Node node) const { return mesh_.nodes[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::size_t face_count() const { return mesh_.face_group.size(); }
  [[nodiscard]] Triangle face(std::size_t f) const {
    return sorted({mesh_.faces[3 * f], mesh_.faces[3 * f + 1], mesh_.faces[3 * f + 2]});
  }
  [[nodiscard]] bool is_named(std::size_t f) const { return place_of_.count(mesh_.face_group[f]) > 0; }
  [[nodiscard]] const std::string& group_of(std::size_t f) const {
    return mesh_.group_names[static_cast<std::size_t>(mesh_.face_group[f])];
  }

  void check_regions() const {
    for (const std::string& name : mesh_.region_names)
      if (std::string_view(name).size() > PmlLayers::suffix.size() &&
          std::string_view(name).substr(name.size() - PmlLayers::suffix.size()) == PmlLayers::suffix)
        fail(ExitCode::bad_case,
             "{}: error: boundaries.pml: the mesh has a volume '{}'; names that end in '{}' are those of added layers",
             layers_.place.text, name, PmlLayers::suffix);
  }

  void find_groups() {
    for (std::size_t i = 0; i < layers_.faces.size(); ++i) {
      const auto found = std::find(mesh_.group_names.begin(), mesh_.group_names.end(), layers_.faces[i]);
      if (found == mesh_.group_names.end())
        fail(ExitCode::bad_case, "{}: error: the mesh has no face group '{}'{}; its groups: {}",
             layers_.name_places[i].text, layers_.faces[i], did_you_mean(layers_.faces[i], mesh_.group_names),
             list_names(mesh_.group_names));
      place_of_[static_cast<std::int32_t>(found - mesh_.group_names.begin())] = layers_.name_places[i].text;
    }
    for (std::size_t g = 0; g < mesh_.group_names.size(); ++g)
      if (const auto port = ports_.find(mesh_.group_names[g]); port != ports_.end())
        port_of_[static_cast<std::int32_t>(g)] = port->second;
  }

  void find_box() {
    low_.fill(std::numeric_limits<double>::infinity());
    high_.fill(-std::numeric_limits<double>::infinity());
    for (const Node node : mesh_.elements)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low_[axis] = std::min(low_[axis], at(node)[axis]);
        high_[axis] = std::max(high_[axis], at(node)[axis]);
      }
    tolerance_ = 1e-8 * norm(high_ - low_);
  }

  [[nodiscard]] bool is_on(const Side& side, const Triangle& f) const {
    return std::all_of(f.begin(), f.end(),
                       [&](Node node) { return std::abs(at(node)[side.axis] - side.plane_m) <= tolerance_; });
  }

  /// The sides that contain the named faces; every named face is on one.
  void check_faces() {
    std::array<bool, 6> used{};
    for (std::size_t f = 0; f < face_count(); ++f) {
      if (!is_named(f)) continue;
      const Triangle triangle = face(f);
      bool found = false;
      for (std::size_t k = 0; k < 6; ++k)
        if (is_on(side(k), triangle)) found = used[k] = true;
      if (!found) refuse(f);
    }
    for (std::size_t k = 0; k < 6; ++k)
      if (used[k]) sides_.push_back(side(k));
  }
  [[nodiscard]] Side side(std::size_t k) const { return {k / 2, k % 2 == 1, k % 2 == 1 ? high_[k / 2] : low_[k / 2]}; }

  [[noreturn]] void refuse(std::size_t f) const {
    const Triangle t = face(f);
    const Vec3 normal = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
    const Vec3 centre = (1. / 3) * (at(t[0]) + at(t[1]) + at(t[2]));
    const auto flat = [&](std::size_t axis) {
      return std::abs(at(t[1])[axis] - at(t[0])[axis]) <= tolerance_ &&
             std::abs(at(t[2])[axis] - at(t[0])[axis]) <= tolerance_;
    };
    const std::string& place = place_of_.at(mesh_.face_group[f]);
    if (!flat(0) && !flat(1) && !flat(2))
      fail(ExitCode::bad_case,
           "{}: error: boundaries.pml.faces: '{}' is not made of planes normal to x, y or z: its "
           "triangle at ({:.6g}, {:.6g}, {:.6g}) m has the normal ({:.4f}, {:.4f}, {:.4f})",
           place, group_of(f), centre[0], centre[1], centre[2], normal[0] / norm(normal), normal[1] / norm(normal),
           normal[2] / norm(normal));
    fail(ExitCode::bad_case,
         "{}: error: boundaries.pml.faces: '{}' is not on the bounding box of the mesh, ({:.6g}, "
         "{:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m: its triangle at ({:.6g}, {:.6g}, {:.6g}) "
         "m",
         place, group_of(f), low_[0], low_[1], low_[2], high_[0], high_[1], high_[2], centre[0], centre[1], centre[2]);
  }

  /// A layer on one side. Its triangles' nodes get `cells` copies each.
  void extrude(const Side& side) {
    std::map<Triangle, std::int32_t> group;  // of the triangles on this side
    for (std::size_t f = 0; f < face_count(); ++f)
      if (is_named(f) && is_on(side, face(f))) group.emplace(face(f), mesh_.face_group[f]);
    const auto walls = find_walls(group, side);
    const auto regions = find_regions(group, side);
    const auto copies = copy_nodes(group, side);
    const auto node = [&](Node base, std::int64_t level) { return level == 0 ? base : copies.at(base) + level - 1; };
    remove_faces(group);
    for (const auto& [triangle, owner] : group) {
      for (std::int64_t level = 0; level < layers_.cells; ++level) {
        const auto& [a, b, c] = triangle;
        const Node top_a = node(a, level + 1), top_b = node(b, level + 1), top_c = node(c, level + 1);
        const Node low_a = node(a, level), low_b = node(b, level), low_c = node(c, level);
        add_element({low_a, low_b, low_c, top_c}, regions.at(triangle));
        add_element({low_a, low_b, top_b, top_c}, regions.at(triangle));
        add_element({low_a, top_a, top_b, top_c}, regions.at(triangle));
      }
      add_face({node(triangle[0], layers_.cells), node(triangle[1], layers_.cells), node(triangle[2], layers_.cells)},
               owner);
    }
    for (const auto& [edge, groups] : walls)
      for (const std::int32_t g : groups)
        for (std::int64_t level = 0; level < layers_.cells; ++level) {
          const Node low_a = node(edge[0], level), low_b = node(edge[1], level);
          add_face({low_a, low_b, node(edge[1], level + 1)}, g);
          add_face({low_a, node(edge[0], level + 1), node(edge[1], level + 1)}, g);
        }
  }

  /// Number of extruded triangles, on all sides: each side also gets the faces that earlier sides add along common
  /// edges, and these again where a third side meets them.
  [[nodiscard]] double count_triangles() const {
    std::array<double, 6> triangles{};
    std::array<std::array<double, 6>, 6> edges{};  // of a side that lie on another
    for (std::size_t f = 0; f < face_count(); ++f)
      for (std::size_t s = 0; s < sides_.size(); ++s) {
        if (!is_named(f) || !is_on(sides_[s], face(f))) continue;
        ++triangles[s];
        for (const Edge& edge : edges_of(face(f)))
          for (std::size_t q = 0; q < sides_.size(); ++q)
            if (is_on(sides_[q], {edge[0], edge[0], edge[1]})) ++edges[s][q];
      }
    const auto cells = static_cast<double>(layers_.cells);
    double sum = 0;
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      sum += triangles[s];
      for (std::size_t q = 0; q < s; ++q) {
        if (sides_[q].axis == sides_[s].axis) continue;
        double along = edges[s][q];
        for (std::size_t p = 0; p < q; ++p)
          if (sides_[p].axis != sides_[q].axis && edges[s][p] > 0 && edges[q][p] > 0) along += cells;
        sum += 2 * cells * along;
      }
    }
    return sum;
  }

  /// Otherwise the system would kill the process without a message.
  void check_memory() const {
    const double prisms = static_cast<double>(layers_.cells) * count_triangles();
    const double elements = static_cast<double>(mesh_.region.size()) + 3 * prisms;
    const double nodes = static_cast<double>(mesh_.nodes.size()) + prisms / 2;  // a node has about two triangles
    double needed = elements * (4 * sizeof(Node) + sizeof(std::int32_t)) + nodes * sizeof(Vec3);
    if (ranks_ > 0 && elements < 0x1p40) {
      const auto all = static_cast<std::int64_t>(elements), points = static_cast<std::int64_t>(nodes);
      needed = std::max(needed, static_cast<double>(peak_of_mesh_setup({all / ranks_, points / ranks_, 0, all, points},
                                                                       all / ranks_, ranks_, true)));
    }
    const auto available = available_bytes();
    if (!available || needed <= static_cast<double>(*available)) return;
    fail(ExitCode::out_of_memory,
         "{}: error: boundaries.pml: with layers of {} cells the mesh has {:.3g} elements, which take about {} of host "
         "memory, but {} are there: use fewer cells, or a coarser mesh",
         layers_.place.text, layers_.cells, elements, describe_bytes(static_cast<std::int64_t>(std::min(needed, 9e18))),
         describe_bytes(*available));
  }

  /// Per edge of the triangles: the groups of other named faces that end there.
  [[nodiscard]] std::map<Edge, std::set<std::int32_t>> find_walls(const std::map<Triangle, std::int32_t>& group,
                                                                  const Side& side) const {
    std::set<Edge> edges;
    for (const auto& entry : group)
      for (const Edge& edge : edges_of(entry.first)) edges.insert(edge);
    std::map<Edge, std::set<std::int32_t>> walls;
    for (std::size_t f = 0; f < face_count(); ++f) {
      if (group.count(face(f)) > 0) continue;
      for (const Edge& edge : edges_of(face(f))) {
        if (edges.count(edge) == 0) continue;
        if (const auto port = port_of_.find(mesh_.face_group[f]); port != port_of_.end())
          fail(ExitCode::bad_case,
               "{}: error: boundaries.pml.faces: the face '{}' of port '{}' reaches the layer on the {} side; keep it "
               "away from the surfaces that layers are added to",
               layers_.place.text, group_of(f), port->second, side.name());
        walls[edge].insert(mesh_.face_group[f]);
      }
    }
    return walls;
  }

  /// Per triangle the layer's region for the element behind it.
  [[nodiscard]] std::map<Triangle, std::int32_t> find_regions(const std::map<Triangle, std::int32_t>& group,
                                                              const Side& side) {
    std::map<Triangle, std::int32_t> regions;
    std::vector<std::uint8_t> on_side(mesh_.nodes.size(), 0);
    for (const auto& entry : group)
      for (const Node node : entry.first) on_side[static_cast<std::size_t>(node)] = 1;
    for (std::size_t e = 0; e < mesh_.region.size(); ++e) {
      int corners = 0;
      for (std::size_t v = 0; v < 4; ++v) corners += on_side[static_cast<std::size_t>(mesh_.elements[4 * e + v])];
      if (corners < 3) continue;
      for (const auto& [a, b, c] : face_corners) {
        const Triangle triangle =
            sorted({mesh_.elements[4 * e + a], mesh_.elements[4 * e + b], mesh_.elements[4 * e + c]});
        if (group.count(triangle) > 0) regions.emplace(triangle, layer_of(mesh_.region[e]));
      }
    }
    for (const auto& entry : group)
      if (regions.count(entry.first) == 0)
        fail(ExitCode::bad_mesh, "{}: error: a face of '{}' on the {} side belongs to no element", layers_.place.text,
             mesh_.group_names[static_cast<std::size_t>(entry.second)], side.name());
    return regions;
  }

  std::int32_t layer_of(std::int32_t region) {
    const std::string name = mesh_.region_names[static_cast<std::size_t>(region)];
    if (region >= first_layer_ && first_layer_ >= 0) return region;
    const std::string wanted = name + std::string(PmlLayers::suffix);
    const auto found = std::find(mesh_.region_names.begin(), mesh_.region_names.end(), wanted);
    if (found != mesh_.region_names.end()) return static_cast<std::int32_t>(found - mesh_.region_names.begin());
    if (first_layer_ < 0) first_layer_ = static_cast<std::int32_t>(mesh_.region_names.size());
    mesh_.region_names.push_back(wanted);
    return static_cast<std::int32_t>(mesh_.region_names.size()) - 1;
  }

  /// First copy of every node of the triangles.
  [[nodiscard]] std::map<Node, Node> copy_nodes(const std::map<Triangle, std::int32_t>& group, const Side& side) {
    std::map<Node, Node> copies;
    for (const auto& entry : group)
      for (const Node node : entry.first) copies.emplace(node, 0);
    const auto cells = static_cast<double>(layers_.cells);
    for (auto& [node, first] : copies) {
      first = static_cast<Node>(mesh_.nodes.size());
      for (std::int64_t level = 1; level <= layers_.cells; ++level) {
        Vec3 place = at(node);
        const double depth = layers_.thickness_m * (static_cast<double>(level) / cells);
        place[side.axis] = side.plane_m + (side.above ? depth : -depth);
        mesh_.nodes.push_back(place);
      }
    }
    return copies;
  }

  void remove_faces(const std::map<Triangle, std::int32_t>& group) {
    std::size_t kept = 0;
    for (std::size_t f = 0; f < face_count(); ++f) {
      const Triangle triangle = face(f);
      const auto found = group.find(triangle);
      if (found != group.end() && found->second == mesh_.face_group[f]) continue;
      for (std::size_t k = 0; k < 3; ++k) mesh_.faces[3 * kept + k] = mesh_.faces[3 * f + k];
      mesh_.face_group[kept++] = mesh_.face_group[f];
    }
    mesh_.faces.resize(3 * kept);
    mesh_.face_group.resize(kept);
  }

  void add_face(const Triangle& triangle, std::int32_t group) {
    mesh_.faces.insert(mesh_.faces.end(), triangle.begin(), triangle.end());
    mesh_.face_group.push_back(group);
  }
  void add_element(std::array<Node, 4> nodes, std::int32_t region) {
    if (signed_volume({at(nodes[0]), at(nodes[1]), at(nodes[2]), at(nodes[3])}) < 0) std::swap(nodes[2], nodes[3]);
    mesh_.elements.insert(mesh_.elements.end(), nodes.begin(), nodes.end());
    mesh_.region.push_back(region);
  }

  WholeMesh& mesh_;
  const PmlLayers& layers_;
  const FacePorts& ports_;
  int ranks_;
  std::map<std::int32_t, std::string> place_of_;  ///< of the names of groups with layers, in the case
  std::map<std::int32_t, std::string> port_of_;   ///< names of ports by group
  Vec3 low_{}, high_{};                           ///< the box around the mesh
  double tolerance_ = 0;
  std::int32_t first_layer_ = -1;  ///< regions from here on are layers
  std::vector<Side> sides_;
};

}  // namespace

void add_layers(WholeMesh& mesh, const PmlLayers& layers, const FacePorts& ports, int ranks) {
  LayerBuilder(mesh, layers, ports, ranks).run();
}

void check_layer_thickness(const PmlLayers& layers, double thickness_m, double mesh_m) {
  const double least_m = 1e-6 * mesh_m;
  if (thickness_m < least_m)
    fail(ExitCode::bad_case,
         "{}: error: boundaries.pml: a layer of {:.3g} m is too thin for a mesh of {:.3g} m: at least {:.3g} m",
         layers.place.text, thickness_m, mesh_m, least_m);
}

}  // namespace tetrawave
