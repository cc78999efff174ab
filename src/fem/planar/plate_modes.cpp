#include "fem/planar/plate_modes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "base/constants.hpp"

namespace tetrawave::fem {

PlateModes make_plate_modes(const TriangleMesh& mesh, const PlanarSpace& space, const std::vector<PlanarEdge>& edges,
                            const Point2& start, const Point2& direction, double width_m, bool vanish_at_ends,
                            std::size_t most) {
  PlateModes modes;
  modes.width_m = width_m;
  modes.vanish_at_ends = vanish_at_ends;
  std::map<std::int32_t, Eigen::Index> place_of;
  const auto unknown_of = [&](const PlanarEdge& edge, std::size_t i) {
    return space.unknown[static_cast<std::size_t>(space.shared_of(static_cast<std::size_t>(edge.element))[i])];
  };
  for (const PlanarEdge& edge : edges)
    for (const std::size_t i : space.on_edge(static_cast<std::size_t>(edge.edge)))
      if (const std::int32_t u = unknown_of(edge, i); u != PlanarSpace::fixed)
        if (place_of.emplace(u, static_cast<Eigen::Index>(modes.unknowns.size())).second) modes.unknowns.push_back(u);
  const auto n = static_cast<Eigen::Index>(modes.unknowns.size());
  const Eigen::Index count = std::min(n, static_cast<Eigen::Index>(most));
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n), moment = Eigen::MatrixXd::Zero(n, count);
  for (const PlanarEdge& edge : edges) {
    const auto places = space.on_edge(static_cast<std::size_t>(edge.edge));
    for (const PlanarEdgePoint& point : points_on_edge(mesh, space, edge)) {
      const double s =
          (point.at.place_m[0] - start[0]) * direction[0] + (point.at.place_m[1] - start[1]) * direction[1];
      for (const std::size_t i : places) {
        const std::int32_t u = unknown_of(edge, i);
        if (u == PlanarSpace::fixed) continue;
        const double v = point.length_m * trace_of(space.kind, point.at.functions[i], direction);
        for (const std::size_t k : places)
          if (const std::int32_t w = unknown_of(edge, k); w != PlanarSpace::fixed)
            mass(place_of[u], place_of[w]) += v * trace_of(space.kind, point.at.functions[k], direction);
        for (Eigen::Index m = 0; m < count; ++m) {
          const double phase = pi * static_cast<double>(modes.half_waves(static_cast<std::size_t>(m))) * s / width_m;
          moment(place_of[u], m) += v * (vanish_at_ends ? std::sin(phase) : std::cos(phase));
        }
      }
    }
  }
  const Eigen::MatrixXd projected = mass.llt().solve(moment);
  Eigen::MatrixXd kept(n, count);  // orthonormal in the mass, by Gram and Schmidt, twice
  for (Eigen::Index m = 0; m < count; ++m) {
    Eigen::VectorXd mode = projected.col(m);
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index k = 0; k < m; ++k) mode -= kept.col(k) * kept.col(k).dot(mass * mode);
    kept.col(m) = mode / std::sqrt(mode.dot(mass * mode));
    const Eigen::VectorXd moments = mass * kept.col(m);
    modes.moments.emplace_back(moments.data(), moments.data() + n);
  }
  return modes;
}

}  // namespace tetrawave::fem
