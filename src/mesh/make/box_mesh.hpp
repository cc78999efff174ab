// The built-in box mesh: hexahedra divided into six tetrahedra each, generated slab by slab.
#pragma once

#include "mesh/file/mesh_input.hpp"
#include "mesh/mesh_slab.hpp"

namespace tetrawave {

/// Slab `rank` of `ranks` of the box from the origin to spec.size_m, without ever storing the whole mesh.
///
/// Node (i, j, k) has id (i (ny + 1) + j) (nz + 1) + k. Cell (i, j, k) has number (i ny + j) nz + k, and element
/// 6 cell + p is its p-th Kuhn tetrahedron: the corners along the path (0,0,0) -> (1,1,1) that takes the axes in the
/// p-th lexicographic permutation; the last two swap where the permutation is odd, so all volumes are positive.
/// Region "box"; named faces "x0", "x1", "y0", "y1", "z0", "z1". With jitter every inner node moves by a uniform
/// random in [-jitter/2, jitter/2] of a cell along each axis, the same on any number of ranks.
/// Cells of absorbing layers are added outside of the box, whose corner stays at the origin; all counts are then those
/// of the larger box, the layers are the region "box.pml", and the named faces are its sides.
/// Throws UserError (bad_case) when there are more than 2^40 cells.
MeshSlab make_box_slab(const BoxMesh& spec, int rank, int ranks);

}  // namespace tetrawave
