// Triangles in a plane, whole on one rank: reading, generating, second order.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mesh/file/mesh_file.hpp"
#include "mesh/file/mesh_input.hpp"

namespace tetrawave {

using Point2 = std::array<double, 2>;

/// Node order of Gmsh: corners, then the nodes on the edges 01, 12, 20. Ids are 0-based.
struct TriangleMesh {
  int order = 1;
  std::vector<Point2> nodes;             ///< metres
  std::vector<std::int32_t> elements;    ///< [ne, 3 or 6]
  std::vector<std::int32_t> region;      ///< [ne], index into region_names
  std::vector<std::int32_t> edges;       ///< [n, 2 or 3] of physical curves; one edge may be in several groups
  std::vector<std::int32_t> edge_group;  ///< [n], index into group_names
  std::vector<std::string> region_names;
  std::vector<std::string> group_names;
  std::string source;  ///< for messages

  [[nodiscard]] std::size_t nodes_per_element() const { return order == 1 ? 3 : 6; }
  [[nodiscard]] std::size_t nodes_per_edge() const { return order == 1 ? 2 : 3; }
  [[nodiscard]] std::size_t element_count() const { return region.size(); }
};

/// Reads and checks a two-dimensional HDF5 mesh. Throws UserError: missing_input, bad_mesh, and bad_case if it is a
/// valid mesh of tetrahedra or has more than `most_triangles`.
[[nodiscard]] TriangleMesh read_triangle_mesh(const std::filesystem::path& path);

/// So that the nodes of all of them, six at second order, can be counted in 32 bits.
inline constexpr std::int64_t most_triangles = std::int64_t{1} << 28;

/// Cells divided into two triangles along the diagonal from the origin's side; first order. Throws UserError (bad_case)
/// if there are more than `most_triangles`.
[[nodiscard]] TriangleMesh make_rectangle(const RectangleMesh& spec);

/// The same triangles, straight, with a node at the midpoint of every edge.
[[nodiscard]] TriangleMesh add_midside_nodes(const TriangleMesh& mesh);

/// The corners of second-order triangles; unused nodes are dropped.
[[nodiscard]] TriangleMesh drop_midside_nodes(const TriangleMesh& mesh);

/// In the form written by `tetrawave mesh`.
[[nodiscard]] WholeMesh make_whole(const TriangleMesh& mesh);

}  // namespace tetrawave
