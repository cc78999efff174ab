// Static problems on meshes made without Gmsh, for tests of the algorithms and of the physics.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "mesh/triangles/triangle_mesh.hpp"
#include "modes/assembly_2d/setup.hpp"

namespace tetrawave_tests {

/// Cells between ascending `x` and `y`, cut into triangles. region(centre) names the region of a cell, "" leaves it
/// out; curve(middle) names an outer edge, "" leaves it nameless.
tetrawave::TriangleMesh make_grid(const std::vector<double>& x, const std::vector<double>& y,
                                  const std::function<std::string(tetrawave::Point2)>& region,
                                  const std::function<std::string(tetrawave::Point2)>& curve);

/// `count` pieces from `from` to `to`, each `ratio` times as long as the one before; `from` is left out.
void append_graded(std::vector<double>& values, double to, int count, double ratio);

/// A case of mode assembly-2d; every region is of the material of its name.
tetrawave::Case make_static_case(tetrawave::Equation2D equation,
                                 const std::vector<std::pair<std::string, double>>& potentials,
                                 const std::vector<std::pair<std::string, double>>& currents,
                                 const std::vector<tetrawave::Material>& materials);

/// A jittered square with potentials that vary, two materials and, in magnetostatics, currents: everything that an
/// algorithm must get right.
tetrawave::modes::StaticSetup make_mixed_problem(tetrawave::Equation2D equation, int order, std::int64_t cells);

}  // namespace tetrawave_tests
