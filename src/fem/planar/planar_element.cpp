#include "fem/planar/planar_element.hpp"

#include <cmath>

namespace tetrawave::fem {

namespace {

double cross(const Point2& a, const Point2& b) { return a[0] * b[1] - a[1] * b[0]; }

Point2 combine(double a, const Point2& x, double b, const Point2& y) {
  return {a * x[0] + b * y[0], a * x[1] + b * y[1]};
}

}  // namespace

PlanarElement::PlanarElement(const TriangleMesh& mesh, std::size_t element, PlanarKind kind, int order)
    : kind_(kind), order_(order), nodes_(mesh.nodes_per_element()) {
  const std::int32_t* ids = mesh.elements.data() + nodes_ * element;
  for (std::size_t k = 0; k < nodes_; ++k) x_[k] = mesh.nodes[static_cast<std::size_t>(ids[k])];
  for (std::size_t e = 0; e < 3; ++e) is_reversed_[e] = ids[planar_edges[e][0]] > ids[planar_edges[e][1]];
}

Point2 PlanarElement::place(const std::array<double, 3>& l, std::array<Point2, 2>& derivative) const {
  // Of the shape functions of the geometry, in the coordinates l1, l2.
  std::array<double, 6> value{};
  std::array<std::array<double, 3>, 6> slope{};  // in l0, l1, l2
  for (std::size_t c = 0; c < 3; ++c) {
    value[c] = nodes_ == 3 ? l[c] : l[c] * (2 * l[c] - 1);
    slope[c][c] = nodes_ == 3 ? 1 : 4 * l[c] - 1;
  }
  for (std::size_t e = 0; nodes_ == 6 && e < 3; ++e) {
    const auto [a, b] = planar_edges[e];
    value[3 + e] = 4 * l[a] * l[b];
    slope[3 + e][a] = 4 * l[b];
    slope[3 + e][b] = 4 * l[a];
  }
  Point2 at{};
  derivative = {};
  for (std::size_t k = 0; k < nodes_; ++k)
    for (std::size_t x = 0; x < 2; ++x) {
      at[x] += value[k] * x_[k][x];
      for (std::size_t c = 0; c < 2; ++c) derivative[c][x] += (slope[k][c + 1] - slope[k][0]) * x_[k][x];
    }
  return at;
}

PlanarPoint PlanarElement::at(const std::array<double, 3>& l) const {
  PlanarPoint point;
  std::array<Point2, 2> d{};
  point.place_m = place(l, d);
  const double det = cross(d[0], d[1]);
  point.area_m2 = std::abs(det) / 2;
  point.gradient[1] = {d[1][1] / det, -d[1][0] / det};
  point.gradient[2] = {-d[0][1] / det, d[0][0] / det};
  point.gradient[0] = combine(-1, point.gradient[1], -1, point.gradient[2]);
  if (kind_ == PlanarKind::nodal)
    add_nodal(l, point);
  else
    add_edge(l, point);
  return point;
}

void PlanarElement::add_nodal(const std::array<double, 3>& l, PlanarPoint& point) const {
  const auto& g = point.gradient;
  for (std::size_t c = 0; c < 3; ++c) {
    const double slope = order_ == 1 ? 1 : 4 * l[c] - 1;
    point.functions[c] = {combine(slope, g[c], 0, {}), order_ == 1 ? l[c] : l[c] * (2 * l[c] - 1)};
  }
  for (std::size_t e = 0; order_ == 2 && e < 3; ++e) {
    const auto [a, b] = planar_edges[e];
    point.functions[3 + e] = {combine(4 * l[b], g[a], 4 * l[a], g[b]), 4 * l[a] * l[b]};
  }
}

void PlanarElement::add_edge(const std::array<double, 3>& l, PlanarPoint& point) const {
  const auto& g = point.gradient;
  const auto whitney = [&](std::size_t a, std::size_t b) -> PlanarFunction {
    return {combine(l[a], g[b], -l[b], g[a]), 2 * cross(g[a], g[b])};
  };
  for (std::size_t e = 0; e < 3; ++e) {
    const auto [first, second] = planar_edges[e];
    const auto [a, b] = is_reversed_[e] ? std::array{second, first} : std::array{first, second};
    point.functions[e] = whitney(a, b);
    if (order_ == 2) point.functions[3 + e] = {combine(l[a], g[b], l[b], g[a]), 0};
  }
  for (std::size_t k = 0; order_ == 2 && k < 2; ++k) {
    const PlanarFunction edge = whitney((k + 1) % 3, (k + 2) % 3);
    point.functions[6 + k] = {combine(l[k], edge.vector, 0, {}), l[k] * edge.scalar + cross(g[k], edge.vector)};
  }
}

std::array<double, 3> PlanarElement::locate(const Point2& point_m) const {
  std::array<double, 3> l{1.0 / 3, 1.0 / 3, 1.0 / 3};
  const int steps = nodes_ == 3 ? 1 : 20;  // Newton's
  for (int step = 0; step < steps; ++step) {
    std::array<Point2, 2> d{};
    const Point2 at = place(l, d);
    const double det = cross(d[0], d[1]);
    const Point2 miss{point_m[0] - at[0], point_m[1] - at[1]};
    l[1] += cross(miss, d[1]) / det;
    l[2] += cross(d[0], miss) / det;
    l[0] = 1 - l[1] - l[2];
  }
  return l;
}

}  // namespace tetrawave::fem
