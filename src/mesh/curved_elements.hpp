// Elements with curved edges: second-order tetrahedra (theory/curved-elements).
#pragma once

#include <cstdint>
#include <vector>

#include "basis/curved_map.hpp"
#include "mesh/mesh_slab.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

struct LocalMesh;

/// The elements of a rank with curved edges, and the nodes on these edges.
struct CurvedElements {
  std::vector<std::int32_t> number;     ///< per element, into `middles`, or -1; empty: all edges are straight
  std::vector<basis::Middles> middles;  ///< [m], edges in the order of edge_corners

  [[nodiscard]] bool empty() const { return middles.empty(); }
  /// Edge nodes of an element, or nullptr if its edges are straight.
  [[nodiscard]] const basis::Middles* of(std::size_t element) const {
    return number.empty() || number[element] < 0 ? nullptr : &middles[static_cast<std::size_t>(number[element])];
  }
};

/// An element with a curved edge, as in the file.
struct CurvedElement {
  GlobalIndex id = 0;
  Corners corners{};  ///< [m], with `middles` in the node order of Gmsh's corners
  basis::Middles middles{};
};

/// The elements of a second-order mesh, of which `slab` is the only slab, whose edge nodes differ from the midpoints of
/// straight edges by more than 1e-12 of their length; none for a straight mesh. Throws UserError (bad_mesh) for
/// inverted elements, naming the worst.
[[nodiscard]] std::vector<CurvedElement> find_curved_elements(const MeshSlab& slab, int threads);

/// Stores them in mesh.curved. `mesh`: made from the slab that they were found in; `source`: for messages. Throws
/// UserError (bad_mesh) if elements disagree about the edges of a common face, including periodic ones.
void curve_elements(LocalMesh& mesh, const std::vector<CurvedElement>& elements, const std::string& source,
                    int threads);

/// The distance [m] of the edge between corners a and b of an element from the straight midpoint; 0 for a straight one.
[[nodiscard]] Vec3 bulge_of(const LocalMesh& mesh, std::size_t element, std::size_t a, std::size_t b);

/// The volume [m^3] of an element, and the area [m^2] of one of its faces.
[[nodiscard]] double curved_volume(const Corners& corners, const basis::Middles& middles);
[[nodiscard]] double curved_face_area(const Corners& corners, const basis::Middles& middles, std::size_t face);

}  // namespace tetrawave
