#include "model/plane_wave.hpp"

#include <cmath>
#include <string>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "case/spec/mirrors.hpp"

namespace tetrawave::modes {

ComplexVector cross(const Vec3& a, const ComplexVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

namespace {

/// E stands on a plane of metal, lies in a magnetic wall, and the wave goes along both.
void check_own_image(const MirrorPlane& mirror, Vec3 way, Vec3 electric, const Place& place, const std::string& key) {
  constexpr double tolerance = 1e-6;
  const auto axis = static_cast<std::size_t>(mirror.axis);
  way = (1 / norm(way)) * way;
  electric = (1 / norm(electric)) * electric;
  const double across = std::abs(electric[axis]);
  if (std::abs(way[axis]) < tolerance && std::abs(across - (mirror.magnetic ? 0 : 1)) < tolerance) return;
  const char name = "xyz"[axis];
  fail(ExitCode::bad_case,
       "{}: error: {}: the wave breaks the symmetry at the plane {} = {:g} m (symmetry, wall {}): "
       "found E = ({:.3g}, {:.3g}, {:.3g}), direction ({:.3g}, {:.3g}, {:.3g}); allowed there: a wave along the plane "
       "with E {} {}; otherwise mesh both sides of the plane",
       place.text, key, name, mirror.position_m, mirror.magnetic ? "pmc" : "pec", electric[0], electric[1], electric[2],
       way[0], way[1], way[2], mirror.magnetic ? "perpendicular to" : "along", name);
}

}  // namespace

void check_plane_waves_at_symmetry(const Case& given) {
  for (const MirrorPlane& mirror : mirrors_of(given)) {
    if (mirror.is_ground) continue;
    for (std::size_t w = 0; w < given.plane_waves.size(); ++w) {
      const PlaneWave wave(given.plane_waves[w], Medium{}, 0);
      check_own_image(mirror, wave.direction(), wave.amplitude(), given.plane_waves[w].place,
                      tetrawave::format("plane_waves.{}", w));
    }
    for (std::size_t s = 0; s < given.sources.size(); ++s)
      if (const SourceDescription& source = given.sources[s]; source.type == SourceType::plane_wave)
        check_own_image(mirror, source.direction, source.polarization, source.place,
                        tetrawave::format("sources.{}", s));
  }
}

PlaneWave::PlaneWave(const IncidentWave& spec, const Medium& medium, double hz) {
  constexpr double degree = pi / 180;
  const double theta = spec.theta_deg * degree, phi = spec.phi_deg * degree;
  from_ = {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
  electric_ = spec.is_theta ? Vec3{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), -std::sin(theta)}
                            : Vec3{-std::sin(phi), std::cos(phi), 0};
  magnetic_ = (-1 / medium.impedance()) * tetrawave::cross(from_, electric_);
  wave_number_ = 2 * pi * hz / c0_m_per_s * std::sqrt(medium.eps_r * medium.mu_r);
}

ComplexVector PlaneWave::times_phase(const Vec3& amplitude, const Vec3& point_m) const {
  const Complex phase = std::polar(1.0, wave_number_ * dot(from_, point_m));
  return {amplitude[0] * phase, amplitude[1] * phase, amplitude[2] * phase};
}

ComplexVector PlaneWave::electric(const Vec3& point_m) const { return times_phase(electric_, point_m); }
ComplexVector PlaneWave::magnetic(const Vec3& point_m) const { return times_phase(magnetic_, point_m); }

}  // namespace tetrawave::modes
