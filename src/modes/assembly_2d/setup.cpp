#include "modes/assembly_2d/setup.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text/suggest.hpp"
#include "case/error_list.hpp"
#include "case/region_media.hpp"
#include "mesh/make/run_mesher.hpp"

namespace tetrawave::modes {

namespace {

/// Index of a group of the case in the mesh's names. Throws UserError (bad_case) at its place.
std::size_t find_group(const GroupValue& given, const std::vector<std::string>& names, const char* key,
                       const char* kind) {
  const auto found = std::find(names.begin(), names.end(), given.group);
  if (found == names.end())
    fail(ExitCode::bad_case, "{}: error: assembly_2d.{}: the mesh has no {} '{}'{}; its {}s: {}", given.place.text, key,
         kind, given.group, did_you_mean(given.group, names), kind, list_names(names));
  return static_cast<std::size_t>(found - names.begin());
}

/// All lines of the case's identity except those that change neither the mesh nor its solution.
std::string key_of(const Case& given) {
  std::string key = given.file.string();
  if (const auto* mesh = std::get_if<MeshInput>(&given.mesh)) key += mesh->file.string();
  for (const std::string& line : given.identity) {
    const bool free_choice = line.rfind("assembly_2d.algorithm", 0) == 0 ||
                             line.rfind("assembly_2d.coloring", 0) == 0 || line.rfind("assembly_2d.repeats", 0) == 0 ||
                             line.rfind("assembly_2d.fields", 0) == 0 || line.rfind("study", 0) == 0;
    if (!free_choice) key += "\n" + line;
  }
  return key;
}

class Builder {
 public:
  Builder(const Case& given, const TriangleMesh& mesh)
      : given_(given),
        spec_(given.assembly_2d),
        mesh_(mesh),
        axisymmetric_(spec_.equation == Equation2D::magnetostatic_axisymmetric),
        group_of_node_(mesh.nodes.size(), -1) {}

  StaticSetup run() {
    setup_.request = spec_;
    setup_.threads = given_.run.threads;
    setup_.key = key_of(given_);
    ErrorList errors;
    errors.collect([&] { media_ = media_of_regions(given_, mesh_.region_names); });
    errors.collect([&] { check_axis(); });
    errors.collect([&] { set_sources(); });
    for (std::size_t k = 0; k < spec_.potentials.size(); ++k) errors.collect([&] { fix_nodes(k); });
    errors.collect([&] { check_fixed(); });
    errors.throw_if_any();
    warn_of_no_field();
    set_coefficients();
    number_nodes();
    return std::move(setup_);
  }

 private:
  void check_axis() {
    double low = 0, high = 0;
    for (const Point2& node : mesh_.nodes) {
      low = std::min(low, node[0]);
      high = std::max(high, node[0]);
    }
    smallest_radius_ = 1e-9 * (high - low);
    if (axisymmetric_ && low < -smallest_radius_)
      fail(
          ExitCode::bad_case,
          "{}: error: assembly_2d.equation: the axis is x = 0, but the mesh goes to x = {:.6g} m; an axisymmetric mesh "
          "has x >= 0",
          spec_.place.text, low);
  }

  void set_sources() {
    setup_.problem.source.assign(mesh_.region_names.size(), 0);
    for (const GroupValue& current : spec_.currents) {
      if (spec_.equation == Equation2D::electrostatic)
        fail(ExitCode::bad_case, "{}: error: assembly_2d.currents: the electrostatic equation has no currents",
             current.place.text);
      setup_.problem.source[find_group(current, mesh_.region_names, "currents", "surface")] = current.value;
      setup_.problem.has_sources = setup_.problem.has_sources || current.value != 0;
    }
  }

  void fix_nodes(std::size_t index) {
    const GroupValue& potential = spec_.potentials[index];
    const std::size_t group = find_group(potential, mesh_.group_names, "potentials", "curve");
    const std::size_t each = mesh_.nodes_per_edge();
    for (std::size_t k = 0; k < mesh_.edge_group.size(); ++k)
      if (static_cast<std::size_t>(mesh_.edge_group[k]) == group)
        for (std::size_t i = 0; i < each; ++i) fix_node(index, static_cast<std::size_t>(mesh_.edges[each * k + i]));
  }

  /// On the axis A_phi is 0 by itself, and a = A_phi/r remains unknown.
  void fix_node(std::size_t index, std::size_t node) {
    const GroupValue& potential = spec_.potentials[index];
    if (axisymmetric_ && mesh_.nodes[node][0] <= smallest_radius_) {
      if (potential.value == 0) return;
      fail(ExitCode::bad_case, "{}: error: assembly_2d.potentials.{}: A_phi is 0 on the axis, found {}",
           potential.place.text, potential.group, potential.value);
    }
    std::int32_t& known = group_of_node_[node];
    if (known >= 0 && spec_.potentials[static_cast<std::size_t>(known)].value != potential.value)
      fail(
          ExitCode::bad_case,
          "{}: error: assembly_2d.potentials: the curves '{}' and '{}' have a node in common, but different potentials",
          potential.place.text, spec_.potentials[static_cast<std::size_t>(known)].group, potential.group);
    if (known < 0) known = static_cast<std::int32_t>(index);
  }

  void check_fixed() const {
    const bool any = std::any_of(group_of_node_.begin(), group_of_node_.end(), [](auto group) { return group >= 0; });
    if (any || axisymmetric_) return;
    fail(ExitCode::bad_case,
         "{}: error: assembly_2d.potentials: no potential is given, so that any constant solves the "
         "problem; give one on a curve",
         spec_.place.text);
  }

  /// A_phi is 0 on the axis, whatever the potentials.
  void warn_of_no_field() const {
    const auto& given = spec_.potentials;
    const auto differs = [&](const GroupValue& other) { return other.value != (axisymmetric_ ? 0 : given[0].value); };
    if (setup_.problem.has_sources || std::any_of(given.begin(), given.end(), differs)) return;
    log::warning("assembly_2d: no current flows and all potentials are equal: there is no field");
  }

  void set_coefficients() {
    for (const Medium& medium : media_)
      setup_.problem.coefficient.push_back(
          spec_.equation == Equation2D::electrostatic ? eps0_f_per_m * medium.eps_r : 1 / (mu0_h_per_m * medium.mu_r));
  }

  /// Unknown nodes first, each part in the mesh's order. The axisymmetric unknown is A_phi/r.
  void number_nodes() {
    fem::StaticProblem& problem = setup_.problem;
    problem.order = mesh_.order;
    problem.axisymmetric = axisymmetric_;
    problem.region = mesh_.region;
    problem.free_count =
        static_cast<std::int32_t>(std::count(group_of_node_.begin(), group_of_node_.end(), std::int32_t{-1}));
    std::int32_t free = 0, fixed = problem.free_count;
    problem.nodes.resize(mesh_.nodes.size());
    problem.number_of.resize(mesh_.nodes.size());
    for (std::size_t i = 0; i < mesh_.nodes.size(); ++i) {
      const std::int32_t group = group_of_node_[i];
      problem.number_of[i] = group < 0 ? free++ : fixed++;
      problem.nodes[static_cast<std::size_t>(problem.number_of[i])] = mesh_.nodes[i];
      if (group < 0) continue;
      const double value = spec_.potentials[static_cast<std::size_t>(group)].value;
      problem.fixed.push_back(axisymmetric_ ? value / mesh_.nodes[i][0] : value);
      setup_.group_of_fixed.push_back(group);
    }
    for (const std::int32_t node : mesh_.elements)
      problem.elements.push_back(problem.number_of[static_cast<std::size_t>(node)]);
  }

  const Case& given_;
  const StaticsRequest& spec_;
  const TriangleMesh& mesh_;
  bool axisymmetric_;
  double smallest_radius_ = 0;
  std::vector<std::int32_t> group_of_node_;
  std::vector<Medium> media_;
  StaticSetup setup_;
};

TriangleMesh read_or_mesh(const MeshInput& given, const Case& whole, const std::filesystem::path& mesh_file,
                          bool is_made) {
  if (given.file.extension() != ".h5") {
    MeshInput spec = given;
    spec.order = whole.assembly_2d.order;
    if (!is_made) run_mesher(spec, whole.unit_m, mesh_file, 2);
    return read_triangle_mesh(mesh_file);
  }
  try {
    return read_triangle_mesh(given.file);
  } catch (const UserError& error) {
    throw UserError(error.code(), tetrawave::format("{}: error: {}", given.place.text, error.what()));
  }
}

}  // namespace

TriangleMesh load_triangles(const Case& given, const std::filesystem::path& mesh_file, bool is_made) {
  const auto* rectangle = std::get_if<RectangleMesh>(&given.mesh);
  TriangleMesh mesh = rectangle != nullptr ? make_rectangle(*rectangle)
                                           : read_or_mesh(std::get<MeshInput>(given.mesh), given, mesh_file, is_made);
  if (mesh.order == given.assembly_2d.order) return mesh;
  return mesh.order == 1 ? add_midside_nodes(mesh) : drop_midside_nodes(mesh);
}

StaticSetup make_static_problem(const Case& given, const TriangleMesh& mesh) { return Builder(given, mesh).run(); }

}  // namespace tetrawave::modes
