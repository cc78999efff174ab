#include "schemes/newmark/plane_wave.hpp"

#include <algorithm>
#include <utility>

#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"

namespace tetrawave::modes {

FetdPlaneWave::FetdPlaneWave(const march::Problem& problem, const march::PlaneWaveBorder& border, int threads,
                             const comm::Communicator& ranks)
    : problem_(problem),
      border_(border),
      traces_(problem, border.faces, {}, threads, ranks),
      touches_(problem.mesh->corners.size(), false),
      side_(traces_.unknowns()),
      wave_(traces_.unknowns()) {
  for (std::size_t e = 0; e < touches_.size(); ++e) {
    const auto own = traces_.space().of(e);
    touches_[e] =
        !border.is_total[e] && std::any_of(own.begin(), own.end(), [](auto u) { return u != fem::EdgeSpace::fixed; });
    if (touches_[e]) touching_.push_back(e);
  }
  const std::vector<fem::EdgeCoefficients<double>> nothing{{{0, 0, 0}, {0, 0, 0}}};
  traces_.set_matrix(nothing, std::vector<std::int32_t>(touches_.size(), 0),
                     std::vector<double>(border.faces.size(), 1.0));
  const auto& reference = basis::reference_element(problem.space);
  for (std::size_t k = 0; k < border.faces.size(); ++k) {
    const auto& [element, face] = border.faces[k];
    const basis::PhysicalElement physical(problem.space, problem.mesh->corners[static_cast<std::size_t>(element)]);
    const Vec3 n = physical.normal(face);
    const Vec3 along = border.electric - dot(n, border.electric) * n, turned = cross(n, border.magnetic);
    for (const auto& q : basis::triangle_rule(2 * reference.degree + 2)) {
      const auto barycentric = basis::from_face(face, q.barycentric);
      const auto values = physical.values(barycentric);
      Point& point = points_.emplace_back();
      point.face = static_cast<std::int32_t>(k);
      point.delay_m = border.delay_m(physical.point(barycentric));
      const double weight = q.weight * physical.area(face);
      for (const std::size_t i : reference.on_face[face]) {
        point.electric.push_back(weight * dot(values[i], along));
        point.flux.push_back(weight * dot(values[i], turned));
      }
    }
  }
}

void FetdPlaneWave::begin(double dt_m, march::Wave wave) {
  sent_ = std::move(wave);
  next_step_ = -1;
  for (Point& point : points_) point.delay = point.delay_m / dt_m;
}

void FetdPlaneWave::set_step(std::int64_t n) {
  const auto at = [this](std::int64_t step, const Point& point) {
    const double steps = static_cast<double>(step) - point.delay;
    return steps < 0 ? 0.0 : sent_(steps);
  };
  const auto& reference = basis::reference_element(problem_.space);
  std::fill(side_.begin(), side_.end(), 0.0);
  for (Point& point : points_) {
    point.now = next_step_ == n ? point.next : at(n, point);
    point.next = at(n + 1, point);
    const auto& [element, face] = border_.faces[static_cast<std::size_t>(point.face)];
    const auto unknowns = traces_.space().of(static_cast<std::size_t>(element));
    for (std::size_t i = 0; i < point.electric.size(); ++i)
      if (const std::int32_t u = unknowns[reference.on_face[face][i]]; u != fem::EdgeSpace::fixed)
        side_[static_cast<std::size_t>(u)] += (point.now + point.next) / 2 * point.electric[i];
  }
  next_step_ = n + 1;
  traces_.solve(side_, wave_);
}

void FetdPlaneWave::add_flux(const fem::EdgeSpace& space, std::vector<double>& side) const {
  const auto& reference = basis::reference_element(problem_.space);
  for (const Point& point : points_) {
    const auto& [element, face] = border_.faces[static_cast<std::size_t>(point.face)];
    const auto unknowns = space.of(static_cast<std::size_t>(element));
    for (std::size_t i = 0; i < point.flux.size(); ++i)
      if (const std::int32_t u = unknowns[reference.on_face[face][i]]; u != fem::EdgeSpace::fixed)
        side[static_cast<std::size_t>(u)] += (point.now + point.next) / 2 * point.flux[i];
  }
}

}  // namespace tetrawave::modes
