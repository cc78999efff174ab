// The lowest mode of a spherical cavity, with curved and with straight elements.
#include <cmath>
#include <numeric>

#include "catch.hpp"
#include "fem/assembly/edge_assembly.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "unit/mesh/round_octant.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

/// TM101 of a sphere of 1 m: k is the first root of (x j_1(x))' = 0.
constexpr double exact = 2.74370726959;

using Reals = std::vector<double>;

Reals multiply(const CsrMatrix<double>& a, const Reals& x) {
  Reals y(x.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    for (auto k = a.pattern->first[i]; k < a.pattern->first[i + 1]; ++k)
      y[i] += a.values[static_cast<std::size_t>(k)] *
              x[static_cast<std::size_t>(a.pattern->column[static_cast<std::size_t>(k)])];
  return y;
}

double dot(const Reals& a, const Reals& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.); }

/// The mode along z has its electric field across z = 0 (metal) and along x = 0 and y = 0.
std::vector<ElementFace> metal_of(const LocalMesh& mesh) {
  std::vector<ElementFace> metal;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f) {
      const auto k = static_cast<std::size_t>(e);
      const auto& [a, b, c] = face_corners[f];
      const auto& x = mesh.corners[k];
      const bool flat = std::abs(x[a][2]) + std::abs(x[b][2]) + std::abs(x[c][2]) < 1e-9;
      if (mesh.boundary[k][f] == 0 || (mesh.boundary[k][f] == 1 && flat)) metal.emplace_back(e, f);
    }
  return metal;
}

/// k next to `near`, by inverse iteration.
double wave_number(const LocalMesh& mesh, Space space, double near) {
  const EdgeSpace numbers = number_unknowns(space, mesh.vertices, metal_of(mesh));
  const EdgeAssembly assembly(numbers, mesh, {}, AssemblyMethod::by_dof, 1);
  const std::vector<std::int32_t> kind(mesh.corners.size(), 0);
  CsrMatrix<double> shifted, curls, fields;
  const double shift = near * near;
  assembly.assemble<double>({{{{1, 1, 1}, {-shift, -shift, -shift}}}}, kind, {}, shifted);
  assembly.assemble<double>({{{{1, 1, 1}, {0, 0, 0}}}}, kind, {}, curls);
  assembly.assemble<double>({{{{0, 0, 0}, {1, 1, 1}}}}, kind, {}, fields);
  SolverOptions spec;
  spec.method = SolverMethod::direct;
  LinearSolver<double> solver(spec, SolverMachine(1), assembly.pattern());
  std::vector<Reals> x(1, Reals(static_cast<std::size_t>(numbers.unknowns)));
  for (std::size_t i = 0; i < x[0].size(); ++i) x[0][i] = std::sin(1. + static_cast<double>(i));
  double before = 0, square = 1;
  for (int step = 0; step < 60 && std::abs(square - before) > 1e-12 * square; ++step) {
    const std::vector<Reals> side{multiply(fields, x[0])};
    (void)(step == 0 ? solver.solve(shifted, side, x) : solver.solve_again(side, x));
    const double length = std::sqrt(dot(x[0], multiply(fields, x[0])));
    for (double& value : x[0]) value /= length;
    before = square;
    square = dot(x[0], multiply(curls, x[0]));
  }
  return std::sqrt(square);
}

}  // namespace

TEST_CASE("the lowest mode of a sphere of metal converges with the fourth order of mixed-2 on curved elements only") {
  if (!has_direct_solver()) return;
  std::array<std::vector<double>, 2> errors;
  for (const int cells : {2, 4}) {
    LocalMesh mesh = build_octant(make_round_octant(cells));
    errors[0].push_back(std::abs(wave_number(mesh, Space::mixed_2, 2.7) / exact - 1));
    mesh.curved = {};
    errors[1].push_back(std::abs(wave_number(mesh, Space::mixed_2, 2.7) / exact - 1));
  }
  WARN("mixed-2, relative errors of k with 2 and 4 elements along the radius: curved "
       << errors[0][0] << " " << errors[0][1] << ", straight " << errors[1][0] << " " << errors[1][1]);
  CHECK(std::log2(errors[0][0] / errors[0][1]) > 3.3);
  CHECK(std::log2(errors[1][0] / errors[1][1]) < 2.4);
  CHECK(errors[0][1] < 5e-4);
  CHECK(errors[0][1] < 0.1 * errors[1][1]);
}
