#include "modes/planar/setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/text/suggest.hpp"
#include "case/error_list.hpp"
#include "case/region_media.hpp"
#include "mesh/report/fingerprint.hpp"
#include "modes/assembly_2d/setup.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"

namespace tetrawave::modes {

namespace {

using fem::PlanarEdge;

constexpr std::int32_t unused = -1;

double distance(const Point2& a, const Point2& b) { return std::hypot(b[0] - a[0], b[1] - a[1]); }

class PlanarBuilder {
 public:
  PlanarBuilder(const Case& given, TriangleMesh mesh) : given_(given), spec_(*given.planar) {
    setup_.mesh = std::move(mesh);
    setup_.mesh_hash = hash_of_mesh(setup_.mesh);
  }

  PlanarSetup run() {
    const fem::PlanarKind kind = spec_.field == PlanarField::e_xy ? fem::PlanarKind::edge : fem::PlanarKind::nodal;
    setup_.space = fem::make_planar_space(setup_.mesh, kind, spec_.order);
    ErrorList errors;
    errors.collect([&] { setup_.media = media_of_regions(given_, setup_.mesh.region_names); });
    errors.collect([&] { find_layers(); });
    list_uses(errors);
    errors.throw_if_any();
    sort_edges(errors);
    errors.throw_if_any();
    fix_unknowns();
    for (std::size_t p = 0; p < given_.ports.size(); ++p) errors.collect([&] { add_port(p); });
    errors.collect([&] { find_outer_region(); });
    errors.throw_if_any();
    return std::move(setup_);
  }

 private:
  [[nodiscard]] std::array<std::int32_t, 2> ends_of(const PlanarEdge& edge) const {
    const auto [a, b] = fem::planar_edges[static_cast<std::size_t>(edge.edge)];
    const std::size_t first = setup_.mesh.nodes_per_element() * static_cast<std::size_t>(edge.element);
    return {setup_.mesh.elements[first + a], setup_.mesh.elements[first + b]};
  }

  [[nodiscard]] const Point2& node(std::int32_t id) const { return setup_.mesh.nodes[static_cast<std::size_t>(id)]; }

  void find_layers() {
    const auto& names = setup_.mesh.region_names;
    setup_.is_layer.assign(names.size(), false);
    if (given_.pml)
      for (const std::string& name : given_.pml->regions)
        if (const auto found = std::find(names.begin(), names.end(), name); found != names.end())
          setup_.is_layer[static_cast<std::size_t>(found - names.begin())] = true;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    setup_.inner_box = setup_.outer_box = {Point2{infinite, infinite}, Point2{-infinite, -infinite}};
    const std::size_t each = setup_.mesh.nodes_per_element();
    for (std::size_t k = 0; k < setup_.mesh.elements.size(); ++k)
      for (std::size_t x = 0; x < 2; ++x) {
        const double at = node(setup_.mesh.elements[k])[x];
        setup_.outer_box[0][x] = std::min(setup_.outer_box[0][x], at);
        setup_.outer_box[1][x] = std::max(setup_.outer_box[1][x], at);
        if (setup_.is_layer[static_cast<std::size_t>(setup_.mesh.region[k / each])]) continue;
        setup_.inner_box[0][x] = std::min(setup_.inner_box[0][x], at);
        setup_.inner_box[1][x] = std::max(setup_.inner_box[1][x], at);
      }
    check_layers();
  }

  void check_layers() const {
    if (!given_.pml) return;
    const double slack = 1e-9 * distance(setup_.outer_box[0], setup_.outer_box[1]);
    for (std::size_t e = 0; e < setup_.mesh.element_count(); ++e) {
      if (!setup_.is_layer[static_cast<std::size_t>(setup_.mesh.region[e])]) continue;
      Point2 low{1e300, 1e300}, high{-1e300, -1e300};
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t x = 0; x < 2; ++x) {
          const double at = node(setup_.mesh.elements[setup_.mesh.nodes_per_element() * e + c])[x];
          low[x] = std::min(low[x], at);
          high[x] = std::max(high[x], at);
        }
      const bool beside = high[0] <= setup_.inner_box[0][0] + slack || low[0] >= setup_.inner_box[1][0] - slack ||
                          high[1] <= setup_.inner_box[0][1] + slack || low[1] >= setup_.inner_box[1][1] - slack;
      if (!beside)
        fail(ExitCode::bad_case,
             "{}: error: boundaries.pml.regions: the layer has a triangle at ({:.6g}, {:.6g}) m, inside of the "
             "rectangle around all other regions; layers lie outside of it",
             given_.pml->place.text, low[0], low[1]);
    }
  }

  /// Of every physical curve that the case names: the number of its boundary, or of its port behind them.
  void list_uses(ErrorList& errors) {
    const auto& names = setup_.mesh.group_names;
    use_of_group_.assign(names.size(), unused);
    const auto add = [&](const std::string& name, const Place& place, const std::string& key, std::size_t use) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        fail(ExitCode::bad_case, "{}: error: {}: the mesh has no curve '{}'{}; its curves: {}", place.text, key, name,
             did_you_mean(name, names), list_names(names));
      use_of_group_[static_cast<std::size_t>(found - names.begin())] = static_cast<std::int32_t>(use);
    };
    for (std::size_t b = 0; b < given_.boundaries.size(); ++b)
      errors.collect([&] { add(given_.boundaries[b].group, given_.boundaries[b].place, "boundaries", b); });
    for (std::size_t p = 0; p < given_.ports.size(); ++p)
      errors.collect([&] {
        add(given_.ports[p].boundary, given_.ports[p].boundary_place, tetrawave::format("ports.{}.boundary", p),
            given_.boundaries.size() + p);
      });
  }

  static std::uint64_t key_of(std::int32_t a, std::int32_t b) {
    return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint32_t>(std::max(a, b));
  }

  [[nodiscard]] std::string describe(const PlanarEdge& edge) const {
    const auto [a, b] = ends_of(edge);
    return tetrawave::format("({:.6g}, {:.6g}) to ({:.6g}, {:.6g}) m", node(a)[0], node(a)[1], node(b)[0], node(b)[1]);
  }

  void sort_edges(ErrorList& errors) {
    std::unordered_map<std::uint64_t, std::int32_t> use_of;
    const std::size_t each = setup_.mesh.nodes_per_edge();
    for (std::size_t k = 0; k < setup_.mesh.edge_group.size(); ++k) {
      const std::int32_t use = use_of_group_[static_cast<std::size_t>(setup_.mesh.edge_group[k])];
      if (use == unused) continue;
      const std::uint64_t key = key_of(setup_.mesh.edges[each * k], setup_.mesh.edges[each * k + 1]);
      const auto [found, is_new] = use_of.emplace(key, use);
      if (!is_new && found->second != use)
        fail(ExitCode::bad_case,
             "{}: error: boundaries: an edge of the mesh at ({:.6g}, {:.6g}) m is in two curves with conditions",
             given_.boundaries_place.text, node(setup_.mesh.edges[each * k])[0], node(setup_.mesh.edges[each * k])[1]);
    }
    edges_of_port_.resize(given_.ports.size());
    std::size_t bare = 0;
    std::optional<PlanarEdge> bare_edge;
    for (std::size_t k = 0; k < setup_.space.first.size(); ++k) {
      const PlanarEdge& edge = setup_.space.first[k];
      const bool outer = setup_.space.second[k].element < 0;
      if (!outer) add_layer_border(k);
      const auto [a, b] = ends_of(edge);
      const auto found = use_of.find(key_of(a, b));
      if (found != use_of.end())
        errors.collect([&] { add_edge(edge, static_cast<std::size_t>(found->second), outer); });
      else if (outer && given_.default_boundary)
        setup_.walls.push_back({edge, *given_.default_boundary, nullptr});
      else if (outer && bare++ == 0)
        bare_edge = edge;
    }
    if (bare > 0)
      errors.collect([&] {
        fail(ExitCode::bad_case,
             "{}: error: boundaries: {} outer edges of the mesh have no condition, one from {}: name their curves in a "
             "list, or give 'default'",
             given_.boundaries_place.text, bare, describe(*bare_edge));
      });
  }

  void add_layer_border(std::size_t edge) {
    const PlanarEdge &a = setup_.space.first[edge], &b = setup_.space.second[edge];
    const bool layer_a = setup_.is_layer[setup_.region_of(a.element)];
    const bool layer_b = setup_.is_layer[setup_.region_of(b.element)];
    if (layer_a != layer_b) setup_.layer_border.push_back(layer_a ? b : a);
  }

  void add_edge(const PlanarEdge& edge, std::size_t use, bool outer) {
    if (use >= given_.boundaries.size()) {
      const std::size_t port = use - given_.boundaries.size();
      if (!outer)
        fail(ExitCode::bad_case, "{}: error: ports.{}.boundary: '{}' has an edge inside the mesh, from {}",
             given_.ports[port].boundary_place.text, port, given_.ports[port].boundary, describe(edge));
      edges_of_port_[port].push_back(edge);
      return;
    }
    const BoundarySpec& spec = given_.boundaries[use];
    const bool sheet = spec.kind == BoundaryKind::pec || spec.kind == BoundaryKind::impedance;
    if (!outer && !sheet)
      fail(ExitCode::bad_case,
           "{}: error: boundaries: '{}' has an edge inside the mesh, from {}; only pec and impedance have sheets there",
           spec.place.text, spec.group, describe(edge));
    if (!outer && spec.kind == BoundaryKind::pec && spec_.field == PlanarField::h_z)
      fail(ExitCode::bad_case,
           "{}: error: boundaries.pec: '{}' is a sheet inside the mesh, across which H_z jumps: use planar.field: E_xy",
           spec.place.text, spec.group);
    if (!outer && spec.kind == BoundaryKind::impedance && spec_.field == PlanarField::h_z)
      fail(
          ExitCode::bad_case,
          "{}: error: boundaries.impedance: '{}' is a sheet inside the mesh, across which H_z jumps: use planar.field: "
          "E_xy",
          spec.place.text, spec.group);
    setup_.walls.push_back({edge, spec.kind, &spec});
  }

  [[nodiscard]] std::int32_t number_of(const PlanarEdge& edge) const {
    return setup_.space.edge_of[static_cast<std::size_t>(3 * edge.element + edge.edge)];
  }

  void fix_unknowns() {
    const BoundaryKind fixes = spec_.field == PlanarField::h_z ? BoundaryKind::pmc : BoundaryKind::pec;
    std::vector<std::int32_t> fixed;
    for (const PlanarWall& wall : setup_.walls)
      if (wall.kind == fixes) fixed.push_back(number_of(wall.edge));
    setup_.space.number(fixed);
    if (setup_.space.unknowns == 0)
      fail(ExitCode::bad_case, "{}: error: no field is left to solve for: all of the mesh is on walls",
           given_.boundaries_place.text);
  }

  /// The two ends of a line of edges. Throws if they are not one straight line.
  [[nodiscard]] std::array<std::int32_t, 2> ends_of_port(std::size_t port) const {
    const PortDescription& spec = given_.ports[port];
    std::unordered_map<std::int32_t, int> uses;
    for (const PlanarEdge& edge : edges_of_port_[port])
      for (const std::int32_t end : ends_of(edge)) ++uses[end];
    std::vector<std::int32_t> ends;
    for (const auto& [id, count] : uses)
      if (count == 1) ends.push_back(id);
    const auto refuse = [&] {
      fail(ExitCode::bad_case, "{}: error: ports.{}.boundary: '{}' is not one straight line from wall to wall",
           spec.boundary_place.text, port, spec.boundary);
    };
    if (ends.size() != 2) refuse();
    const Point2 &a = node(ends[0]), &b = node(ends[1]);
    const double length = distance(a, b);
    for (const auto& [id, count] : uses) {
      const Point2& x = node(id);
      const double beside = ((b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0])) / length;
      if (std::abs(beside) > 1e-6 * length) refuse();
    }
    return {ends[0], ends[1]};
  }

  /// The condition of the walls that a port ends at: pec or pmc.
  [[nodiscard]] BoundaryKind wall_at(const std::array<std::int32_t, 2>& ends, std::size_t port) const {
    std::array<std::optional<BoundaryKind>, 2> kinds;
    for (const PlanarWall& wall : setup_.walls)
      for (const std::int32_t end : ends_of(wall.edge))
        for (std::size_t k = 0; k < 2; ++k)
          if (end == ends[k]) kinds[k] = wall.kind;
    const bool fits =
        kinds[0] && kinds[0] == kinds[1] && (*kinds[0] == BoundaryKind::pec || *kinds[0] == BoundaryKind::pmc);
    if (!fits)
      fail(ExitCode::bad_case, "{}: error: ports.{}.boundary: '{}' must end at two walls of pec, or at two of pmc",
           given_.ports[port].boundary_place.text, port, given_.ports[port].boundary);
    return *kinds[0];
  }

  [[nodiscard]] std::size_t region_of_port(std::size_t port) const {
    const PortDescription& spec = given_.ports[port];
    const std::size_t region = setup_.region_of(edges_of_port_[port].front().element);
    for (const PlanarEdge& edge : edges_of_port_[port])
      if (!(setup_.media[setup_.region_of(edge.element)] == setup_.media[region]))
        fail(ExitCode::bad_case, "{}: error: ports.{}.boundary: '{}' is in several media; a port is in one",
             spec.boundary_place.text, port, spec.boundary);
    const Medium& medium = setup_.media[region];
    if (!medium.is_lossless() || medium.is_dispersive() || !medium.is_isotropic() || setup_.is_layer[region])
      fail(ExitCode::bad_case,
           "{}: error: ports.{}.boundary: the medium at '{}' must be lossless, isotropic and without dispersion",
           spec.boundary_place.text, port, spec.boundary);
    return region;
  }

  void add_port(std::size_t p) {
    const PortDescription& spec = given_.ports[p];
    PlanarPort port;
    const auto ends = ends_of_port(p);
    port.region = region_of_port(p);
    const BoundaryKind wall = wall_at(ends, p);
    const bool vanishes = (spec_.field == PlanarField::e_z) == (wall == BoundaryKind::pec);
    Point2 start = node(ends[0]), stop = node(ends[1]);
    const double width = distance(start, stop);
    const std::size_t along = std::abs(stop[0] - start[0]) > std::abs(stop[1] - start[1]) ? 0 : 1;
    if (stop[along] < start[along]) std::swap(start, stop);
    const Point2 direction{(stop[0] - start[0]) / width, (stop[1] - start[1]) / width};
    const Point2 normal = fem::points_on_edge(setup_.mesh, setup_.space, edges_of_port_[p].front()).front().normal;
    port.polarity = normal[0] * direction[1] - normal[1] * direction[0] > 0 ? 1 : -1;
    const int half_waves = spec.half_waves.value_or(vanishes ? 1 : 0);
    if (half_waves == 0 && vanishes)
      fail(ExitCode::bad_case, "{}: error: ports.{}.half_waves: between these walls the lowest mode has one half wave",
           spec.place.text, p);
    const Medium& medium = setup_.media[port.region];
    const double index = std::sqrt(medium.eps_r * medium.mu_r);
    const double highest_hz = wanted_frequencies(given_).all_hz.back();
    const auto propagating = static_cast<std::size_t>(2 * width * index * highest_hz / c0_m_per_s) + 1;
    constexpr std::size_t decaying = 8;
    const std::size_t most = std::max(propagating, static_cast<std::size_t>(half_waves)) + decaying;
    port.modes =
        fem::make_plate_modes(setup_.mesh, setup_.space, edges_of_port_[p], start, direction, width, vanishes, most);
    port.mode = static_cast<std::size_t>(half_waves) - (vanishes ? 1 : 0);
    if (port.mode >= port.modes.moments.size())
      fail(ExitCode::bad_case, "{}: error: ports.{}.half_waves: the mesh is too coarse for {} half waves at '{}'",
           spec.place.text, p, half_waves, spec.boundary);
    port.model.name = spec.name;
    port.model.kind = half_waves == 0 ? results::PortModel::Kind::line : results::PortModel::Kind::waveguide;
    port.model.impedance_ohm = eta0_ohm * medium.impedance();
    port.model.refractive_index = index;
    port.model.cutoff_hz = half_waves * c0_m_per_s / (2 * width * index);
    port.model.tm = spec_.field != PlanarField::e_z;
    port.model.reference_plane_m = spec.reference_plane_m;
    setup_.ports.push_back(std::move(port));
  }

  /// Elements next to absorbing walls and layers are of one simple medium where waves come from or go to.
  void find_outer_region() {
    for (const PlanarWall& wall : setup_.walls)
      if (wall.is_open() && !setup_.media[setup_.region_of(wall.edge.element)].is_isotropic())
        fail(ExitCode::bad_case, "{}: error: boundaries.absorbing: the wall is in an anisotropic medium from {}",
             given_.boundaries_place.text, describe(wall.edge));
    const bool waves = !given_.plane_waves.empty();
    if (!waves && !given_.outputs.far_field) return;
    const Place& place = waves ? given_.plane_waves.front().place : given_.outputs.far_field->place;
    const char* key = waves ? "plane_waves" : "outputs.far_field";
    const auto add = [&](const PlanarEdge& edge) {
      const std::size_t region = setup_.region_of(edge.element);
      if (setup_.is_layer[region]) return;  // the end of a layer
      const Medium& medium = setup_.media[region];
      const bool simple = medium.is_lossless() && medium.is_isotropic() && !medium.is_dispersive();
      if (!simple || (setup_.outer_region && !(medium == setup_.media[*setup_.outer_region])))
        fail(ExitCode::bad_case,
             "{}: error: {}: next to absorbing walls and layers there must be one lossless isotropic medium; there is "
             "another from {}",
             place.text, key, describe(edge));
      setup_.outer_region = region;
    };
    for (const PlanarWall& wall : setup_.walls)
      if (wall.is_open()) add(wall.edge);
    for (const PlanarEdge& edge : setup_.layer_border) add(edge);
    if (!setup_.outer_region)
      fail(ExitCode::bad_case, "{}: error: {}: the case has no absorbing wall and no layer, so it is not open",
           place.text, key);
    check_open(place, key);
  }

  /// No other wall touches the open ends of the mesh.
  void check_open(const Place& place, const char* key) const {
    std::vector<bool> is_open(setup_.mesh.nodes.size(), false);
    const auto mark = [&](const PlanarEdge& edge) {
      for (const std::int32_t end : ends_of(edge)) is_open[static_cast<std::size_t>(end)] = true;
    };
    for (const PlanarWall& wall : setup_.walls)
      if (wall.is_open() && !setup_.is_layer[setup_.region_of(wall.edge.element)]) mark(wall.edge);
    for (const PlanarEdge& edge : setup_.layer_border) mark(edge);
    for (const PlanarWall& wall : setup_.walls) {
      if (wall.is_open() || setup_.is_layer[setup_.region_of(wall.edge.element)]) continue;
      for (const std::int32_t end : ends_of(wall.edge))
        if (is_open[static_cast<std::size_t>(end)])
          fail(ExitCode::bad_case,
               "{}: error: {}: a wall meets the absorbing walls or layers at ({:.6g}, {:.6g}) m; waves from and to "
               "infinity need a structure that ends inside",
               place.text, key, node(end)[0], node(end)[1]);
    }
  }

  const Case& given_;
  const PlanarSpec& spec_;
  PlanarSetup setup_;
  std::vector<std::int32_t> use_of_group_;
  std::vector<std::vector<PlanarEdge>> edges_of_port_;
};

}  // namespace

LayerDepth PlanarSetup::depth_at(const Point2& place_m) const {
  LayerDepth result;
  for (std::size_t x = 0; x < 2; ++x) {
    const double below = inner_box[0][x] - place_m[x], above = place_m[x] - inner_box[1][x];
    const bool is_below = below > above;
    result.thickness_m[x] = is_below ? inner_box[0][x] - outer_box[0][x] : outer_box[1][x] - inner_box[1][x];
    result.depth[x] = std::max({below, above, 0.0}) / std::max(result.thickness_m[x], 1e-300);
  }
  return result;
}

PlanarSetup set_up_planar(const Case& given, const std::filesystem::path& mesh_file) {
  return PlanarBuilder(given, load_triangles(given, mesh_file)).run();
}

bool PlanarWall::is_open() const { return kind == BoundaryKind::absorbing; }
bool PlanarWall::has_loss() const { return kind == BoundaryKind::impedance || kind == BoundaryKind::conductor; }

}  // namespace tetrawave::modes
