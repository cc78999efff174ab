#include "modes/frequency_domain/far_field.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/constants.hpp"
#include "basis/quadrature.hpp"
#include "mesh/map_element.hpp"
#include "mesh/reach_elements.hpp"
#include "model/far_field.hpp"

namespace tetrawave::modes {

namespace {

/// Faces that are sampled from the outside alone are met from the inside too: the weak form is that of the inside.
std::vector<fem::ElementFace> faces_of(const TimeDomainSetup& setup) {
  const LocalMesh& mesh = setup.mesh;
  std::set<fem::ElementFace> faces;
  for (std::size_t k = 0; k < setup.problem.spectral.faces.size(); ++k) {
    const auto& [element, face] = setup.problem.spectral.faces[k];
    const auto e = static_cast<std::size_t>(element);
    if (setup.surface->faces[k].outward > 0)
      faces.emplace(element, face);
    else
      faces.emplace(mesh.neighbour[e][face], mesh.neighbour_face[e][face]);
  }
  return {faces.begin(), faces.end()};
}

/// That of the system, with unknowns on those of the faces that are of metal.
fem::EdgeSpace rows_on(const TimeDomainSetup& setup, const FrequencySystem& system,
                       const std::vector<fem::ElementFace>& faces) {
  const std::set<fem::ElementFace> surface(faces.begin(), faces.end());
  std::vector<fem::ElementFace> other;
  for (const fem::ElementFace& face : system.metal())
    if (surface.count(face) == 0) other.push_back(face);
  if (other.size() == system.metal().size()) return system.space();
  return fem::number_unknowns(setup.problem.space, setup.mesh.vertices, other);
}

}  // namespace

SurfaceCurrents::SurfaceCurrents(const TimeDomainSetup& setup, const FrequencySystem& system,
                                 std::vector<fem::ElementFace> faces, double outward)
    : setup_(setup),
      system_(system),
      outward_(outward),
      rows_(rows_on(setup, system, faces)),
      traces_(rows_, setup.mesh, std::move(faces)) {
  list_elements();
}

/// V is what is reached from the faces' elements without crossing S.
void SurfaceCurrents::list_elements() {
  const std::set<fem::ElementFace> faces(traces_.faces().begin(), traces_.faces().end());
  std::vector<LocalIndex> start;
  for (const auto& [element, face] : faces) start.push_back(element);
  const std::vector<bool> reached = reach_elements(setup_.mesh, start, faces);
  for (LocalIndex e = 0; e < setup_.mesh.element_count(); ++e) {
    const auto own = rows_.of(static_cast<std::size_t>(e));
    const bool touches = std::any_of(own.begin(), own.end(), [&](std::int32_t u) { return traces_.has(u); });
    if (reached[static_cast<std::size_t>(e)] && touches) touching_.push_back(e);
  }
}

std::vector<Vec3> SurfaceCurrents::points() const {
  const auto rule = basis::symmetric_triangle_rule(2 * basis::reference_element(setup_.problem.space).degree + 2);
  std::vector<Vec3> points;
  for (const auto& [element, face] : traces_.faces()) {
    const basis::MappedElement physical = map_element(setup_.problem.space, setup_.mesh, element);
    for (const auto& q : rule) points.push_back(physical.point(physical.on_face(face, q.barycentric).barycentric));
  }
  return points;
}

std::vector<results::SurfaceCurrent> SurfaceCurrents::find(const FieldSolution& field) {
  std::vector<Complex> moments = system_.scattered_flux(touching_, field, rows_);
  for (Complex& moment : moments) moment /= Complex(0, 2 * pi * field.hz / c0_m_per_s);
  const std::vector<Complex> flux = traces_.solve(moments);
  const auto& reference = basis::reference_element(setup_.problem.space);
  const auto rule = basis::symmetric_triangle_rule(2 * reference.degree + 2);
  std::vector<results::SurfaceCurrent> result;
  for (const auto& [element, face] : traces_.faces()) {
    const auto e = static_cast<std::size_t>(element);
    const basis::MappedElement physical = map_element(setup_.problem.space, setup_.mesh, element);
    const auto own = rows_.of(e);
    const std::vector<Complex> dofs = system_.electric_as_solved(element, field);
    const auto wave = system_.wave_in(element, field);
    for (const auto& q : rule) {
      const auto at = physical.on_face(face, q.barycentric);
      const auto values = physical.values(at.barycentric);
      const Vec3& normal = at.normal;
      const double area = outward_ * q.weight * at.area;
      results::SurfaceCurrent& point = result.emplace_back();
      point.point_m = physical.point(at.barycentric);
      ComplexVector electric{}, current{};
      if (wave) electric = wave->electric(point.point_m);
      for (Complex& component : electric) component = -component;
      for (const std::size_t i : reference.on_face[face]) {
        const Vec3 tangential = values[i] - dot(normal, values[i]) * normal;
        for (std::size_t x = 0; x < 3; ++x) {
          electric[x] += tangential[x] * dofs[i];
          if (own[i] != fem::EdgeSpace::fixed) current[x] += tangential[x] * flux[static_cast<std::size_t>(own[i])];
        }
      }
      const ComplexVector magnetic = cross(normal, electric);
      for (std::size_t x = 0; x < 3; ++x) {
        point.electric[x] = area * current[x];
        point.magnetic[x] = -area * magnetic[x];
        point.power -= 0.5 * area * (electric[x] * std::conj(current[x])).real() / eta0_ohm;  // n.(E x H) = -E.(n x H)
      }
    }
  }
  return result;
}

FrequencyFarField::FrequencyFarField(const Case& given, const TimeDomainSetup& setup, const FrequencySystem& system,
                                     SurfaceCurrents* inner, int threads)
    : spec_(*given.outputs.far_field), threads_(threads), surface_(inner) {
  if (setup.surface) {
    own_ = std::make_unique<SurfaceCurrents>(setup, system, faces_of(setup), 1);
    surface_ = own_.get();
    impedance_ = setup.surface->impedance;
    refractive_index_ = setup.surface->refractive_index;
  } else {
    const Medium& medium = system.outer_medium(given.iiee.outer_place, "iiee.outer");
    impedance_ = medium.impedance();
    refractive_index_ = std::sqrt(medium.eps_r * medium.mu_r);
  }
}

results::FarFieldResult FrequencyFarField::find(const FieldSolution& field) {
  results::FarFieldResult result;
  result.is_steady = true;
  result.incident_v_per_m = field.set.plane_wave ? 1 : 0;
  result.field = results::far_field(surface_->find(field), 2 * pi * field.hz / c0_m_per_s * refractive_index_,
                                    impedance_, spec_.mirrors, {spec_.theta_deg, spec_.phi_deg},
                                    direction_summation(threads_), comm::Communicator::self());
  return result;
}

}  // namespace tetrawave::modes
