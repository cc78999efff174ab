// Absorbing layers added to a mesh: its outer faces are extruded into prisms of three tetrahedra each.
#pragma once

#include <map>
#include <string>

#include "mesh/file/mesh_file.hpp"
#include "mesh/file/mesh_input.hpp"

namespace tetrawave {

/// Face group -> name of the port on it.
using FacePorts = std::map<std::string, std::string>;

/// Adds `layers` at their faces to a whole mesh of straight tetrahedra, one side of its bounding box after the
/// other: first across x, then y, then z. Every triangle of the named groups on a side becomes `cells` prisms, each
/// divided into three tetrahedra along the diagonals that go up from the lower node, so that neighbours match. They are
/// in the region "R.pml" for an element of region R behind the triangle; the named face moves to the end of the layer;
/// a named face with an edge on the side is extended along the layer, which creates the edges and corners of a box.
/// Throws UserError (bad_case): a group that the mesh does not have; a face that is not across an axis, not on the
/// bounding box of the mesh, or not an outer one; a port with an edge on such a face; a region named "*.pml";
/// out_of_memory, before it is made, for a mesh too large for this machine's memory to make, or to set up on `ranks`
/// ranks (0: it is not set up here).
void add_layers(WholeMesh& mesh, const PmlLayers& layers, const FacePorts& ports, int ranks = 1);

/// Throws UserError (bad_case) for a layer of negligible thickness compared with this diagonal of the mesh's box.
void check_layer_thickness(const PmlLayers& layers, double thickness_m, double mesh_m);

}  // namespace tetrawave
