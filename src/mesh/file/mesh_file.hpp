// Tetrawave's HDF5 mesh: reading one rank's slab, and writing a whole mesh.
//
//   /nodes [n,3] (m)  /tetrahedra [ne, 4 or 10]  /region [ne]  /region_names  /faces [nf, 3 or 6]  /face_group [nf]
//   /group_names; in 2D /triangles [ne, 3 or 6] and /edges [nf, 2 or 3] instead of /tetrahedra and /faces.
// Ids are 0-based, the node order is Gmsh's, and region and face_group index the lists of names. At second order a
// tetrahedron has its corners, then nodes on the edges 01 12 02 03 23 13, a face on 01 12 02; an edge has the same node
// in all elements and faces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "mesh/mesh_slab.hpp"

namespace tetrawave {

inline constexpr std::int64_t mesh_format_version = 1;

/// A whole mesh of straight (order 1) or second-order (2) tetrahedra (dimension 3) or triangles (2).
struct WholeMesh {
  int dimension = 3;
  int order = 1;
  std::vector<Vec3> nodes;               ///< metres
  std::vector<std::int64_t> elements;    ///< [ne, nodes_per_element()]
  std::vector<std::int32_t> region;      ///< [ne]
  std::vector<std::int64_t> faces;       ///< [nf, nodes_per_face()]; edges in 2D
  std::vector<std::int32_t> face_group;  ///< [nf]
  std::vector<std::string> region_names;
  std::vector<std::string> group_names;
  std::string source;  ///< origin, for messages

  [[nodiscard]] std::size_t nodes_per_element() const {
    return dimension == 3 ? (order == 1 ? 4U : 10U) : (order == 1 ? 3U : 6U);
  }
  [[nodiscard]] std::size_t nodes_per_face() const {
    return dimension == 3 ? (order == 1 ? 3U : 6U) : (order == 1 ? 2U : 3U);
  }
};

/// Reads slab `rank` of `ranks` of a mesh of straight tetrahedra (order 1), of second-order ones (order 2; on several
/// ranks without the nodes on edges), or either (order 0), and checks everything that can be checked in a slab. Every
/// rank opens the file by itself; nothing is allocated before the counts are checked against the file's length. Throws
/// UserError: missing_input if the file is missing, bad_mesh if it is not a valid mesh, bad_case if it is a valid one
/// of the other order or of triangles, which callers of this reader cannot use.
[[nodiscard]] MeshSlab read_mesh_slab(const std::filesystem::path& path, int rank, int ranks, int order = 1,
                                      int threads = 1);
/// 1, or 2 with nodes on edges. Throws as read_mesh_slab.
[[nodiscard]] int order_of_mesh(const std::filesystem::path& path);

/// Writes a whole mesh atomically, with its quality statistics as attributes: equal meshes give equal bytes. Throws
/// UserError (io).
void write_mesh(const std::filesystem::path& path, const WholeMesh& mesh);

/// The whole mesh of which `slab` is the only slab (0 of 1).
[[nodiscard]] WholeMesh make_whole(const MeshSlab& slab);

/// Names of regions and groups: letters, digits, '.', '_', '-', no leading dot or dash, 1 to 128 characters.
[[nodiscard]] bool is_group_name(std::string_view name);

}  // namespace tetrawave
