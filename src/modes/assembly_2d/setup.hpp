// A case of mode assembly-2d ready for assembly: its mesh, and the static problem on it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "mesh/triangles/triangle_mesh.hpp"
#include "statics/problem.hpp"

namespace tetrawave::modes {

/// The triangles of the case, of the order given by assembly_2d. A geometry is meshed into `mesh_file`, which already
/// exists with `is_made`. Throws UserError.
[[nodiscard]] TriangleMesh load_triangles(const Case& given, const std::filesystem::path& mesh_file,
                                          bool is_made = false);

/// The problem with its physical curves.
struct StaticSetup {
  StaticsRequest request;
  int threads = 0;  ///< of the CPU; 0: all cores
  std::string key;  ///< equal for cases with the same solution
  fem::StaticProblem problem;
  std::vector<std::int32_t> group_of_fixed;  ///< [fixed nodes] index into request.potentials
};

/// Throws one UserError (bad_case) that lists everything that does not fit the mesh: names of curves, surfaces and
/// regions, two potentials on one node, nothing fixed, x below 0 in an axisymmetric problem.
[[nodiscard]] StaticSetup make_static_problem(const Case& given, const TriangleMesh& mesh);

}  // namespace tetrawave::modes
