#include "sources/waveguide_port.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "sources/port_medium.hpp"

namespace tetrawave {

namespace {

std::string describe(const Vec3& v) { return tetrawave::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]); }

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

/// Where the rim turns.
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

}  // namespace

Rectangle find_rectangle(const std::vector<PortTriangle>& triangles, const Vec3& normal, const std::string& refusal) {
  constexpr double agreement = 1e-5;
  const auto points = points_of(triangles);
  const std::vector<Vec3> corners = corners_of(walk(find_rim(triangles, normal, refusal), refusal), points);
  if (corners.size() != 4) fail(ExitCode::bad_case, "{}: its rim has {} corners", refusal, corners.size());
  const Vec3 first = corners[1] - corners[0];
  const Vec3 second = corners[3] - corners[0];
  const double size = norm(first) + norm(second);
  const double skew =
      std::max(norm(corners[0] + corners[2] - corners[1] - corners[3]), std::abs(dot(first, second)) / size);
  if (skew > agreement * size)
    fail(ExitCode::bad_case, "{}: its corners {}, {}, {}, {} m are not those of a rectangle", refusal,
         describe(corners[0]), describe(corners[1]), describe(corners[2]), describe(corners[3]));
  const double difference = norm(first) - norm(second);
  const bool first_is_a =
      std::abs(difference) > agreement * size ? difference > 0 : largest_component(first) < largest_component(second);
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

WaveguidePort make_waveguide_port(const PortSpec& port, const std::vector<PortTriangle>& triangles, const Vec3& normal,
                                  const std::vector<PortEdge>& metal) {
  const std::string refusal = port_subject(port) + " is not the end of a rectangular waveguide";
  WaveguidePort result;
  result.shape = find_rectangle(triangles, normal, refusal);
  result.mode = port.mode;
  result.cutoff_per_m = pi * std::hypot(port.mode.m / result.shape.a_m, port.mode.n / result.shape.b_m);
  const auto points = points_of(triangles);
  for (const PortEdge& edge : find_rim(triangles, normal, refusal))
    if (!std::binary_search(metal.begin(), metal.end(), edge))
      fail(ExitCode::bad_case,
           "{}: its rim is not on electric walls, at {} m; the modes of a guide stand between walls of metal", refusal,
           describe(0.5 * (points.at(edge[0]) + points.at(edge[1]))));
  return result;
}

}  // namespace tetrawave
