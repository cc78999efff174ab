// Starting tetrawave-mesh, the program that turns geometry and Gmsh meshes into Tetrawave's mesh.
#pragma once

#include <filesystem>

#include "case/spec/case.hpp"

namespace tetrawave {

/// Where tetrawave-mesh is: the environment's TETRAWAVE_MESHER, else beside the running program, else on the PATH.
/// Throws UserError (unavailable) that says how to get it.
[[nodiscard]] std::filesystem::path find_mesher();

/// From now on .geo files may run commands and write files: the user has allowed it (--allow-geo-commands).
void allow_geo_commands();

/// Meshes spec.file (coordinates in units of unit_m metres) into `output`, as tetrahedra (dimension 3) or triangles
/// (2), and logs the mesher's summary. One process, no shell, without the MPI launcher's variables: call it on one
/// rank. Where spec.order is 0, a mesh keeps its own order; without `takes_curved` its elements are made straight, with
/// a warning if they are of second order. Throws UserError: what the mesher says with its exit code and the place in
/// the case, or unavailable.
void run_mesher(const MeshFileSpec& spec, double unit_m, const std::filesystem::path& output, int dimension = 3,
                bool takes_curved = true);

}  // namespace tetrawave
