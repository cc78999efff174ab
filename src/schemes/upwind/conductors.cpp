#include "schemes/upwind/conductors.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "basis/physical_element.hpp"

namespace tetrawave::march {

namespace {

using Column = std::vector<double>;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// M^-1 on columns; M without the constants of the medium.
void solve(const basis::SymmetricMatrix& factored, std::vector<Column>& columns) {
  for (Column& column : columns) factored.solve(column.data());
}

/// scale x, column by column.
std::vector<double> join(const std::vector<Column>& columns, double scale) {
  std::vector<double> all;
  for (const Column& column : columns)
    for (const double x : column) all.push_back(scale * x);
  return all;
}

}  // namespace

std::vector<ConductorFace> list_conductor_faces(const Problem& problem) {
  std::vector<ConductorFace> faces;
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f)
      if (const auto wall = problem.wall_of(problem.mesh->boundary[at(e)][f]); wall && is_conductor(*wall))
        faces.push_back({e, f});
  return faces;
}

int conductor_branches(const Problem& problem) {
  std::size_t most = 0;
  for (const auto& branches : problem.wall_branches) most = std::max(most, branches.size());
  return static_cast<int>(most);
}

double fastest_conductor_rate(const Problem& problem) {
  double fastest = 0;
  for (const auto& branches : problem.wall_branches)
    for (const WallBranch& branch : branches) fastest = std::max(fastest, branch.rate_per_s / c0_m_per_s);
  return fastest;
}

ConductorNumbers conductor_numbers(const Problem& problem, const ConductorFace& face, double dt_m) {
  const LocalMesh& mesh = *problem.mesh;
  const auto& reference = basis::reference_element(problem.space);
  const basis::PhysicalElement element(problem.space, mesh.corners[at(face.element)]);
  const Medium& medium = problem.medium_of(face.element);
  const std::int32_t tag = mesh.boundary[at(face.element)][face.face];
  const double z = medium.impedance();
  const double sum = z + problem.wall_ohms[at(tag)] / eta0_ohm;
  const auto& on_face = reference.on_face[face.face];
  const std::size_t nf = reference.face_dofs;
  const auto face_mass = element.face_mass(face.face);
  std::vector<Column> turned(nf, Column(reference.dofs));
  std::vector<Column> direct(nf, Column(reference.dofs));
  std::vector<Column> on_itself(nf, Column(nf));
  basis::SymmetricMatrix small(nf);
  for (std::size_t k = 0; k < nf; ++k) {
    for (std::size_t i = 0; i < reference.dofs; ++i) {
      turned[k][i] = element.sign() * reference.face[face.face](i, k);
      direct[k][i] = face_mass(i, on_face[k]);
    }
    for (std::size_t i = 0; i < nf; ++i) {
      on_itself[k][i] = turned[k][on_face[i]];
      small(i, k) = face_mass(on_face[i], on_face[k]);
    }
  }
  ConductorNumbers numbers;
  numbers.law = {z / sum, 1 / sum};
  for (const WallBranch& branch : problem.wall_branches[at(tag)]) {
    numbers.law.push_back(branch.ohms / eta0_ohm);
    numbers.law.push_back(dt_m * branch.rate_per_s / c0_m_per_s);
  }
  small.factor();
  solve(small, on_itself);
  numbers.turn = join(on_itself, 1 / sum);
  auto mass = element.mass(medium.eps_axes);
  mass.factor();
  solve(mass, turned);
  numbers.electric = join(turned, dt_m / medium.eps_r / sum);
  mass = element.mass(medium.mu_axes);
  mass.factor();
  solve(mass, direct);
  numbers.magnetic = join(direct, dt_m / medium.mu_r * z / sum);
  return numbers;
}

}  // namespace tetrawave::march
