// The part of a mesh on one rank before partitioning: its slab of the elements, nodes and named faces.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace tetrawave {

/// A contiguous slab of a tetrahedral mesh. Slab k of n of a list of N items is
/// [k N / n, (k+1) N / n). Node ids are global and 0-based; coordinates are metres.
struct MeshSlab {
  GlobalIndex node_count = 0;     ///< of the whole mesh
  GlobalIndex element_count = 0;  ///< of the whole mesh
  GlobalIndex face_count = 0;     ///< named faces of the whole mesh
  GlobalIndex first_node = 0;
  std::vector<Vec3> nodes;
  GlobalIndex first_element = 0;
  std::vector<std::array<GlobalIndex, 4>> elements;      ///< corner nodes, node order of Gmsh (not sorted)
  std::vector<std::array<GlobalIndex, 6>> middles;       ///< second order: nodes on the edges 01 02 03 12 13 23 of each
                                                         ///< element, else empty
  std::vector<std::int32_t> region;                      ///< per element, index into region_names
  std::vector<std::int32_t> owner;                       ///< per element: rank that will own it; empty: METIS decides
  std::vector<std::array<GlobalIndex, 3>> faces;         ///< named faces; one face may be in several groups
  std::vector<std::array<GlobalIndex, 3>> face_middles;  ///< second order: nodes on their edges 01 02 12, else empty
  std::vector<std::int32_t> face_group;                  ///< per named face, index into group_names
  std::vector<std::string> region_names;
  std::vector<std::string> group_names;
  std::string source;  ///< for messages: the file's name, or "box"
};

}  // namespace tetrawave
