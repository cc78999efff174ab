#include "modes/frequency_domain/plane_waves.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "basis/quadrature.hpp"
#include "mesh/map_element.hpp"

namespace tetrawave::modes {

ComplexVector cross(const Vec3& a, const ComplexVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

namespace {

/// E stands on a plane of metal, lies in a magnetic wall, and the wave goes along both.
void check_own_image(const MirrorSpec& mirror, Vec3 way, Vec3 electric, const Place& place, const std::string& key) {
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
  if (given.mode != Mode::fe_iiee && !given.outputs.far_field) return;
  for (const MirrorSpec& mirror : given.mode == Mode::fe_iiee ? given.iiee.mirrors : given.outputs.far_field->mirrors) {
    if (mirror.is_ground) continue;
    for (std::size_t w = 0; w < given.plane_waves.size(); ++w) {
      const PlaneWave wave(given.plane_waves[w], Medium{}, 0);
      check_own_image(mirror, wave.direction(), wave.amplitude(), given.plane_waves[w].place,
                      tetrawave::format("plane_waves.{}", w));
    }
    for (std::size_t s = 0; s < given.sources.size(); ++s)
      if (const SourceSpec& source = given.sources[s]; source.type == SourceType::plane_wave)
        check_own_image(mirror, source.direction, source.polarization, source.place,
                        tetrawave::format("sources.{}", s));
  }
}

PlaneWave::PlaneWave(const PlaneWaveSpec& spec, const Medium& medium, double hz) {
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

ScatteringRegions::ScatteringRegions(const Medium& medium, const TimeDomainSetup& setup, const fem::EdgeSpace& space,
                                     const std::vector<fem::ElementFace>& lit)
    : setup_(setup), space_(space), medium_(medium) {
  find_total(lit);
  find_border();
}

void ScatteringRegions::find_total(const std::vector<fem::ElementFace>& lit) {
  const LocalMesh& mesh = setup_.mesh;
  std::vector<GlobalIndex> on_walls;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f) {
      const auto k = static_cast<std::size_t>(e);
      const bool is_lit = std::binary_search(lit.begin(), lit.end(), fem::ElementFace(e, f));
      if (mesh.boundary[k][f] < 0 || is_lit) continue;
      for (std::size_t corner = 0; corner < 4; ++corner)
        if (corner != f) on_walls.push_back(mesh.vertices[k][corner]);
    }
  std::sort(on_walls.begin(), on_walls.end());
  for (std::size_t e = 0; e < mesh.vertices.size(); ++e) {
    const auto& vertices = mesh.vertices[e];
    const bool touches = std::any_of(vertices.begin(), vertices.end(), [&](GlobalIndex v) {
      return std::binary_search(on_walls.begin(), on_walls.end(), v);
    });
    total_.push_back(touches || !(setup_.problem.media[static_cast<std::size_t>(mesh.region[e])] == medium_));
  }
}

void ScatteringRegions::find_border() {
  const LocalMesh& mesh = setup_.mesh;
  std::vector<fem::ElementFace> faces;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4 && is_total(e); ++f) {
      const LocalIndex other = mesh.neighbour[static_cast<std::size_t>(e)][f];
      if (other >= 0 && !is_total(other)) faces.emplace_back(e, f);
    }
  border_ = std::make_unique<fem::SurfaceTraces>(space_, mesh, faces);
  border_traces_ = std::make_unique<fem::FaceTraces>(traces_for_waves(space_, mesh, std::move(faces)));
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto own = space_.of(static_cast<std::size_t>(e));
    if (!is_total(e) && std::any_of(own.begin(), own.end(), [&](std::int32_t u) { return border_->has(u); }))
      beside_border_.push_back(e);
  }
}

std::vector<std::vector<Complex>> ScatteringRegions::on_border(const std::vector<PlaneWave>& waves) const {
  const auto unknowns = static_cast<std::size_t>(space_.unknowns);
  std::vector<std::vector<Complex>> moments;
  for (const PlaneWave& wave : waves) {
    std::vector<Complex> all(unknowns, Complex(0));
    border_traces_->add_moments([&](std::size_t p) { return wave.electric(border_traces_->points()[p].place_m); }, 1,
                                all);
    auto& own = moments.emplace_back();
    for (const std::int32_t u : border_->unknowns()) own.push_back(all[static_cast<std::size_t>(u)]);
  }
  const auto values = border_->solve(moments);
  std::vector<std::vector<Complex>> result(waves.size(), std::vector<Complex>(unknowns, Complex(0)));
  for (std::size_t w = 0; w < waves.size(); ++w)
    for (std::size_t i = 0; i < values[w].size(); ++i)
      result[w][static_cast<std::size_t>(border_->unknowns()[i])] = values[w][i];
  return result;
}

fem::FaceTraces traces_for_waves(const fem::EdgeSpace& space, const LocalMesh& mesh,
                                 std::vector<fem::ElementFace> faces) {
  const int degree = 2 * basis::reference_element(space.space).degree + 4;
  return {space, mesh, std::move(faces), basis::triangle_rule(degree)};
}

}  // namespace tetrawave::modes
