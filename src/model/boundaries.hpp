// From the names in a case to boundary tags of the mesh and walls of the problem.
#pragma once

#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "march/interface/problem.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::modes {

/// Tags of one case: those of the ports first (tag = index of the port), then one per boundary entry, the ends of
/// absorbing layers, which are open walls too, and the default.
struct BoundaryTable {
  FaceTags tags;
  std::vector<march::Wall> walls;  ///< per tag
  std::vector<double> wall_ohms;   ///< per tag: R of an impedance wall or of all branches of a conductor, else 0
  std::vector<std::vector<march::WallBranch>> wall_branches;  ///< per tag: for a conductor, else none
};

/// Fits the skin effect of conductors, and logs the accuracy. Throws one UserError (bad_case) that lists every boundary
/// and port whose group the mesh does not have.
BoundaryTable make_boundaries(const Case& spec, const std::vector<std::string>& group_names);

}  // namespace tetrawave::modes
