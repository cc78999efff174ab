#include "sources/ports/waveguide_port.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "sources/ports/port_medium.hpp"

namespace tetrawave {

namespace {

Vec3 unit(const Vec3& v) { return (1 / norm(v)) * v; }

std::size_t largest_component(const Vec3& v) {
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (std::abs(v[i]) > std::abs(v[largest]) * (1 + 1e-9)) largest = i;
  return largest;
}

/// The vertices of a closed rim in their order.
std::vector<GlobalIndex> walk(const std::vector<PortEdge>& rim, const std::string& refusal) {
  std::map<GlobalIndex, std::vector<GlobalIndex>> beside;
  for (const PortEdge& edge : rim) {
    beside[edge[0]].push_back(edge[1]);
    beside[edge[1]].push_back(edge[0]);
  }
  std::vector<GlobalIndex> loop{rim.front()[0]};
  GlobalIndex before = loop.front();
  for (GlobalIndex at = rim.front()[1]; at != loop.front();) {
    loop.push_back(at);
    const auto& next = beside[at];
    if (next.size() != 2) fail(ExitCode::bad_case, "{}: its rim touches itself", refusal);
    const GlobalIndex other = next[0] == before ? next[1] : next[0];
    before = at;
    at = other;
  }
  if (loop.size() != rim.size()) fail(ExitCode::bad_case, "{}: it has a hole", refusal);
  return loop;
}

/// The corners of the rim.
std::vector<Vec3> corners_of(const std::vector<GlobalIndex>& loop, const std::map<GlobalIndex, Vec3>& points) {
  constexpr double straight = 1e-6;
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3& here = points.at(loop[i]);
    const Vec3 in = unit(here - points.at(loop[(i + loop.size() - 1) % loop.size()]));
    const Vec3 out = unit(points.at(loop[(i + 1) % loop.size()]) - here);
    if (norm(cross(in, out)) > straight || dot(in, out) < 0) corners.push_back(here);
  }
  return corners;
}

Vec3 point_along_largest(const Vec3& v) { return v[largest_component(v)] < 0 ? -1 * v : v; }

constexpr double side_tolerance = 1e-5;  ///< of the size of a rectangle

/// Whether the first of two sides is a: the longer one, or for a square the one closer to the first axis.
bool is_longer(const Vec3& first, const Vec3& second) {
  const double difference = norm(first) - norm(second);
  if (std::abs(difference) > side_tolerance * (norm(first) + norm(second))) return difference > 0;
  return largest_component(first) < largest_component(second);
}

}  // namespace

Rectangle find_rectangle(const std::vector<PortTriangle>& triangles, const Vec3& normal, const std::string& refusal) {
  const auto points = points_of(triangles);
  const std::vector<Vec3> corners = corners_of(walk(find_rim(triangles, normal, refusal), refusal), points);
  if (corners.size() != 4) fail(ExitCode::bad_case, "{}: its rim has {} corners", refusal, corners.size());
  const Vec3 first = corners[1] - corners[0];
  const Vec3 second = corners[3] - corners[0];
  const double size = norm(first) + norm(second);
  const double skew =
      std::max(norm(corners[0] + corners[2] - corners[1] - corners[3]), std::abs(dot(first, second)) / size);
  if (skew > side_tolerance * size)
    fail(ExitCode::bad_case, "{}: its corners {}, {}, {}, {} m are not those of a rectangle", refusal,
         describe(corners[0]), describe(corners[1]), describe(corners[2]), describe(corners[3]));
  const bool first_is_a = is_longer(first, second);
  Rectangle result;
  const Vec3& a = first_is_a ? first : second;
  const Vec3& b = first_is_a ? second : first;
  result.a_m = norm(a);
  result.b_m = norm(b);
  result.along_a = point_along_largest(unit(a));
  result.along_b = point_along_largest(unit(b));
  const auto height = [&](const Vec3& p) { return dot(p, result.along_a) + dot(p, result.along_b); };
  result.corner = *std::min_element(corners.begin(), corners.end(),
                                    [&](const Vec3& p, const Vec3& q) { return height(p) < height(q); });
  return result;
}

Vec3 WaveguidePort::electric(const Vec3& point) const {
  const double ka = mode.m * pi / shape.a_m;
  const double kb = mode.n * pi / shape.b_m;
  const double x = ka * dot(point - shape.corner, shape.along_a);
  const double y = kb * dot(point - shape.corner, shape.along_b);
  const Vec3 e = mode.tm
                     ? ka * std::cos(x) * std::sin(y) * shape.along_a + kb * std::sin(x) * std::cos(y) * shape.along_b
                     : -kb * std::cos(x) * std::sin(y) * shape.along_a + ka * std::sin(x) * std::cos(y) * shape.along_b;
  // The mean of sin^2 and of cos^2 is 1/2, of cos(0)^2 it is 1.
  const double share = mode.m == 0 || mode.n == 0 ? 0.5 : 0.25;
  return 1 / (cutoff_per_m * std::sqrt(share * shape.a_m * shape.b_m)) * e;
}

namespace {

/// The midpoints of the edges of a rim that are not on metal.
std::vector<Vec3> open_middles(const std::vector<PortTriangle>& triangles, const std::vector<PortEdge>& rim,
                               const std::vector<PortEdge>& metal) {
  const auto points = points_of(triangles);
  std::vector<Vec3> middles;
  for (const PortEdge& edge : rim)
    if (!std::binary_search(metal.begin(), metal.end(), edge))
      middles.push_back(0.5 * (points.at(edge[0]) + points.at(edge[1])));
  return middles;
}

/// Mirrors the rectangle at its sides that contain the given points, `planes` in number. Returns whether there is now a
/// magnetic plane across the middle of a, of b.
std::array<bool, 2> mirror(Rectangle& shape, const std::vector<Vec3>& open, int planes, const std::string& refusal) {
  constexpr double near = 1e-6;
  std::array<std::array<bool, 2>, 2> at{};  // low and high side along a, b
  for (const Vec3& point : open) {
    const Vec3 from = point - shape.corner;
    const std::array<double, 2> share{dot(from, shape.along_a) / shape.a_m, dot(from, shape.along_b) / shape.b_m};
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t side = 0; side < 2; ++side)
        if (std::abs(share[d] - static_cast<double>(side)) < near) at[d][side] = true;
  }
  const auto count = static_cast<int>(at[0][0]) + at[0][1] + at[1][0] + at[1][1];
  const bool opposite = (at[0][0] && at[0][1]) || (at[1][0] && at[1][1]);
  if (count != planes || opposite)
    fail(ExitCode::bad_case,
         "{}: {}; the modes of a guide need metal walls, except on sides where magnetic planes of "
         "symmetry cut it (symmetry: [pmc])",
         refusal,
         open.empty() ? tetrawave::format("all of its rim is on electric walls, but symmetry names {} pmc", planes)
                      : tetrawave::format("its rim is not on electric walls, at {} m", describe(open.front())));
  for (std::size_t d = 0; d < 2; ++d) {
    double& length = d == 0 ? shape.a_m : shape.b_m;
    if (at[d][0]) shape.corner = shape.corner - length * (d == 0 ? shape.along_a : shape.along_b);
    if (at[d][0] || at[d][1]) length *= 2;
  }
  std::array<bool, 2> mirrored{at[0][0] || at[0][1], at[1][0] || at[1][1]};
  if (is_longer(shape.b_m * shape.along_b, shape.a_m * shape.along_a)) {
    std::swap(shape.a_m, shape.b_m);
    std::swap(shape.along_a, shape.along_b);
    std::swap(mirrored[0], mirrored[1]);
  }
  return mirrored;
}

/// The field of a mode is even about a plane across the middle of a side, as at a magnetic wall, if it has an odd
/// number of half waves along it.
void check_symmetry(const PortDescription& port, const std::array<bool, 2>& mirrored) {
  for (std::size_t d = 0; d < 2; ++d)
    if (mirrored[d] && (d == 0 ? port.mode.m : port.mode.n) % 2 == 0)
      fail(ExitCode::bad_case,
           "{}: error: port '{}': {} has no magnetic plane of symmetry across its side {}, as its {} is even: mesh the "
           "whole guide",
           port.boundary_place.text, port.name, name_of(port.mode), d == 0 ? "a" : "b",
           d == 0 ? "first index" : "second index");
}

double cutoff_of(const Rectangle& shape, int m, int n) { return pi * std::hypot(m / shape.a_m, n / shape.b_m); }

/// kc from which another mode propagates in addition to the given one. Across a mirrored side a mode has an odd number
/// of half waves; the lowest two modes have at most three.
double find_second_cutoff(const WaveguidePort& port, const std::array<bool, 2>& mirrored) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const bool tm : {false, true})
    for (int m = tm ? 1 : 0; m <= 3; ++m)
      for (int n = tm ? 1 : 0; n <= 3; ++n) {
        const bool own = tm == port.mode.tm && m == port.mode.m && n == port.mode.n;
        const bool excluded = (mirrored[0] && m % 2 == 0) || (mirrored[1] && n % 2 == 0);
        if (m + n > 0 && !own && !excluded) lowest = std::min(lowest, cutoff_of(port.shape, m, n));
      }
  return std::max(lowest, port.cutoff_per_m);
}

}  // namespace

WaveguidePort make_waveguide_port(const PortDescription& port, const std::vector<PortTriangle>& triangles,
                                  const Vec3& normal, const std::vector<PortEdge>& metal) {
  const std::string refusal = port_subject(port) + " is not the end of a rectangular waveguide";
  WaveguidePort result;
  result.shape = find_rectangle(triangles, normal, refusal);
  const std::array<bool, 2> mirrored =
      mirror(result.shape, open_middles(triangles, find_rim(triangles, normal, refusal), metal), port.magnetic_planes,
             refusal);
  check_symmetry(port, mirrored);
  result.mode = port.mode;
  result.cutoff_per_m = cutoff_of(result.shape, port.mode.m, port.mode.n);
  result.second_cutoff_per_m = find_second_cutoff(result, mirrored);
  return result;
}

}  // namespace tetrawave
