#include "schemes/upwind/faces.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "basis/physical_element.hpp"
#include "basis/quadrature_element.hpp"
#include "mesh/neighbour_values.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

using schemes::FaceCoefficients;

std::size_t at(LocalIndex e) { return static_cast<std::size_t>(e); }

/// M^-1 g, by quadrature for the stored layout.
std::vector<double> solve_mass(const Problem& problem, LocalIndex element, const Vec3& axes, std::vector<double> g) {
  const auto& corners = problem.mesh->corners[at(element)];
  if (problem.layout == Layout::stored) {
    basis::DenseMatrix x(g.size(), 1);
    std::copy(g.begin(), g.end(), x.row(0));
    basis::GramInverse(basis::QuadratureElement(problem.space, corners).mass_root(axes)).apply(x);
    return {x.row(0), x.row(0) + g.size()};
  }
  auto mass = basis::PhysicalElement(problem.space, corners).mass(axes);
  mass.factor();
  mass.solve(g.data());
  return g;
}

/// Admittance on the other side of a sheet; 0 at an outer wall.
double admittance_behind(const Problem& problem, const NeighbourValues& regions, const DrivenFace& face) {
  const std::int32_t region = regions.behind(face.element, face.face);
  return region < 0 ? 0 : 1 / problem.media[at(region)].impedance();
}

/// Numbers the kinds in order of occurrence.
class KindTable {
 public:
  explicit KindTable(std::vector<FaceCoefficients>& list) : list_(list) { number({}); }
  std::int32_t number(const FaceCoefficients& face) {
    const auto found = numbers_.find(face);
    if (found != numbers_.end()) return found->second;
    list_.push_back(face);
    return numbers_[face] = static_cast<std::int32_t>(list_.size()) - 1;
  }

 private:
  std::vector<FaceCoefficients>& list_;
  std::map<FaceCoefficients, std::int32_t> numbers_;
};

}  // namespace

template <class S>
UpwindFaces make_upwind_faces(const Problem& problem, const ElementLayout<S>& layout, const comm::Communicator& ranks) {
  using Kind = schemes::WallSpec::Kind;
  const LocalMesh& mesh = *problem.mesh;
  const NeighbourValues regions(mesh, problem.materials(), ranks);
  UpwindFaces faces;
  faces.kinds.assign(static_cast<std::size_t>(layout.blocks * layout.lanes) * 4, 0);
  KindTable kinds(faces.coefficients);
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (int f = 0; f < 4; ++f) {
      const double own = problem.medium_of(e).impedance();
      const auto wall = wall_at(problem, e, static_cast<std::size_t>(f));
      FaceCoefficients face{};
      if (wall && wall->kind != Kind::sheet) {
        face = schemes::upwind_wall(*wall, own);
      } else {
        const Medium& other = problem.media[at(regions.behind(e, static_cast<std::size_t>(f)))];
        face = schemes::upwind_face(own, other.impedance(), wall ? wall->admittance : 0);
        if (!wall && !problem.undamped.empty() && (problem.undamped[at(e)] >> f & 1) != 0)
          for (const std::size_t straight : {2, 3, 6, 7}) face[straight] = 0;
      }
      faces.kinds[layout.at(layout.slot(e), 4, f)] = kinds.number(face);
    }
  return faces;
}

IncidentMoments::IncidentMoments(const Problem& problem, const comm::Communicator& ranks)
    : problem_(problem), regions_(*problem.mesh, problem.materials(), ranks) {
  for (const ModalTermination& port : problem.terminations) admittances_[port.wave] = port.admittance;
}

std::array<std::vector<double>, 2> IncidentMoments::of(const DrivenFace& face, double dt_m) const {
  const Medium& medium = problem_.medium_of(face.element);
  const auto wall = wall_at(problem_, face.element, face.face);
  ensure(wall.has_value(), "a driven face is a wall");
  const auto modal = admittances_.find(face.wave);
  const auto factors = modal != admittances_.end()
                           ? std::array<double, 2>{modal->second, 0}  // n x H* = y (2 w - v) e
                           : schemes::upwind_incident(1 / medium.impedance(),
                                                      admittance_behind(problem_, regions_, face), wall->admittance);
  const auto solved = [&](const Vec3& axes, double factor, const std::vector<double>& moment) {
    std::vector<double> x = solve_mass(problem_, face.element, axes, moment);
    for (double& number : x) number *= factor;
    return x;
  };
  return {solved(medium.eps_axes, dt_m * factors[0] / medium.eps_r, face.direct),
          solved(medium.mu_axes, dt_m * factors[1] / medium.mu_r, face.rotated)};
}

template UpwindFaces make_upwind_faces(const Problem&, const ElementLayout<double>&, const comm::Communicator&);
template UpwindFaces make_upwind_faces(const Problem&, const ElementLayout<float>&, const comm::Communicator&);

}  // namespace tetrawave::march
