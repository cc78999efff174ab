// From an input file to a meshed Gmsh model.
#pragma once

#include "options.hpp"

namespace tetrawave::mesher {

/// Opens the input in the running Gmsh session (which was started with options.parameters), and meshes it unless it is
/// a mesh. The order of its elements then. Throws UserError: missing_input, bad_mesh for a broken .msh, bad_case for a
/// wrong geometry.
[[nodiscard]] int load_and_mesh(const Options& options);

/// Checks that the .geo declares each of options.parameters so that it can be overridden. Starts a session of its own.
/// Throws UserError (bad_case) that names the parameter.
void check_parameters(const Options& options);

/// Checks that the input is there and of a known kind, and that the options suit it. Needs no session.
void check_input(const Options& options);

}  // namespace tetrawave::mesher
