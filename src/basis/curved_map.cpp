#include "basis/curved_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tetrawave::basis {

namespace {

constexpr std::array<std::array<std::size_t, 2>, 6> vertex_pairs{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

double triple(const std::array<Vec3, 3>& t) { return dot(t[0], cross(t[1], t[2])); }

}  // namespace

CurvedMap::CurvedMap(const std::array<Vec3, 4>& corners, const Middles& middles) : corners_(corners) {
  for (std::size_t k = 0; k < vertex_pairs.size(); ++k)
    bulge_[k] = middles[k] - 0.5 * (corners[vertex_pairs[k][0]] + corners[vertex_pairs[k][1]]);
}

Vec3 CurvedMap::point(const std::array<double, 4>& barycentric) const {
  Vec3 sum{};
  for (std::size_t v = 0; v < 4; ++v) sum = sum + barycentric[v] * corners_[v];
  for (std::size_t k = 0; k < vertex_pairs.size(); ++k)
    sum = sum + (4 * barycentric[vertex_pairs[k][0]] * barycentric[vertex_pairs[k][1]]) * bulge_[k];
  return sum;
}

std::array<Vec3, 3> CurvedMap::tangents(const std::array<double, 4>& barycentric) const {
  std::array<Vec3, 4> slope = corners_;  // dx/dL_v
  for (std::size_t k = 0; k < vertex_pairs.size(); ++k) {
    const auto [a, b] = vertex_pairs[k];
    slope[a] = slope[a] + (4 * barycentric[b]) * bulge_[k];
    slope[b] = slope[b] + (4 * barycentric[a]) * bulge_[k];
  }
  return {slope[1] - slope[0], slope[2] - slope[0], slope[3] - slope[0]};
}

double CurvedMap::determinant(const std::array<double, 4>& barycentric) const { return triple(tangents(barycentric)); }

std::optional<std::array<double, 4>> CurvedMap::barycentric(const Vec3& place) const {
  std::array<double, 4> l{0.25, 0.25, 0.25, 0.25};
  constexpr int most = 50;
  constexpr double far = 4;       // off the element, where the map need not be one to one
  constexpr double small = 1e-9;  // whose square, the error after it, is below the last digit
  for (int step = 0; step < most; ++step) {
    const auto t = tangents(l);
    const double determinant = triple(t);
    if (determinant == 0) return std::nullopt;
    const Vec3 rest = (1 / determinant) * (place - point(l));
    const Vec3 change{dot(rest, cross(t[1], t[2])), dot(rest, cross(t[2], t[0])), dot(rest, cross(t[0], t[1]))};
    for (std::size_t a = 0; a < 3; ++a) l[a + 1] += change[a];
    l[0] = 1 - l[1] - l[2] - l[3];
    const auto is_far = [](double x) { return !(std::abs(x) < far); };
    if (std::any_of(l.begin(), l.end(), is_far)) return std::nullopt;
    if (norm(change) < small) return l;
  }
  return std::nullopt;
}

double least_relative_determinant(const std::array<Vec3, 4>& corners, const Middles& middles) {
  constexpr int steps = 6;
  const CurvedMap map(corners, middles);
  const double straight = triple({corners[1] - corners[0], corners[2] - corners[0], corners[3] - corners[0]});
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= steps; ++i)
    for (int j = 0; i + j <= steps; ++j)
      for (int k = 0; i + j + k <= steps; ++k) {
        const std::array<double, 4> l{static_cast<double>(steps - i - j - k) / steps, static_cast<double>(i) / steps,
                                      static_cast<double>(j) / steps, static_cast<double>(k) / steps};
        least = std::min(least, map.determinant(l) / straight);
      }
  return least;
}

}  // namespace tetrawave::basis
