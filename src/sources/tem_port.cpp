#include "sources/tem_port.hpp"

#include <map>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace tetrawave {

namespace {

// Two conductors that meet have one potential.
void check_apart(const PortSpec& port, const TemConductors& conductors, const std::vector<ConductorEdge>& metal,
                 std::int32_t signal, const std::vector<std::string>& names,
                 const std::map<GlobalIndex, Vec3>& points) {
  std::map<GlobalIndex, bool> on_signal;
  for (const PortEdge& edge : conductors.signal)
    for (const GlobalIndex vertex : edge) on_signal[vertex] = true;
  for (const ConductorEdge& item : metal) {
    if (item.conductor == signal) continue;
    for (const GlobalIndex vertex : item.edge) {
      if (on_signal.count(vertex) == 0) continue;
      const Vec3& p = points.at(vertex);
      fail(ExitCode::bad_case,
           "{}: error: port '{}': the conductor '{}' touches the {} on the face '{}', at ({:.6g}, {:.6g}, {:.6g}) m: "
           "metal that hangs together has one potential and needs one group",
           port.signal_place.text, port.name, port.signal, names.at(static_cast<std::size_t>(item.conductor)),
           port.boundary, p[0], p[1], p[2]);
    }
  }
}

}  // namespace

TemMode make_tem_port(const PortSpec& port, const std::vector<PortTriangle>& triangles, const Vec3& normal,
                      const std::vector<ConductorEdge>& metal, std::int32_t signal,
                      const std::vector<std::string>& names, const Medium& medium, int degree) {
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
  TemMode mode = solve_tem_mode(triangles, normal, conductors, degree);
  mode.impedance_ohm = eta0_ohm * medium.impedance() / mode.norm_squared;
  return mode;
}

}  // namespace tetrawave
