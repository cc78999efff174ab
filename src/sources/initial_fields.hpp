// Initial fields: the L2 projection of given vector fields onto the space.
#pragma once

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// A vector field of space: values at points (m).
using VectorField = std::function<Vec3(const Vec3&)>;

/// Dofs (element by element, n each) of the L2 projection of `field`, by quadrature exact to degree 2p + 1. Every
/// thread evaluates its own copy of `field`.
std::vector<double> project_field(const LocalMesh& mesh, Space space, const VectorField& field, int threads = 1);

}  // namespace tetrawave
