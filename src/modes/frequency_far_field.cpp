#include "modes/frequency_far_field.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/constants.hpp"
#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"

namespace tetrawave::modes {

namespace {

constexpr Complex j{0, 1};

using ComplexVector = std::array<Complex, 3>;

ComplexVector cross(const Vec3& a, const ComplexVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

FrequencySurface::FrequencySurface(const Case& given, const TimeDomainSetup& setup, const FrequencySystem& system,
                                   int threads)
    : given_(given), setup_(setup), system_(system), threads_(threads) {
  list_faces();
  make_mass();
  SolverSpec spec;
  spec.method = SolverMethod::bicgstab;
  spec.preconditioner = Preconditioner::jacobi;
  spec.tolerance = 1e-12;
  solver_ = std::make_unique<fem::LinearSolver>(spec, threads, pattern_);
}

/// Faces that are sampled from the outside alone are met from the inside too: the weak form is that of the inside.
void FrequencySurface::list_faces() {
  const LocalMesh& mesh = setup_.mesh;
  std::set<fem::ElementFace> faces;
  for (std::size_t k = 0; k < setup_.problem.spectral.faces.size(); ++k) {
    const auto& [element, face] = setup_.problem.spectral.faces[k];
    const auto e = static_cast<std::size_t>(element);
    if (setup_.surface->faces[k].outward > 0)
      faces.emplace(element, face);
    else
      faces.emplace(mesh.neighbour[e][face], mesh.neighbour_face[e][face]);
  }
  faces_.assign(faces.begin(), faces.end());
  number_.assign(static_cast<std::size_t>(system_.space().unknowns), -1);
  const auto& reference = basis::reference_element(setup_.problem.space);
  for (const auto& [element, face] : faces_)
    for (const std::size_t i : reference.on_face[face]) {
      const std::int32_t u = system_.space().of(static_cast<std::size_t>(element))[i];
      if (u == fem::EdgeSpace::fixed || number_[static_cast<std::size_t>(u)] >= 0) continue;
      number_[static_cast<std::size_t>(u)] = static_cast<std::int32_t>(unknowns_.size());
      unknowns_.push_back(u);
    }
  // Enclosed is what is reached from the enclosed side without crossing S.
  std::vector<LocalIndex> queue;
  std::vector<bool> enclosed(static_cast<std::size_t>(mesh.element_count()), false);
  for (const auto& [element, face] : faces_) {
    if (!enclosed[static_cast<std::size_t>(element)]) queue.push_back(element);
    enclosed[static_cast<std::size_t>(element)] = true;
  }
  while (!queue.empty()) {
    const LocalIndex element = queue.back();
    queue.pop_back();
    for (std::uint8_t f = 0; f < 4; ++f) {
      const LocalIndex other = mesh.neighbour[static_cast<std::size_t>(element)][f];
      if (other < 0 || faces.count({element, f}) > 0 || enclosed[static_cast<std::size_t>(other)]) continue;
      enclosed[static_cast<std::size_t>(other)] = true;
      queue.push_back(other);
    }
  }
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto own = system_.space().of(static_cast<std::size_t>(e));
    const bool touches = std::any_of(own.begin(), own.end(), [&](std::int32_t u) {
      return u != fem::EdgeSpace::fixed && number_[static_cast<std::size_t>(u)] >= 0;
    });
    if (enclosed[static_cast<std::size_t>(e)] && touches) touching_.push_back(e);
  }
}

void FrequencySurface::make_mass() {
  const auto& reference = basis::reference_element(setup_.problem.space);
  std::vector<std::map<std::int32_t, double>> rows(unknowns_.size());
  for (const auto& [element, face] : faces_) {
    const auto e = static_cast<std::size_t>(element);
    const auto mass = basis::PhysicalElement(setup_.problem.space, setup_.mesh.corners[e]).face_mass(face);
    const auto own = system_.space().of(e);
    for (const std::size_t a : reference.on_face[face])
      for (const std::size_t b : reference.on_face[face])
        if (own[a] != fem::EdgeSpace::fixed && own[b] != fem::EdgeSpace::fixed)
          rows[static_cast<std::size_t>(number_[static_cast<std::size_t>(own[a])])]
              [number_[static_cast<std::size_t>(own[b])]] += mass(a, b);
  }
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      pattern_.column.push_back(column);
      mass_.values.emplace_back(value);
    }
    pattern_.first.push_back(static_cast<std::int64_t>(pattern_.column.size()));
  }
  mass_.pattern = &pattern_;
}

std::vector<Complex> FrequencySurface::solve_for_current(double hz, const DrivenSet& set,
                                                         const std::vector<Complex>& solution) {
  const std::vector<Complex> residual = system_.residual_in(touching_, hz, set, solution);
  std::vector<std::vector<Complex>> side(1), flux(1, std::vector<Complex>(unknowns_.size(), Complex(0)));
  for (const std::int32_t u : unknowns_)
    side.front().push_back(residual[static_cast<std::size_t>(u)] / (j * (2 * pi * hz / c0_m_per_s)));
  solver_->solve(mass_, side, flux);
  return flux.front();
}

std::vector<observe::SurfaceCurrent> FrequencySurface::currents(const std::vector<Complex>& flux,
                                                                const std::vector<Complex>& solution) const {
  const auto& reference = basis::reference_element(setup_.problem.space);
  const auto rule = basis::triangle_rule(2 * reference.degree + 2);
  std::vector<observe::SurfaceCurrent> result;
  for (const auto& [element, face] : faces_) {
    const auto e = static_cast<std::size_t>(element);
    const basis::PhysicalElement physical(setup_.problem.space, setup_.mesh.corners[e]);
    const Vec3 normal = physical.normal(face);
    const auto own = system_.space().of(e);
    for (const auto& q : rule) {
      const auto barycentric = basis::from_face(face, q.barycentric);
      const auto values = physical.values(barycentric);
      ComplexVector electric{}, current{};
      for (const std::size_t i : reference.on_face[face]) {
        if (own[i] == fem::EdgeSpace::fixed) continue;
        const auto u = static_cast<std::size_t>(own[i]);
        const Vec3 tangential = values[i] - dot(normal, values[i]) * normal;
        for (std::size_t x = 0; x < 3; ++x) {
          electric[x] += tangential[x] * solution[u];
          current[x] += tangential[x] * flux[static_cast<std::size_t>(number_[u])];
        }
      }
      const double area = q.weight * physical.area(face);
      observe::SurfaceCurrent& point = result.emplace_back();
      point.point_m = physical.point(barycentric);
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

observe::FarFieldResult FrequencySurface::far_field(double hz, const DrivenSet& set,
                                                    const std::vector<Complex>& solution) {
  const FarFieldSpec& spec = *given_.outputs.far_field;
  const observe::RadiationSurface& surface = *setup_.surface;
  observe::FarFieldResult result;
  result.is_steady = true;
  result.incident_v_per_m = set.plane_wave ? 1 : 0;
  result.field = observe::far_field(currents(solve_for_current(hz, set, solution), solution),
                                    2 * pi * hz / c0_m_per_s * surface.refractive_index, surface.impedance,
                                    spec.mirrors, {spec.theta_deg, spec.phi_deg}, threads_, comm::Communicator::self());
  return result;
}

}  // namespace tetrawave::modes
