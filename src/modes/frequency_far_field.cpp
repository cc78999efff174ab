#include "modes/frequency_far_field.hpp"

#include <algorithm>
#include <set>

#include "base/constants.hpp"
#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"

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

}  // namespace

FrequencySurface::FrequencySurface(const Case& given, const TimeDomainSetup& setup, const FrequencySystem& system,
                                   int threads)
    : given_(given),
      setup_(setup),
      system_(system),
      threads_(threads),
      traces_(system.space(), setup.mesh.corners, faces_of(setup)) {
  list_elements();
}

/// Enclosed is what is reached from the enclosed side without crossing S.
void FrequencySurface::list_elements() {
  const LocalMesh& mesh = setup_.mesh;
  const std::set<fem::ElementFace> faces(traces_.faces().begin(), traces_.faces().end());
  std::vector<LocalIndex> queue;
  std::vector<bool> enclosed(static_cast<std::size_t>(mesh.element_count()), false);
  const auto reach = [&](LocalIndex element) {
    if (enclosed[static_cast<std::size_t>(element)]) return;
    enclosed[static_cast<std::size_t>(element)] = true;
    queue.push_back(element);
  };
  for (const auto& [element, face] : faces) reach(element);
  while (!queue.empty()) {
    const LocalIndex element = queue.back();
    queue.pop_back();
    for (std::uint8_t f = 0; f < 4; ++f) {
      const LocalIndex other = mesh.neighbour[static_cast<std::size_t>(element)][f];
      if (other >= 0 && faces.count({element, f}) == 0) reach(other);
    }
  }
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto own = system_.space().of(static_cast<std::size_t>(e));
    const bool touches = std::any_of(own.begin(), own.end(), [&](std::int32_t u) { return traces_.has(u); });
    if (enclosed[static_cast<std::size_t>(e)] && touches) touching_.push_back(e);
  }
}

std::vector<observe::SurfaceCurrent> FrequencySurface::currents(const std::vector<Complex>& flux,
                                                                const FieldSolution& field) const {
  const auto& reference = basis::reference_element(setup_.problem.space);
  const auto rule = basis::triangle_rule(2 * reference.degree + 2);
  std::vector<observe::SurfaceCurrent> result;
  for (const auto& [element, face] : traces_.faces()) {
    const auto e = static_cast<std::size_t>(element);
    const basis::PhysicalElement physical(setup_.problem.space, setup_.mesh.corners[e]);
    const Vec3 normal = physical.normal(face);
    const auto own = system_.space().of(e);
    const std::vector<Complex> dofs = system_.electric_as_solved(element, field);
    const auto wave = system_.wave_in(element, field);
    for (const auto& q : rule) {
      const auto barycentric = basis::from_face(face, q.barycentric);
      const auto values = physical.values(barycentric);
      const double area = q.weight * physical.area(face);
      observe::SurfaceCurrent& point = result.emplace_back();
      point.point_m = physical.point(barycentric);
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

observe::FarFieldResult FrequencySurface::far_field(const FieldSolution& field) {
  const FarFieldSpec& spec = *given_.outputs.far_field;
  const observe::RadiationSurface& surface = *setup_.surface;
  const double k0 = 2 * pi * field.hz / c0_m_per_s;
  std::vector<Complex> moments = system_.scattered_flux(touching_, field);
  for (Complex& moment : moments) moment /= Complex(0, k0);
  observe::FarFieldResult result;
  result.is_steady = true;
  result.incident_v_per_m = field.set.plane_wave ? 1 : 0;
  result.field =
      observe::far_field(currents(traces_.solve(moments), field), k0 * surface.refractive_index, surface.impedance,
                         spec.mirrors, {spec.theta_deg, spec.phi_deg}, threads_, comm::Communicator::self());
  return result;
}

}  // namespace tetrawave::modes
