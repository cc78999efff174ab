#include "sources/ports/lumped_port.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "sources/ports/annulus.hpp"
#include "sources/ports/port_medium.hpp"

namespace tetrawave {

namespace {

Vec3 direction_in_plane(const Vec3& direction, const Vec3& normal, const std::string& refusal) {
  constexpr double most = 0.0175;  // 1 degree
  if (!(std::abs(dot(direction, normal)) <= most * norm(direction)))
    fail(ExitCode::bad_case, "{}: the direction {} is not in its plane, whose normal is {}", refusal,
         describe(direction), describe(normal));
  const Vec3 inside = direction - dot(direction, normal) * normal;
  return (1 / norm(inside)) * inside;
}

/// E = -along/length: from the positive conductor, where `along` ends, to the negative one.
void fill_patch(LumpedPort& port, const std::vector<PortTriangle>& triangles, const Vec3& along) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  double area = 0;
  for (const PortTriangle& triangle : triangles) {
    area += area_of(triangle);
    for (const Vec3& corner : triangle.corners) {
      low = std::min(low, dot(corner, along));
      high = std::max(high, dot(corner, along));
    }
  }
  port.length_m = high - low;
  port.width_m = area / port.length_m;
  const Vec3 field = (-1 / port.length_m) * along;
  port.field.corner_field.assign(triangles.size(), {field, field, field});
  port.field.norm_squared = port.width_m / port.length_m;
}

}  // namespace

LumpedPort make_lumped_port(const PortDescription& port, const std::vector<PortTriangle>& triangles, const Vec3& normal,
                            int degree) {
  LumpedPort result;
  result.resistance_ohm = port.resistance_ohm;
  if (port.direction) {
    const std::string refusal = port_subject(port) + " carries no resistor";
    (void)find_rim(triangles, normal, refusal);
    fill_patch(result, triangles, direction_in_plane(*port.direction, normal, refusal));
    return result;
  }
  const Annulus ring =
      find_annulus(triangles, normal, port_subject(port) + " carries a resistor without 'direction' and");
  result.field = solve_tem_mode(triangles, ring.normal, {ring.inner_edges, ring.outer_edges}, degree);
  result.length_m = ring.outer_radius_m - ring.inner_radius_m;
  result.width_m = result.length_m * result.field.norm_squared;
  return result;
}

}  // namespace tetrawave
