#include "support/static_problems.hpp"

#include <algorithm>
#include <map>

namespace tetrawave_tests {

using namespace tetrawave;

namespace {

std::int32_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  const auto index = static_cast<std::int32_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return index;
}

/// Edges that stand in one element only, named.
void name_outer_edges(TriangleMesh& mesh, const std::function<std::string(Point2)>& curve) {
  std::map<std::pair<std::int32_t, std::int32_t>, int> uses;
  for (std::size_t e = 0; e < mesh.element_count(); ++e)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto a = mesh.elements[3 * e + i], b = mesh.elements[3 * e + (i + 1) % 3];
      ++uses[std::minmax(a, b)];
    }
  for (const auto& [edge, count] : uses) {
    if (count > 1) continue;
    const Point2 &a = mesh.nodes[static_cast<std::size_t>(edge.first)],
                 &b = mesh.nodes[static_cast<std::size_t>(edge.second)];
    const std::string name = curve({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2});
    if (name.empty()) continue;
    mesh.edges.insert(mesh.edges.end(), {edge.first, edge.second});
    mesh.edge_group.push_back(index_of(mesh.group_names, name));
  }
}

}  // namespace

TriangleMesh make_grid(const std::vector<double>& x, const std::vector<double>& y,
                       const std::function<std::string(Point2)>& region,
                       const std::function<std::string(Point2)>& curve) {
  TriangleMesh mesh;
  mesh.source = "grid";
  std::vector<std::int32_t> id(x.size() * y.size(), -1);
  const auto node = [&](std::size_t i, std::size_t j) {
    std::int32_t& known = id[i * y.size() + j];
    if (known < 0) {
      known = static_cast<std::int32_t>(mesh.nodes.size());
      mesh.nodes.push_back({x[i], y[j]});
    }
    return known;
  };
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    for (std::size_t j = 0; j + 1 < y.size(); ++j) {
      const std::string name = region({(x[i] + x[i + 1]) / 2, (y[j] + y[j + 1]) / 2});
      if (name.empty()) continue;
      const auto a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1), d = node(i, j + 1);
      // Diagonals in turn, so that no direction is preferred.
      if ((i + j) % 2 == 0)
        mesh.elements.insert(mesh.elements.end(), {a, b, c, a, c, d});
      else
        mesh.elements.insert(mesh.elements.end(), {a, b, d, b, c, d});
      mesh.region.insert(mesh.region.end(), 2, index_of(mesh.region_names, name));
    }
  name_outer_edges(mesh, curve);
  return mesh;
}

void append_graded(std::vector<double>& values, double to, int count, double ratio) {
  const double from = values.back();
  double sum = 0, length = 1;
  for (int i = 0; i < count; ++i, length *= ratio) sum += length;
  length = (to - from) / sum;
  for (int i = 1; i < count; ++i, length *= ratio) values.push_back(values.back() + length);
  values.push_back(to);
}

Case make_static_case(Equation2D equation, const std::vector<std::pair<std::string, double>>& potentials,
                      const std::vector<std::pair<std::string, double>>& currents,
                      const std::vector<Material>& materials) {
  Case given;
  given.mode = Mode::assembly_2d;
  given.assembly_2d.equation = equation;
  for (const auto& [name, value] : potentials) given.assembly_2d.potentials.push_back({name, value, {}});
  for (const auto& [name, value] : currents) given.assembly_2d.currents.push_back({name, value, {}});
  given.materials = materials;
  for (const Material& material : materials) given.regions.push_back({material.name, material.name, {}});
  return given;
}

modes::StaticSetup make_mixed_problem(Equation2D equation, int order, std::int64_t cells) {
  RectangleMesh spec;
  spec.size_m = {0.3, 0.2};
  spec.cells = {cells, cells};
  spec.jitter = 0.4;
  TriangleMesh mesh = make_rectangle(spec);
  mesh.region_names = {"inside", "outside"};
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const Point2 corner = mesh.nodes[static_cast<std::size_t>(mesh.elements[3 * e])];
    mesh.region[e] = corner[0] > 0.1 && corner[0] < 0.2 && corner[1] > 0.05 ? 0 : 1;
  }
  if (order == 2) mesh = add_midside_nodes(mesh);
  Material inside, outside;
  inside.name = "inside";
  inside.eps_r = inside.mu_r = 5;
  outside.name = "outside";
  const bool electric = equation == Equation2D::electrostatic;
  const Case given = electric ? make_static_case(equation, {{"x1", 3}}, {}, {inside, outside})
                              : make_static_case(equation, {{"x1", 1e-3}}, {{"inside", 1e6}}, {inside, outside});
  return modes::make_static_problem(given, mesh);
}

}  // namespace tetrawave_tests
