// tetrawave-mesh: geometry or Gmsh mesh -> Tetrawave's HDF5 mesh. The one program that links Gmsh.
#include <cstdio>
#include <new>

#include "base/error.hpp"
#include "command_guard.hpp"
#include "curvature.hpp"
#include "extract.hpp"
#include "gmsh_session.hpp"
#include "load.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh/file/mesh_quality.hpp"
#include "options.hpp"

namespace tetrawave::mesher {
namespace {

std::string count_by_name(const std::vector<std::string>& names, const std::vector<std::int32_t>& index) {
  std::vector<std::size_t> counts(names.size(), 0);
  for (const std::int32_t i : index) ++counts[static_cast<std::size_t>(i)];
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += tetrawave::format("{}{} {}", i == 0 ? "" : ", ", names[i], counts[i]);
  return text.empty() ? "none" : text;
}

void print_summary(const Options& options, const WholeMesh& mesh) {
  const bool solid = mesh.dimension == 3;
  const MeshQuality quality = measure_quality(mesh.nodes, mesh.elements, mesh.nodes_per_element(), mesh.dimension);
  const std::string text =
      tetrawave::format("{}: {} nodes, {} {} of order {}\n", options.output.string(), mesh.nodes.size(),
                        mesh.region.size(), solid ? "tetrahedra" : "triangles", mesh.order) +
      tetrawave::format("  regions: {}\n", count_by_name(mesh.region_names, mesh.region)) +
      tetrawave::format("  groups: {}\n", count_by_name(mesh.group_names, mesh.face_group)) +
      tetrawave::format("  edges: {:.4g} to {:.4g} m, median {:.4g} m\n", quality.min_edge_m, quality.max_edge_m,
                        quality.median_edge_m) +
      tetrawave::format("  radius ratio: smallest {:.3f}, median {:.3f}; smallest {}angle {:.1f} degrees\n",
                        quality.min_radius_ratio, quality.median_radius_ratio, solid ? "dihedral " : "",
                        quality.min_angle_deg);
  std::fputs(text.c_str(), stdout);
}

void make_mesh(Options options) {
  check_input(options);
  if (options.allow_commands) CommandGuard::allow_all();
  check_parameters(options);
  const GmshSession session(options.parameters);
  options.order = load_and_mesh(options);
  if (options.order == 2) untangle_curved_elements(options);
  const WholeMesh mesh = extract_mesh(options);
  write_mesh(options.output, mesh);
  print_summary(options, mesh);
}

int run(int argc, char** argv) {
  try {
    const std::optional<Options> options = parse_options(argc, argv);
    if (!options) return std::fputs(describe_usage().c_str(), stdout) < 0 ? static_cast<int>(ExitCode::io) : 0;
    make_mesh(*options);
    return 0;
  } catch (const UserError& error) {
    std::fprintf(stderr, "tetrawave-mesh: error: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "tetrawave-mesh: error: out of memory; use a coarser mesh\n");
    return static_cast<int>(ExitCode::out_of_memory);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tetrawave-mesh: error: internal: %s\n", error.what());
    return static_cast<int>(ExitCode::internal);
  }
}

}  // namespace
}  // namespace tetrawave::mesher

int main(int argc, char** argv) { return tetrawave::mesher::run(argc, argv); }
