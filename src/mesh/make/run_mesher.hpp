// Runs tetrawave-mesh, the program that converts geometry and Gmsh meshes to Tetrawave's mesh.
#pragma once

#include <filesystem>

#include "mesh/file/mesh_input.hpp"

namespace tetrawave {

/// Path of tetrawave-mesh: TETRAWAVE_MESHER in the environment, else next to the running program, else on the PATH.
/// Throws UserError (unavailable) that says how to get it.
[[nodiscard]] std::filesystem::path find_mesher();

/// From now on .geo files may run commands and write files: permitted by the user (--allow-geo-commands).
void allow_geo_commands();

/// Meshes spec.file (coordinates in units of unit_m metres) into `output`, as tetrahedra (dimension 3) or triangles
/// (2), and logs the mesher's summary. One process, no shell, without the MPI launcher's variables: call it on one
/// rank. If spec.order is 0, a mesh keeps its order; without `takes_curved` its elements are straightened, with a
/// warning if they are of second order. Throws UserError: the mesher's message with its exit code and the place in the
/// case, or unavailable.
void run_mesher(const MeshInput& spec, double unit_m, const std::filesystem::path& output, int dimension = 3,
                bool takes_curved = true);

}  // namespace tetrawave
