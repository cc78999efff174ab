// Elements with curved edges: second-order tetrahedra (theory/curved-elements).
#pragma once

#include <cstdint>
#include <vector>

#include "basis/curved_map.hpp"
#include "mesh/mesh_slab.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

struct LocalMesh;

/// Which elements of a rank have curved edges, and where these go through.
struct CurvedElements {
  std::vector<std::int32_t> number;     ///< per element, into `middles`, or -1; empty: all edges are straight
  std::vector<basis::Middles> middles;  ///< [m], edges in the order of edge_corners

  [[nodiscard]] bool empty() const { return middles.empty(); }
  /// Edge nodes of an element, or nullptr where its edges are straight.
  [[nodiscard]] const basis::Middles* of(std::size_t element) const {
    return number.empty() || number[element] < 0 ? nullptr : &middles[static_cast<std::size_t>(number[element])];
  }
};

/// An element with a curved edge as it stands in the file.
struct CurvedElement {
  GlobalIndex id = 0;
  Corners corners{};  ///< [m], with `middles` in the node order of Gmsh's corners
  basis::Middles middles{};
};

/// The elements of a second-order mesh, of which `slab` is the only slab, whose nodes on edges lie off the straight
/// edges' middles by more than 1e-12 of their length; nothing of a straight mesh. Throws UserError (bad_mesh): an
/// element turned inside out, naming the worst.
[[nodiscard]] std::vector<CurvedElement> find_curved_elements(const MeshSlab& slab);

/// Puts them into mesh.curved. `mesh`: made of the slab that they were found in; `source`: for messages. Throws
/// UserError (bad_mesh): elements that see a common face, a periodic one included, with different edges.
void curve_elements(LocalMesh& mesh, const std::vector<CurvedElement>& elements, const std::string& source);

/// How far [m] the edge between corners a and b of an element goes off the straight one's middle; 0 of a straight one.
[[nodiscard]] Vec3 bulge_of(const LocalMesh& mesh, std::size_t element, std::size_t a, std::size_t b);

/// The volume [m^3] of an element, and the area [m^2] of one of its faces.
[[nodiscard]] double curved_volume(const Corners& corners, const basis::Middles& middles);
[[nodiscard]] double curved_face_area(const Corners& corners, const basis::Middles& middles, std::size_t face);

}  // namespace tetrawave
