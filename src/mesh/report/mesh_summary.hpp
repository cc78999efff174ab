// Quality of a distributed mesh, and sizes of its parts; for a mesh file: mesh_quality.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

/// Measures of one tetrahedron.
struct ElementQuality {
  double volume_m3 = 0;
  double inradius_m = 0;
  double radius_ratio = 0;  ///< 3 r_in / r_circ: 1 for the regular tetrahedron, 0 for a flat one
  double shortest_edge_m = 0;
  double longest_edge_m = 0;
};

/// Quality of a tetrahedron by its corners (m), in either orientation.
ElementQuality measure_element(const Corners& corners);

/// A measure over all elements of all ranks. The median is taken from a logarithmic histogram of 4096 bins between min
/// and max.
struct MeasureRange {
  double min = 0;
  double median = 0;
  double max = 0;
};

/// The whole mesh, the same on all ranks and for any number of them. Volumes and areas of curved elements are the true
/// ones, everything else is measured by their corners.
struct MeshSummary {
  GlobalIndex element_count = 0;
  Vec3 low_m{}, high_m{};  ///< bounding box
  MeasureRange volume_m3, inradius_m, radius_ratio, shortest_edge_m, longest_edge_m;
  std::vector<double> region_volume_m3;      ///< per region
  std::vector<GlobalIndex> region_elements;  ///< per region
  std::vector<MeasureRange> region_edge_m;   ///< longest edges, per region; zeros for one without elements
  std::vector<double> tag_area_m2;           ///< per boundary tag; a face between two elements counts once
};

/// Range of `values` (positive) within each of `groups` groups; zeros for a group without values. Collective.
std::vector<MeasureRange> summarise_groups(const std::vector<double>& values, const std::vector<std::int32_t>& group,
                                           std::size_t groups, int threads, const comm::Communicator& ranks);

/// Summarises the mesh of all ranks; `tag_count` is the number of boundary tags. Collective.
MeshSummary summarise_mesh(const LocalMesh& mesh, std::size_t tag_count, int threads, const comm::Communicator& ranks);

}  // namespace tetrawave
