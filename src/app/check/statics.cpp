#include "app/check/statics.hpp"

#include "app/check/report.hpp"
#include "mesh/file/mesh_quality.hpp"
#include "modes/assembly_2d/setup.hpp"
#include "statics/coloring.hpp"
#include "statics/field.hpp"
#include "statics/visiting_order.hpp"

namespace tetrawave::app {

namespace {

using Json = nlohmann::ordered_json;

Json describe_mesh(const TriangleMesh& mesh, const fem::StaticProblem& problem) {
  const WholeMesh whole = make_whole(mesh);
  const MeshQuality quality = measure_quality(whole.nodes, whole.elements, whole.nodes_per_element(), 2);
  Json json;
  json["triangles"] = mesh.element_count();
  json["order"] = mesh.order;
  json["nodes"] = mesh.nodes.size();
  json["edge_m"] = {quality.min_edge_m, quality.median_edge_m, quality.max_edge_m};
  json["radius_ratio"] = {{"min", quality.min_radius_ratio}, {"median", quality.median_radius_ratio}};
  const std::vector<double> areas = fem::region_areas(problem);
  for (std::size_t r = 0; r < areas.size(); ++r) json["regions"][mesh.region_names[r]] = {{"area_m2", areas[r]}};
  return json;
}

/// Bytes during the iteration; a row of the global matrix has about 7 (order 2: 11.5) numbers.
std::int64_t estimate_bytes(const Case& given, const fem::StaticProblem& problem) {
  const auto elements = static_cast<double>(problem.element_count());
  const auto unknowns = static_cast<double>(problem.free_count), nodes = static_cast<double>(problem.nodes.size());
  const auto each = static_cast<double>(problem.nodes_per_element());
  double bytes = elements * (4 * each + 4) + 16 * nodes + 5 * 8 * unknowns;
  const Algorithm2D algorithm = given.assembly_2d.algorithm;
  if (algorithm == Algorithm2D::ebe_v1) bytes += elements * 8 * each * (each + 1) / 2;
  if (algorithm == Algorithm2D::serial || algorithm == Algorithm2D::a_fem)
    bytes += unknowns * (4 + 12 * (problem.order == 1 ? 7 : 11.5));
  return static_cast<std::int64_t>(bytes);
}

}  // namespace

Json check_statics(const Case& given, const std::filesystem::path& mesh_file) {
  const TriangleMesh mesh = modes::load_triangles(given, mesh_file);
  const fem::StaticProblem problem = modes::make_static_problem(given, mesh).problem;
  Json json;
  json["mesh"] = describe_mesh(mesh, problem);
  json["unknowns"] = problem.free_count;
  const fem::Incidence incidence = fem::list_entities(problem.elements, problem.nodes_per_element(), 3, 1,
                                                      static_cast<std::int32_t>(problem.nodes.size()));
  const auto order = fem::order_smallest_last(incidence, fem::find_adjacency(incidence));
  const fem::Coloring coloring = fem::group_by_color(fem::color_by_table(fem::reorder(incidence, order)));
  json["ofcm"] = {{"colors", coloring.count()}, {"sizes", coloring.sizes()}};
  json["memory_bytes_while_solving"] = estimate_bytes(given, problem);
  add_warnings(json, {});
  return json;
}

}  // namespace tetrawave::app
