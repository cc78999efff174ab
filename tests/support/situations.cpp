#include "support/situations.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "basis/functions.hpp"
#include "basis/physical_element.hpp"
#include "march/loop/step_classes.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/sheet_edges.hpp"
#include "mesh/tetrahedron.hpp"
#include "mesh_slabs.hpp"

using namespace tetrawave;

namespace tetrawave_tests {

namespace {

/// Boundary tags, which are also the groups of the meshes; those of `make_tags`.
constexpr std::int32_t pec = 0, pmc = 1, absorbing = 2, driven = 3, film = 4, metal = 5, none = -1;

/// A number in [-1, 1] that depends on what is numbered.
double scatter(GlobalIndex a, std::size_t b, double c) {
  return std::sin(0.7 + 1.9 * static_cast<double>(a) + 3.1 * static_cast<double>(b) + 5.3 * c);
}

/// Recipes speak of places in the unit box before its nodes move.
struct Recipe {
  std::vector<Medium> media{Medium{}};
  std::function<std::int32_t(const Vec3&)> wall = [](const Vec3&) { return pec; };
  std::function<std::int32_t(const Vec3&)> sheet = [](const Vec3&) { return none; };
  bool ragged = false;  ///< some elements are taken out, and one stands alone: up to four outer faces an element
  bool from_rest = false;
  bool layered = false;  ///< the second region is what lies beyond 1/2 along some axis, a layer
};

/// A sheet of one kind on half of the plane x = 1/2, of the other kind on half of the plane y = 1/2.
std::int32_t crossed_sheets(const Vec3& c) {
  if (std::abs(c[0] - 0.5) < 1e-9 && c[2] < 0.5) return pec;
  if (std::abs(c[1] - 0.5) < 1e-9 && c[2] > 0.5) return pmc;
  return none;
}

/// Single faces here and there, so that every border between ranks meets some.
std::int32_t scattered_sheets(const Vec3& c) {
  const double chance = scatter(std::llround(60 * c[0] + 700 * c[1] + 9000 * c[2]), 0, 5);
  return chance > 0.99 ? pec : (chance < -0.99 ? pmc : none);
}

/// Media with terms of every kind, whose rates the meshes' time steps resolve.
Medium with_poles(Medium medium) {
  medium.electric_poles = {{1, 3, 0, 2.4, 0}, {2, 40, 1.5, 30, 0}, {2, 0, 2, 9, 0}};
  medium.magnetic_poles = {{2, 25, 3, 12, 1.5}};
  return medium;
}

Medium with_kerr(Medium medium) {
  medium.chi3 = 0.08;  // fields are of the order of 2
  return medium;
}

Medium with_axes(Medium medium) {
  medium.eps_axes = {1.6, 0.5, 1.25};
  medium.mu_axes = {0.8, 1.25, 1};
  return medium;
}

const std::vector<std::pair<std::string, Recipe>>& recipes() {
  const auto all_walls = [](std::int32_t tag) { return [tag](const Vec3&) { return tag; }; };
  const auto mixed_walls = [](const Vec3& c) { return c[2] < 1e-9 ? pmc : (c[1] > 1 - 1e-9 ? pmc : pec); };
  const auto open_ends = [](const Vec3& c) { return c[0] < 1e-9 || c[0] > 1 - 1e-9 ? absorbing : pec; };
  const auto driven_end = [](const Vec3& c) { return c[0] < 1e-9 ? driven : absorbing; };
  const auto driven_between = [](const Vec3& c) {
    return c[0] < 1e-9 ? driven : (c[2] < 1e-9 ? pmc : (c[2] > 1 - 1e-9 ? metal : pec));
  };
  const auto every_wall = [](const Vec3& c) {
    if (c[0] < 1e-9 || c[1] > 1 - 1e-9) return driven;
    if (c[0] > 1 - 1e-9 || c[2] < 1e-9) return absorbing;
    return c[1] < 1e-9 ? pmc : pec;
  };
  const auto every_film = [](const Vec3& c) {
    if (c[0] < 1e-9) return driven;
    return c[1] > 1 - 1e-9 ? pec : film;
  };
  const auto every_metal = [](const Vec3& c) {
    if (c[0] < 1e-9) return driven;
    return c[1] > 1 - 1e-9 ? pec : metal;
  };
  const auto crossed_films = [](const Vec3& c) { return crossed_sheets(c) == none ? none : film; };
  const Medium dense{4, 2, 0, 0}, glass{2.1, 1, 0, 0}, lossy{1.5, 1.2, 0.8, 0.6}, conducting{3, 1, 5, 0};
  static const std::vector<std::pair<std::string, Recipe>> list{
      {"closed vacuum", {}},
      {"PEC and PMC", {{Medium{}}, mixed_walls}},
      {"absorbing walls", {{dense}, all_walls(absorbing), Recipe{}.sheet, true}},
      {"losses", {{lossy, conducting}, open_ends}},
      {"two media", {{glass, dense}, open_ends}},
      {"sheets", {{Medium{}}, mixed_walls, crossed_sheets}},
      {"driven faces", {{glass}, driven_end, Recipe{}.sheet, false, true}},
      {"everything", {{lossy, dense}, every_wall, scattered_sheets}},
      {"surface impedances", {{glass, dense}, every_film, crossed_films}},
      {"dispersion", {{with_poles(glass), with_poles(lossy)}, every_wall, scattered_sheets}},
      {"Kerr", {{with_kerr(glass), with_kerr(lossy)}, mixed_walls, scattered_sheets}},
      {"Kerr beside linear", {{with_kerr(with_poles(glass)), Medium{}}, mixed_walls}},
      {"axes", {{with_axes(glass), Medium{}}, open_ends}},
      {"conductors", {{glass, with_axes(dense)}, every_metal, scattered_sheets}},
      {"axes and losses", {{with_axes(lossy), with_poles(with_axes(lossy))}, every_wall, scattered_sheets}},
      {"ports with memory", {{glass}, driven_end, Recipe{}.sheet, false, true}},
      {"ports of one mode", {{glass}, driven_end, Recipe{}.sheet, false, true}},
      {"walls and ports of one mode", {{glass, dense}, driven_between, Recipe{}.sheet, false, true}},
      {"guides of one mode", {{glass}, driven_end, Recipe{}.sheet, false, true}},
      {"absorbing layers", {{glass, with_axes(dense)}, every_wall, scattered_sheets, false, false, true}},
  };
  return list;
}

/// Takes every ninth element out and adds one that has no neighbour.
void make_ragged(MeshSlab& mesh) {
  std::vector<std::array<GlobalIndex, 4>> kept;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    if (e % 9 != 4) kept.push_back(mesh.elements[e]);
  const auto first = static_cast<GlobalIndex>(mesh.nodes.size());
  mesh.nodes.insert(mesh.nodes.end(), {{1.5, 0, 0}, {1.8, 0, 0}, {1.5, 0.4, 0}, {1.6, 0.1, 0.3}});
  kept.push_back({first, first + 1, first + 2, first + 3});
  mesh.elements = kept;
  mesh.region.assign(kept.size(), 0);
}

void name_faces(MeshSlab& mesh, const Recipe& recipe) {
  std::map<std::array<GlobalIndex, 3>, int> faces;
  for (const auto& element : mesh.elements)
    for (const auto& [a, b, c] : face_corners) {
      std::array<GlobalIndex, 3> face{element[a], element[b], element[c]};
      std::sort(face.begin(), face.end());
      ++faces[face];
    }
  mesh.group_names = {"pec", "pmc", "absorbing", "driven", "film", "metal"};
  mesh.faces.clear();
  mesh.face_group.clear();
  for (const auto& [face, elements] : faces) {
    Vec3 centre{};
    for (const GlobalIndex node : face) centre = centre + (1. / 3) * mesh.nodes[static_cast<std::size_t>(node)];
    const std::int32_t tag = elements == 1 ? recipe.wall(centre) : recipe.sheet(centre);
    if (tag == none) continue;
    mesh.faces.push_back(face);
    mesh.face_group.push_back(tag);
  }
}

/// The first medium inside of layers, or at small x + y, the second (when there is one) elsewhere.
void name_regions(MeshSlab& mesh, const Recipe& recipe) {
  mesh.region_names.clear();
  for (std::size_t k = 0; k < recipe.media.size(); ++k) mesh.region_names.push_back(tetrawave::format("region {}", k));
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    Vec3 centre{};
    for (const GlobalIndex node : mesh.elements[e]) centre = centre + 0.25 * mesh.nodes[static_cast<std::size_t>(node)];
    const bool second = recipe.layered ? std::max({centre[0], centre[1], centre[2]}) > 0.5 : centre[0] + centre[1] > 1;
    mesh.region[e] = recipe.media.size() > 1 && second ? 1 : 0;
  }
}

/// The numbers of a list in a scattered order.
std::vector<GlobalIndex> shuffle(std::size_t count) {
  std::vector<GlobalIndex> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [](GlobalIndex a, GlobalIndex b) {
    return std::pair{scatter(a * a, 0, 7), a} < std::pair{scatter(b * b, 0, 7), b};
  });
  return order;
}

/// Moves every node by up to a twentieth of a cell along each axis and gives it another number.
void move_nodes(MeshSlab& mesh, std::int64_t cells) {
  const std::vector<GlobalIndex> number = shuffle(mesh.nodes.size());
  std::vector<Vec3> nodes(mesh.nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Vec3 x = mesh.nodes[n];
    for (std::size_t a = 0; a < 3; ++a)
      x[a] += 0.05 / static_cast<double>(cells) * scatter(static_cast<GlobalIndex>(n), a, 0);
    nodes[static_cast<std::size_t>(number[n])] = {x[0], 1.1 * x[1], 0.9 * x[2]};
  }
  mesh.nodes = nodes;
  for (auto& element : mesh.elements)
    for (auto& node : element) node = number[static_cast<std::size_t>(node)];
  for (auto& face : mesh.faces)
    for (auto& node : face) node = number[static_cast<std::size_t>(node)];
}

MeshSlab make_mesh(const Recipe& recipe, std::int64_t cells) {
  MeshSlab mesh = make_box_slab(make_box({1, 1, 1}, {cells, cells, cells}), 0, 1);
  if (recipe.ragged) make_ragged(mesh);
  name_faces(mesh, recipe);
  name_regions(mesh, recipe);
  move_nodes(mesh, cells);
  return mesh;
}

/// Waves 1 and 2 come in through the driven faces, by the number of the element; e_p is tangential.
void drive_faces(Situation& situation) {
  const LocalMesh& mesh = situation.mesh;
  situation.profile = [](const Vec3& r) { return Vec3{0.3 + r[1], 1 - 0.5 * r[2], 0.2 * r[0] - r[1]}; };
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    const basis::PhysicalElement element(situation.problem.space, mesh.corners[k]);
    for (std::size_t f = 0; f < 4; ++f) {
      if (mesh.boundary[k][f] != driven) continue;
      const Vec3 n = element.normal(f);
      const auto on_face = [&](const std::array<double, 3>& at) {
        const Vec3 v = situation.profile(element.point(basis::from_face(f, at)));
        return v - dot(n, v) * n;
      };
      const auto moments = element.face_moments(f, on_face, basis::degree_of(situation.problem.space) + 1);
      situation.problem.driven.push_back({e, static_cast<std::uint8_t>(f),
                                          static_cast<std::int32_t>(1 + mesh.global_id[k] % 2), moments.direct,
                                          moments.rotated});
    }
  }
}

const std::string in_classes = " in classes";
const std::string with_metal_held = " with metal held";

/// As if elements at x < 0.3 allowed a step, those at x < 0.6 three times that step, all others nine times.
void add_classes(march::Problem& problem, const comm::Communicator& ranks) {
  std::vector<double> bounds;
  for (const auto& corners : problem.mesh->corners) {
    const double x = centroid(corners)[0];
    bounds.push_back(x < 0.3 ? 1 : (x < 0.6 ? 3.1 : 9.1));
  }
  problem.classes = march::assign_classes(problem, bounds, 3, ranks);
}

/// As if an element here and there were at an edge of metal: corrected eps and mu, in DGTD-Upwind no penalty around it.
void add_edges(march::Problem& problem, const comm::Communicator& ranks) {
  std::vector<std::uint8_t> chosen;
  for (const GlobalIndex id : problem.mesh->global_id) chosen.push_back(id % 29 == 7 ? 1 : 0);
  problem.undamped = find_faces_around(*problem.mesh, chosen, 1, 2, ranks);
  const std::size_t regions = problem.media.size();
  for (std::size_t r = 0; r < regions; ++r) {
    Medium medium = problem.media[r];
    medium.eps_r *= 0.9;
    medium.mu_r *= 0.95;
    problem.media.push_back(medium);
  }
  problem.material = problem.mesh->region;
  for (std::size_t e = 0; e < problem.material.size(); ++e)
    if (chosen[e] != 0) problem.material[e] += static_cast<std::int32_t>(regions);
}

/// Both waves become those of ports whose memory sees them: a TE mode and a TM mode.
void add_memories(march::Problem& problem) {
  for (std::size_t k = 0; k < 2; ++k) {
    march::Functional voltage, current;
    for (const march::DrivenFace& face : problem.driven) {
      if (face.wave != static_cast<std::int32_t>(k) + 1) continue;
      voltage.items.push_back({face.element, face.direct});
      current.items.push_back({face.element, face.rotated});
    }
    problem.electric[k] = voltage;
    problem.magnetic[k] = current;
    march::PortMemory memory;
    memory.kind = k == 0 ? march::PortMemory::Kind::te : march::PortMemory::Kind::tm;
    memory.wave = static_cast<std::int32_t>(k) + 1;
    memory.functional = k;
    memory.cutoff_per_m = 4 + static_cast<double>(k);
    problem.memories.push_back(memory);
  }
}

/// Both waves become those of ports that take one mode alone: magnetic walls on which its current runs; `guides`: a TE
/// mode and a TM mode.
void add_terminations(march::Problem& problem, bool guides) {
  problem.walls[driven] = march::Wall::one_mode;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto wave = static_cast<std::int32_t>(k) + 1;
    march::Functional voltage, current;
    for (const march::DrivenFace& face : problem.driven) {
      if (face.wave != wave) continue;
      voltage.items.push_back({face.element, face.direct});
      current.items.push_back({face.element, face.rotated});
    }
    problem.electric[k] = voltage;
    problem.magnetic[k] = current;  // seen in DFDD-ELD
    problem.terminations.push_back({wave, k, 0.7 + static_cast<double>(k)});
    if (!guides) continue;
    march::PortMemory memory;
    memory.kind = k == 0 ? march::PortMemory::Kind::te : march::PortMemory::Kind::tm;
    memory.cutoff_per_m = 4 + static_cast<double>(k);
    problem.terminations.back().memory = memory;
  }
}

/// One element alone, one of three, all.
march::Functional make_functional(const LocalMesh& mesh, std::size_t dofs, std::size_t which, double seed) {
  march::Functional functional;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const GlobalIndex id = mesh.global_id[static_cast<std::size_t>(e)];
    if ((which == 0 && id != 5) || (which == 1 && id % 3 != 0)) continue;
    march::Functional::Item item{e, {}};
    for (std::size_t i = 0; i < dofs; ++i) item.weight.push_back(scatter(id, i, seed));
    functional.items.push_back(item);
  }
  return functional;
}

std::vector<double> make_dofs(const LocalMesh& mesh, std::size_t dofs, double seed) {
  std::vector<double> values;
  for (const GlobalIndex id : mesh.global_id)
    for (std::size_t i = 0; i < dofs; ++i) values.push_back(scatter(id, i, seed));
  return values;
}

}  // namespace

march::Start Situation::make_start(double dt_m, std::int64_t steps) const {
  march::Start result = start;
  result.dt_m = dt_m;
  result.steps = steps;
  for (const double wave : {1., 2.}) result.waves.push_back([wave](double n) { return std::sin(0.3 * wave * n); });
  return result;
}

const std::vector<std::string>& situation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, recipe] : recipes())
      if (name != "surface impedances" && name != "dispersion" && name.rfind("axes", 0) != 0 &&
          name != "ports with memory" && name != "conductors" && name != "walls and ports of one mode" &&
          name.rfind("Kerr", 0) != 0 && !recipe.layered)
        list.push_back(name);
    return list;
  }();
  return names;
}

const std::vector<std::string>& class_situation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const char* name : {"PEC and PMC", "absorbing walls", "losses", "driven faces", "everything",
                             "surface impedances", "dispersion", "axes", "axes and losses", "ports with memory"})
      list.push_back(name + in_classes);
    return list;
  }();
  return names;
}

const std::vector<std::string>& held_situation_names() {
  static const std::vector<std::string> names{"closed vacuum with metal held",
                                              "everything with metal held",
                                              "ports of one mode",
                                              "ports of one mode in classes",
                                              "guides of one mode",
                                              "guides of one mode in classes",
                                              "axes with metal held",
                                              "driven faces with metal held",
                                              "absorbing layers with metal held",
                                              "everything with metal held in classes"};
  return names;
}

const std::vector<std::string>& all_situation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, recipe] : recipes())
      if (name.rfind("Kerr", 0) != 0 && !recipe.layered && name != "conductors" && !name.ends_with("of one mode"))
        list.push_back(name);
    return list;
  }();
  return names;
}

std::unique_ptr<Situation> make_situation(const std::string& full_name, Space space, std::int64_t cells,
                                          const comm::Communicator& ranks, Ordering ordering) {
  const bool classes = full_name.ends_with(in_classes);
  std::string name = full_name.substr(0, full_name.size() - (classes ? in_classes.size() : 0));
  const bool held = name.ends_with(with_metal_held);
  if (held) name.resize(name.size() - with_metal_held.size());
  const auto found = std::find_if(recipes().begin(), recipes().end(), [&](const auto& r) { return r.first == name; });
  ensure(found != recipes().end(), "there is no such situation");
  const Recipe& recipe = found->second;
  auto situation = std::make_unique<Situation>();
  situation->name = name;
  const MeshSlab whole = make_mesh(recipe, cells);
  situation->mesh = build_local_mesh(cut_slab(whole, ranks.rank(), ranks.size()), make_tags({0, 1, 2, 3, 4, 5}), ranks,
                                     {ordering, 2});
  march::Problem& problem = situation->problem;
  problem.mesh = &situation->mesh;
  problem.space = space;
  problem.media = recipe.media;
  problem.holds_metal = held;
  if (held) add_edges(problem, ranks);
  problem.walls = {march::Wall::electric, march::Wall::magnetic,  march::Wall::open,
                   march::Wall::open,     march::Wall::impedance, march::Wall::conductor};
  problem.wall_ohms = {0, 0, 0, 0, 150, 25};
  if (name == "conductors") {
    problem.wall_branches.resize(problem.walls.size());
    problem.wall_branches.back() = {{10, 2e8}, {0, 5e8}, {15, 2e9}};
  }
  if (name == "walls and ports of one mode") {
    problem.wall_branches.resize(problem.walls.size());
    problem.wall_branches.back() = {{25, 5e8}};
  }
  if (recipe.layered)
    problem.layers = march::AbsorbingLayers{
        {false, true}, {{0, 0}, {0.7, 0.3}}, {0, 0, 0}, {0.5, 0.55, 0.45}, {Vec3{}, {0.5, 0.6, 0.4}}, 0, 1e-2};
  problem.energy_every = 7;
  const std::size_t dofs = dofs_of(space);
  for (std::size_t k = 0; k < 3; ++k) problem.electric.push_back(make_functional(situation->mesh, dofs, k, 1));
  for (std::size_t k = 0; k < 2; ++k) problem.magnetic.push_back(make_functional(situation->mesh, dofs, 2 * k, 2));
  drive_faces(*situation);
  if (name == "ports with memory") add_memories(problem);
  if (name.ends_with(" of one mode")) add_terminations(problem, name.starts_with("guides"));
  if (classes) add_classes(problem, ranks);
  if (!recipe.from_rest) {
    situation->start.electric = make_dofs(situation->mesh, dofs, 3);
    situation->start.magnetic = make_dofs(situation->mesh, dofs, 4);
  }
  return situation;
}

std::unique_ptr<Situation> make_fourth_order(const std::string& name, Space space, std::int64_t cells,
                                             const comm::Communicator& ranks, Ordering ordering) {
  const bool dispersive = name == "inner dispersion", other = name == "other impedance", inside = name == "sources";
  auto situation = make_situation(dispersive ? "PEC and PMC" : (other ? "two media" : (inside ? "losses" : name)),
                                  space, cells, ranks, ordering);
  situation->name = name;
  march::Problem& problem = situation->problem;
  problem.time_order = 4;
  for (Medium& medium : problem.media) {
    medium.exact_steps = true;
    medium.sigma_m = 0;
    if (dispersive) {
      medium = with_poles(medium);
      medium.magnetic_poles.clear();
      medium.sigma_e = 0.7;
    }
  }
  const std::size_t dofs = basis::reference_element(space).dofs;
  const auto few = [&](LocalIndex e) { return problem.mesh->global_id[static_cast<std::size_t>(e)] % 3 == 1; };
  const std::vector<double> electric = make_dofs(situation->mesh, dofs, 3),
                            magnetic = make_dofs(situation->mesh, dofs, 4);
  for (LocalIndex e = 0; inside && e < situation->mesh.element_count(); ++e) {
    if (!few(e)) continue;
    const auto part = [&](const std::vector<double>& all) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(e) * dofs);
      return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(dofs));
    };
    problem.sources.push_back({e, 0, 0.01, part(electric), {}});
    problem.sources.push_back({e, 1, 0, {}, part(magnetic)});
  }
  for (const double middle : {5., 5.5})
    if (inside)
      situation->start.source_waves.push_back(
          [middle](double n) { return std::exp(-std::pow((n - middle) / 1.4, 2)); });
  for (LocalIndex e = 0; other && e < situation->mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f) {
      const std::int32_t tag = situation->mesh.boundary[static_cast<std::size_t>(e)][f];
      if (tag >= 0 && problem.walls[static_cast<std::size_t>(tag)] == march::Wall::open)
        problem.open_admittance[{e, f}] = 0.4;
    }
  return situation;
}

const std::vector<std::string>& fourth_order_names() {
  static const std::vector<std::string> names{"closed vacuum",
                                              "PEC and PMC",
                                              "absorbing walls",
                                              "losses",
                                              "two media",
                                              "driven faces",
                                              "everything",
                                              "sheets",
                                              "inner dispersion",
                                              "other impedance",
                                              "everything with metal held",
                                              "sources"};
  return names;
}

}  // namespace tetrawave_tests
