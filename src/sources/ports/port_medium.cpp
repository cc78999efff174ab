#include "sources/ports/port_medium.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace tetrawave {

namespace {

std::string describe_medium(const Medium& medium) {
  std::string text = tetrawave::format("eps_r {:.6g}, mu_r {:.6g}", medium.eps_r, medium.mu_r);
  if (medium.loss_tangent != 0) text += tetrawave::format(", loss tangent {:.6g}", medium.loss_tangent);
  if (medium.sigma_e != 0) text += tetrawave::format(", sigma {:.6g} S/m", medium.sigma_e / eta0_ohm);
  if (medium.sigma_m != 0) text += tetrawave::format(", sigma_m {:.6g} ohm/m", medium.sigma_m * eta0_ohm);
  if (!medium.is_isotropic()) text += ", anisotropic";
  if (medium.is_dispersive()) text += ", dispersive";
  return text;
}

}  // namespace

Medium without_small_losses(const Medium& medium, double hz) {
  constexpr double most = 0.1;
  if (!medium.is_isotropic() || (medium.is_lossless() && !medium.is_dispersive())) return medium;
  const ComplexConstants at = constants_at(medium, hz);
  const auto is_small = [](std::complex<double> c) { return c.real() > 0 && -c.imag() <= most * c.real(); };
  if (!is_small(at.eps) || !is_small(at.mu)) return medium;
  Medium lossless;
  lossless.eps_r = at.eps.real();
  lossless.mu_r = at.mu.real();
  lossless.chi3 = medium.chi3;
  return lossless;
}

std::string port_subject(const PortDescription& port) {
  return tetrawave::format("{}: error: port '{}': the face '{}'", port.boundary_place.text, port.name, port.boundary);
}

namespace {

void check_medium(const PortDescription& port, const Medium& medium) {
  const char* const laminate =
      port.type == PortType::coaxial || port.type == PortType::tem
          ? ", or a laminate whose loss tangent in the middle of the frequencies of outputs is at most 0.1 "
            "(loss_tangent, eps_complex or wideband-debye)"
          : "";
  if (!medium.is_lossless())
    fail(ExitCode::bad_case, "{} touches a medium with losses ({}); the medium of a port is lossless{}",
         port_subject(port), describe_medium(medium), laminate);
  if (!medium.is_isotropic())
    fail(ExitCode::bad_case, "{} touches a medium that is anisotropic ({}); the medium of a port is isotropic",
         port_subject(port), describe_medium(medium));
  if (medium.is_dispersive())
    fail(ExitCode::bad_case, "{} touches a medium that is dispersive ({}); the medium of a port is not dispersive{}",
         port_subject(port), describe_medium(medium), laminate);
}

}  // namespace

Medium port_medium(const PortDescription& port, const std::vector<Medium>& of_elements) {
  ensure(!of_elements.empty(), "a port's face has elements");
  const Medium& first = of_elements.front();
  const auto other = std::find_if(of_elements.begin(), of_elements.end(), [&](const Medium& m) { return m != first; });
  if (other != of_elements.end())
    fail(ExitCode::bad_case, "{} touches different media ({}; {}); a port has one medium", port_subject(port),
         describe_medium(first), describe_medium(*other));
  check_medium(port, first);
  return first;
}

void check_line_media(const PortDescription& port, const std::vector<Medium>& of_triangles) {
  ensure(!of_triangles.empty(), "a port's face has elements");
  const Medium& first = of_triangles.front();
  for (const Medium& medium : of_triangles) {
    check_medium(port, medium);
    if (medium.mu_r != first.mu_r)
      fail(ExitCode::bad_case, "{} touches media of different permeability ({}; {}); a port has one mu_r",
           port_subject(port), describe_medium(first), describe_medium(medium));
  }
}

}  // namespace tetrawave
