// Absorbing layers added to a mesh: its outer faces extruded into prisms of three tetrahedra each.
#pragma once

#include "case/spec/case.hpp"
#include "mesh/file/mesh_file.hpp"

namespace tetrawave {

/// Adds the layers of given.pml->faces to a whole mesh of straight tetrahedra, side by side of the box around it: first
/// across x, then y, then z. Every triangle of the named groups on a side becomes `cells` prisms, each cut into three
/// tetrahedra along the diagonals that go up from the lower node, so that neighbours match. They are of the region
/// "R.pml" for an element of region R behind the triangle; the named face moves to the end of the layer; a named face
/// with an edge on the side goes on along the layer, which makes the edges and corners of a box.
/// Throws UserError (bad_case): a group that the mesh does not have; a face that is not across an axis, not on the
/// box around the mesh, or not an outer one; a port with an edge on such a face; a region named "*.pml"; out_of_memory,
/// before it is made, for a mesh that this machine has not the memory to make, or to set up on `ranks` ranks (0: it is
/// not set up here).
void add_layers(WholeMesh& mesh, const Case& given, int ranks = 1);

/// Throws UserError (bad_case) for a layer that is next to nothing beside a mesh whose box has this diagonal.
void check_layer_thickness(const PmlSpec& spec, double thickness_m, double mesh_m);

}  // namespace tetrawave
