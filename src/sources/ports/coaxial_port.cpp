#include "sources/ports/coaxial_port.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "sources/ports/annulus.hpp"

namespace tetrawave {

namespace {

constexpr double agreement = 0.05;

// Compares the values given in the case with the face.
class GivenShape {
 public:
  GivenShape(const PortDescription& port, const Annulus& face) : port_(port), face_(face) {}

  void check() {
    check_radius("inner_radius", port_.inner_radius_m, face_.inner_radius_m);
    check_radius("outer_radius", port_.outer_radius_m, face_.outer_radius_m);
    if (port_.centre_m && norm(*port_.centre_m - face_.centre) > agreement * face_.outer_radius_m)
      add(tetrawave::format("centre is {} m, but the face has {} m", describe(*port_.centre_m),
                            describe(face_.centre)));
    if (port_.axis && !(norm(cross(*port_.axis, face_.normal)) <= agreement * norm(*port_.axis) && is_direction()))
      add(tetrawave::format("axis is {}, but the face has {}", describe(*port_.axis), describe(face_.normal)));
    if (!errors_.empty()) throw UserError(ExitCode::bad_case, errors_);
  }

 private:
  [[nodiscard]] bool is_direction() const { return norm(*port_.axis) > 0; }

  void check_radius(const char* key, const std::optional<double>& given, double found) {
    if (given && !(std::abs(*given - found) <= agreement * found))
      add(tetrawave::format("{} is {:.6g} m, but the face has {:.6g} m", key, *given, found));
  }

  void add(const std::string& what) {
    errors_ += tetrawave::format(
        "{}{}: error: port '{}': {}: give the value of the face '{}' within 5 percent, or leave it out",
        errors_.empty() ? "" : "\n", port_.place.text, port_.name, what, port_.boundary);
  }

  const PortDescription& port_;
  const Annulus& face_;
  std::string errors_;
};

}  // namespace

CoaxialPort make_coaxial_port(const PortDescription& port, const std::vector<PortTriangle>& triangles,
                              const Vec3& normal, const Medium& medium, int degree) {
  const Annulus face = find_annulus(triangles, normal, port_subject(port));
  GivenShape(port, face).check();
  CoaxialPort result;
  result.centre_m = port.centre_m.value_or(face.centre);
  result.inner_radius_m = port.inner_radius_m.value_or(face.inner_radius_m);
  result.outer_radius_m = port.outer_radius_m.value_or(face.outer_radius_m);
  result.mode = solve_tem_mode(triangles, face.normal, {face.inner_edges, face.outer_edges}, degree);
  result.mode.impedance_ohm =
      eta0_ohm / (2 * pi) * medium.impedance() * std::log(result.outer_radius_m / result.inner_radius_m);
  return result;
}

}  // namespace tetrawave
