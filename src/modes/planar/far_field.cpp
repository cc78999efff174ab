#include "modes/planar/far_field.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/parallel.hpp"
#include "basis/quadrature.hpp"

namespace tetrawave::modes {

namespace {

/// A point of the band next to the open ends: place, area, gradient of the cut-off, and the radiating field u, the
/// component along z of E or eta0 H, with its gradient.
struct BandPoint {
  Point2 place_m{};
  Point2 cut{};  ///< times the area
  Complex u;
  std::array<Complex, 2> gradient{};
};

std::vector<bool> open_nodes(const PlanarSetup& setup) {
  std::vector<bool> open(setup.mesh.nodes.size(), false);
  const auto mark = [&](const fem::PlanarEdge& edge) {
    for (const std::size_t corner : fem::planar_edges[static_cast<std::size_t>(edge.edge)])
      open[static_cast<std::size_t>(
          setup.mesh.elements[setup.mesh.nodes_per_element() * static_cast<std::size_t>(edge.element) + corner])] =
          true;
  };
  for (const PlanarWall& wall : setup.walls)
    if (wall.is_open() && !setup.is_layer[setup.region_of(wall.edge.element)]) mark(wall.edge);
  for (const fem::PlanarEdge& edge : setup.layer_border) mark(edge);
  return open;
}

/// The field and its gradient from E and eta0 H: curl(u z) = (u_y, -u_x).
void set_radiating(const PlanarFields& fields, const Medium& medium, bool along_z, double k0, BandPoint& point) {
  const Complex s = Complex(0, k0);
  if (along_z) {
    point.u = fields.electric[2];
    point.gradient = {s * medium.mu_r * fields.magnetic[1], -s * medium.mu_r * fields.magnetic[0]};
  } else {
    point.u = fields.magnetic[2];
    point.gradient = {-s * medium.eps_r * fields.electric[1], s * medium.eps_r * fields.electric[0]};
  }
}

std::vector<BandPoint> list_band(const Case& given, const PlanarSetup& setup, const PlanarSystem& system,
                                 const PlanarSolution& solution) {
  const std::vector<bool> open = open_nodes(setup);
  const bool along_z = given.planar->field == PlanarField::e_z;
  const double k0 = 2 * pi * solution.hz / c0_m_per_s;
  const Medium& medium = setup.media[*setup.outer_region];
  std::optional<PlanarWave> wave;
  if (solution.set.plane_wave) wave = system.wave_of(solution.set, solution.hz);
  std::vector<BandPoint> band;
  for (std::size_t e = 0; e < setup.mesh.element_count(); ++e) {
    if (setup.is_layer[static_cast<std::size_t>(setup.mesh.region[e])]) continue;
    std::array<double, 3> inside{};  // the cut-off is 1 at these corners
    for (std::size_t c = 0; c < 3; ++c)
      inside[c] = open[static_cast<std::size_t>(setup.mesh.elements[setup.mesh.nodes_per_element() * e + c])] ? 0 : 1;
    const double sum = inside[0] + inside[1] + inside[2];
    if (sum == 0 || sum == 3) continue;
    for (const basis::TrianglePoint& q : basis::symmetric_triangle_rule(6)) {
      const fem::PlanarPoint at =
          fem::PlanarElement(setup.mesh, e, setup.space.kind, setup.space.order).at(q.barycentric);
      PlanarFields fields = system.at(e, q.barycentric, solution);
      if (wave) {
        const PlanarFields incident = wave->at(at.place_m);
        for (std::size_t x = 0; x < 3; ++x) {
          fields.electric[x] -= incident.electric[x];
          fields.magnetic[x] -= incident.magnetic[x];
        }
      }
      BandPoint point;
      point.place_m = at.place_m;
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t x = 0; x < 2; ++x) point.cut[x] += q.weight * at.area_m2 * inside[c] * at.gradient[c][x];
      set_radiating(fields, medium, along_z, k0, point);
      band.push_back(point);
    }
  }
  return band;
}

/// F = int grad chi . (g grad u - u grad g), g = exp(j k r . x'): the integral of u dg/dn - g du/dn over any curve
/// around the sources, chi falling from 1 to 0 across the band (theory/frequency-domain-2d).
std::vector<Complex> radiation_of(const std::vector<BandPoint>& band, double wave_number,
                                  const std::vector<double>& phi_deg, int threads) {
  std::vector<Complex> result(phi_deg.size());
  for_each_task(phi_deg.size(), threads, [&](std::size_t d) {
    const Point2 r{std::cos(phi_deg[d] * pi / 180), std::sin(phi_deg[d] * pi / 180)};
    const Complex jk(0, wave_number);
    Complex sum = 0;
    for (const BandPoint& point : band) {
      const Complex g = std::exp(jk * (r[0] * point.place_m[0] + r[1] * point.place_m[1]));
      for (std::size_t x = 0; x < 2; ++x) sum += point.cut[x] * g * (point.gradient[x] - point.u * jk * r[x]);
    }
    result[d] = sum;
  });
  return result;
}

}  // namespace

PlanarFarField radiate(const Case& given, const PlanarSetup& setup, const PlanarSystem& system,
                       const PlanarSolution& solution, const std::vector<double>& phi_deg, int threads) {
  const Medium& medium = setup.media[*setup.outer_region];
  const double k = 2 * pi * solution.hz / c0_m_per_s * std::sqrt(medium.eps_r * medium.mu_r);
  const std::vector<BandPoint> band = list_band(given, setup, system, solution);
  // u = (1/4j) sqrt(2j/(pi k)) F; E_theta = -E_z, E_phi = Z H_z.
  const bool along_z = given.planar->field == PlanarField::e_z;
  const Complex factor = std::sqrt(Complex(0, 2) / (pi * k)) / Complex(0, 4) * (along_z ? -1.0 : medium.impedance());
  PlanarFarField result;
  result.hz = solution.hz;
  result.field = radiation_of(band, k, phi_deg, threads);
  for (Complex& value : result.field) value *= factor;
  // A trapezoidal sum over the circle is exact for twice the highest order in the pattern, about k times the radius.
  double radius = 0;
  for (const BandPoint& point : band) radius = std::max(radius, std::hypot(point.place_m[0], point.place_m[1]));
  const auto directions = static_cast<std::size_t>(2 * k * radius + 40);
  std::vector<double> circle;
  for (std::size_t d = 0; d < directions; ++d)
    circle.push_back(360 * static_cast<double>(d) / static_cast<double>(directions));
  double sum = 0;
  for (const Complex& value : radiation_of(band, k, circle, threads)) sum += std::norm(factor * value);
  result.radiated_w_per_m = sum * 2 * pi / static_cast<double>(directions) / (2 * eta0_ohm * medium.impedance());
  return result;
}

}  // namespace tetrawave::modes
