#include "schemes/upwind/faces.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/parallel.hpp"
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

template <class S>
std::vector<UpwindWaveList<S>> make_upwind_waves(const Problem& problem, const ElementLayout<S>& layout, double dt_m,
                                                 const comm::Communicator& ranks, int threads) {
  const NeighbourValues regions(*problem.mesh, problem.materials(), ranks);
  const auto n = basis::reference_element(problem.space).dofs;
  std::map<std::int32_t, double> admittances;  // of ports of one mode, by wave
  for (const ModalTermination& port : problem.terminations) admittances[port.wave] = port.admittance;
  std::map<std::pair<Part, std::size_t>, std::vector<const DrivenFace*>> groups;  // (part, how many came before)
  std::map<LocalIndex, std::size_t> met;
  for (const DrivenFace& face : problem.driven)
    groups[{problem.part_of(face.element), met[face.element]++}].push_back(&face);
  std::vector<UpwindWaveList<S>> lists;
  for (const auto& [key, faces] : groups) {
    UpwindWaveList<S> list;
    list.part = key.first;
    list.blocks = (static_cast<std::int64_t>(faces.size()) + layout.lanes - 1) / layout.lanes;
    const auto lanes = static_cast<std::size_t>(list.blocks * layout.lanes);
    list.element.assign(lanes, layout.spare);
    list.wave.assign(lanes, 0);
    list.electric.assign(lanes * n, S(0));
    list.magnetic.assign(lanes * n, S(0));
    for_each_task(faces.size(), threads, [&](std::size_t i) {
      const DrivenFace& face = *faces[i];
      const auto place = static_cast<std::int32_t>(i);
      const Medium& medium = problem.medium_of(face.element);
      const double own = 1 / medium.impedance();
      const auto wall = wall_at(problem, face.element, face.face);
      ensure(wall.has_value(), "a driven face is a wall");
      const auto modal = admittances.find(face.wave);
      const auto factors =
          modal != admittances.end()
              ? std::array<double, 2>{modal->second, 0}  // n x H* = y (2 w - v) e
              : schemes::upwind_incident(own, admittance_behind(problem, regions, face), wall->admittance);
      list.element[layout.at(place, 1, 0)] = layout.slot(face.element);
      list.wave[layout.at(place, 1, 0)] = face.wave;
      const auto put = [&](const Vec3& axes, double factor, const std::vector<double>& moment, std::vector<S>& to) {
        const std::vector<double> x = solve_mass(problem, face.element, axes, moment);
        for (std::size_t k = 0; k < n; ++k)
          to[layout.at(place, static_cast<int>(n), static_cast<int>(k))] = static_cast<S>(factor * x[k]);
      };
      put(medium.eps_axes, dt_m * factors[0] / medium.eps_r, face.direct, list.electric);
      put(medium.mu_axes, dt_m * factors[1] / medium.mu_r, face.rotated, list.magnetic);
    });
    lists.push_back(std::move(list));
  }
  return lists;
}

#define TW_DEFINE(S)                                                                                          \
  template UpwindFaces make_upwind_faces(const Problem&, const ElementLayout<S>&, const comm::Communicator&); \
  template std::vector<UpwindWaveList<S>> make_upwind_waves(const Problem&, const ElementLayout<S>&, double,  \
                                                            const comm::Communicator&, int);
TW_DEFINE(double)
TW_DEFINE(float)

}  // namespace tetrawave::march
