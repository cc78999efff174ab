// Modes between parallel plates in the traces of a plane problem's functions.
#pragma once

#include <vector>

#include "fem/planar/planar_assembly.hpp"

namespace tetrawave::fem {

/// sin(m pi s/w), m = 1, 2, .., or cos(m pi s/w), m = 0, 1, .., on straight edges, projected on the traces of the
/// functions and made orthonormal there, so that modes do not couple by the mesh.
struct PlateModes {
  std::vector<std::int32_t> unknowns;        ///< with a trace on the edges
  std::vector<std::vector<double>> moments;  ///< per mode and unknown: int trace mode; its amplitude in a field u is
                                             ///< moments . u
  double width_m = 0;
  bool vanish_at_ends = false;
  /// m of the mode in this place.
  [[nodiscard]] std::size_t half_waves(std::size_t place) const { return place + (vanish_at_ends ? 1 : 0); }
};

/// `edges` from end to end, in any order; `start` the end from which s runs, `direction` the unit vector of s, along
/// which edge functions are taken. At most `most` modes.
[[nodiscard]] PlateModes make_plate_modes(const TriangleMesh& mesh, const PlanarSpace& space,
                                          const std::vector<PlanarEdge>& edges, const Point2& start,
                                          const Point2& direction, double width_m, bool vanish_at_ends,
                                          std::size_t most);

}  // namespace tetrawave::fem
