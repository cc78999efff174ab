// Location of points in the mesh.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::results {

/// The element of this rank with the lowest global id that contains the point (tolerance 1e-9 of the element's size).
std::optional<LocalIndex> find_element(const LocalMesh& mesh, const Vec3& point);

/// All elements of this rank that contain it: several on a face, an edge or a vertex.
std::vector<LocalIndex> find_elements(const LocalMesh& mesh, const Vec3& point);

/// "(x, y, z) to (x, y, z) m", the bounding box of the whole mesh. Collective.
std::string describe_bounds(const LocalMesh& mesh, const comm::Communicator& ranks);

}  // namespace tetrawave::results
