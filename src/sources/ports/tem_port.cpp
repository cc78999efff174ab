#include "sources/ports/tem_port.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace tetrawave {

namespace {

// Two touching conductors have one potential.
void check_apart(const PortDescription& port, const TemConductors& conductors, const std::vector<ConductorEdge>& metal,
                 std::int32_t signal, const std::vector<std::string>& names,
                 const std::map<GlobalIndex, Vec3>& points) {
  std::map<GlobalIndex, bool> on_signal;
  for (const PortEdge& edge : conductors.signal)
    for (const GlobalIndex vertex : edge) on_signal[vertex] = true;
  for (const ConductorEdge& item : metal) {
    if (item.conductor == signal) continue;
    for (const GlobalIndex vertex : item.edge) {
      if (on_signal.count(vertex) == 0) continue;
      fail(ExitCode::bad_case,
           "{}: error: port '{}': the conductor '{}' touches the {} on the face '{}', at {} m: "
           "connected metal has one potential and must be one group",
           port.signal_place.text, port.name, port.signal, names.at(static_cast<std::size_t>(item.conductor)),
           port.boundary, describe(points.at(vertex)));
    }
  }
}

/// The line of one medium: C/C0 is its eps.
TemPort plain_line(const std::vector<PortTriangle>& triangles, const Vec3& normal, const TemConductors& conductors,
                   const Medium& medium, int degree) {
  TemPort line;
  line.mode = solve_tem_mode(triangles, normal, conductors, degree);
  line.mode.impedance_ohm = eta0_ohm * medium.impedance() / line.mode.norm_squared;
  line.eps_effective = medium.eps_r;
  line.refractive_index = std::sqrt(medium.eps_r * medium.mu_r);
  return line;
}

/// Y_t = Y0 int e.e0 / int e.e on a triangle, within two powers of ten of Y0, the admittance of the wave. Then sum Y_t
/// int e.e = Y0 oint e0.e0: the outgoing wave is not reflected into the mode.
std::vector<double> wall_admittances(const TemPort& line, const std::vector<PortTriangle>& triangles, double y0) {
  const std::vector<double> own = overlaps(line.mode, line.mode, triangles);
  const std::vector<double> both = overlaps(line.mode, line.vacuum, triangles);
  std::vector<double> result;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    result.push_back(y0 * (own[t] > 0 ? std::clamp(both[t] / own[t], 0.01, 100.0) : 1));
  return result;
}

/// A field times a number on each triangle.
void weigh(TemMode& mode, const std::vector<double>& weights) {
  for (std::size_t t = 0; t < weights.size(); ++t) {
    for (Vec3& field : mode.corner_field[t]) field = weights[t] * field;
    if (!mode.middle_field.empty())
      for (Vec3& field : mode.middle_field[t]) field = weights[t] * field;
    if (const auto found = mode.curved.find(t); found != mode.curved.end())
      for (double& value : found->second.potential) value *= weights[t];
  }
}

/// The line of several media, of one mu, or with weights w: N = oint w eps e.e, N0 = oint w e0.e0.
TemPort mixed_line(const std::vector<PortTriangle>& triangles, const Vec3& normal, const TemConductors& conductors,
                   const std::vector<Medium>& media, int degree, const std::vector<double>& weights) {
  std::vector<double> eps;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    eps.push_back(media[media.size() > 1 ? t : 0].eps_r * (weights.empty() ? 1 : weights[t]));
  TemPort line;
  line.mode = solve_tem_mode(triangles, normal, conductors, degree, eps);
  line.vacuum = solve_tem_mode(triangles, normal, conductors, degree, weights);
  if (!weights.empty()) {
    const std::vector<double> squares = overlaps(line.vacuum, line.vacuum, triangles);
    line.vacuum.norm_squared = std::inner_product(weights.begin(), weights.end(), squares.begin(), 0.0);
    weigh(line.vacuum, weights);
  }
  const std::vector<double> energies = overlaps(line.mode, line.mode, triangles);
  const double capacitance = std::inner_product(eps.begin(), eps.end(), energies.begin(), 0.0);  // over eps0
  const double mu = media.front().mu_r;
  line.mode.impedance_ohm = eta0_ohm * std::sqrt(mu / (capacitance * line.vacuum.norm_squared));
  line.eps_effective = capacitance / line.vacuum.norm_squared;
  line.refractive_index = std::sqrt(mu * line.eps_effective);
  line.admittance = wall_admittances(line, triangles, std::sqrt(line.eps_effective / mu));
  return line;
}

}  // namespace

TemPort make_tem_port(const PortDescription& port, const std::vector<PortTriangle>& triangles, const Vec3& normal,
                      const std::vector<ConductorEdge>& metal, std::int32_t signal,
                      const std::vector<std::string>& names, const std::vector<Medium>& media, int degree,
                      const std::vector<double>& weights) {
  (void)find_rim(triangles, normal, port_subject(port) + " is not a cross-section");
  TemConductors conductors;
  for (const ConductorEdge& item : metal)
    (item.conductor == signal ? conductors.signal : conductors.others).push_back(item.edge);
  if (conductors.signal.empty())
    fail(ExitCode::bad_case, "{}: error: port '{}': the conductor '{}' does not touch the face '{}'",
         port.signal_place.text, port.name, port.signal, port.boundary);
  if (conductors.others.empty())
    fail(ExitCode::bad_case, "{} touches no metal but the conductor '{}'; a TEM wave travels between two conductors",
         port_subject(port), port.signal);
  check_apart(port, conductors, metal, signal, names, points_of(triangles));
  const bool mixed = std::any_of(media.begin(), media.end(), [&](const Medium& m) { return m != media.front(); });
  return mixed || !weights.empty() ? mixed_line(triangles, normal, conductors, media, degree, weights)
                                   : plain_line(triangles, normal, conductors, media.front(), degree);
}

}  // namespace tetrawave
