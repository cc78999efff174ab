// Assembly of edge elements on the GPU against that of the host. Without a GPU every case says so and ends.
#include <memory>
#include <span>
#include <type_traits>

#include "catch.hpp"
#include "cuda/assembly/assembly_device.hpp"
#include "cuda/direct/factor_device.hpp"
#include "cuda/iteration/iteration_device.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "gpu/gpu_is_here.hpp"
#include "spaces.hpp"
#include "support/assembly_checks.hpp"
#include "unit/fem/edge/helmholtz.hpp"
#include "unit/mesh/round_octant.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

std::shared_ptr<const AssemblyDevice> gpu() { return cuda::make_assembly_device(0, 2); }

template <class T>
void compare_spaces(const std::array<int, 3>& cells) {
  const Problem<T> problem(cells);
  const Media<T> media{problem.coefficients, problem.kind, problem.factors()};
  for (const Space space : nested_spaces)
    compare(*gpu(), number_unknowns(space, problem.box.vertices, problem.metal), problem.box.corners, problem.walls(),
            media);
}

}  // namespace

TEMPLATE_TEST_CASE("assembly on the GPU is that of the host in every way and space", "[cuda][assembly]", double,
                   Complex) {
  if (gpu_is_here()) compare_spaces<TestType>({6, 5, 7});
}

TEMPLATE_TEST_CASE("small problems are assembled on the GPU", "[cuda][assembly][tiny]", double, Complex) {
  if (gpu_is_here()) compare_spaces<TestType>({1, 1, 2});
}

TEMPLATE_TEST_CASE("curved elements with walls are assembled on the GPU", "[cuda][assembly][tiny]", double, Complex) {
  if (!gpu_is_here()) return;
  const LocalMesh mesh = build_octant(make_round_octant(2));
  Random random(7);
  Media<TestType> media;
  for (int k = 0; k < 2; ++k) media.coefficients.push_back({random.triple<TestType>(), random.triple<TestType>()});
  std::vector<ElementFace> walls;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    media.kind.push_back(e % 2);
    for (std::uint8_t f = 0; f < 4; ++f)
      if (mesh.boundary[static_cast<std::size_t>(e)][f] == 0) walls.emplace_back(e, f);
  }
  REQUIRE(!walls.empty());
  for (std::size_t w = 0; w < walls.size(); ++w) media.factors.push_back(random.any<TestType>());
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2, Space::full_2})
    compare(*gpu(), number_unknowns(space, mesh.vertices, {}), mesh, walls, media);
}

TEMPLATE_TEST_CASE("copies of a shape share a matrix on the GPU unless their media differ", "[cuda][assembly]", double,
                   Complex) {
  if (!gpu_is_here()) return;
  const Problem<TestType> problem({3, 4, 5}, 0);
  const std::vector<std::int32_t> copies = problem.copies();
  REQUIRE(2 * (static_cast<std::size_t>(*std::max_element(copies.begin(), copies.end())) + 1) < copies.size());
  ElementShapes shapes(problem.box.corners);
  shapes.copies = copies;
  compare<TestType>(*gpu(), number_unknowns(Space::full_2, problem.box.vertices, problem.metal), shapes,
                    problem.walls(), {problem.coefficients, problem.kind, problem.factors()});
}

TEMPLATE_TEST_CASE("systems assembled on the GPU are solved there as with the same values from the host",
                   "[cuda][assembly]", double, Complex) {
  using T = TestType;
  if (!gpu_is_here()) return;
  const Problem<T> problem({5, 4, 6});
  Media<T> media{{}, problem.kind, std::vector<T>(problem.walls().size(), T(0.3))};
  T turn = 1;
  if constexpr (std::is_same_v<T, Complex>) turn = {1, 0.3};
  for (int k = 1; k <= 3; ++k) media.coefficients.push_back({{1, 1. * k, 2}, {3. * turn, turn, 1. * k * turn}});
  const EdgeSpace space = number_unknowns(Space::mixed_2, problem.box.vertices, problem.metal);
  const EdgeAssembly assembly(space, problem.box.corners, problem.walls(), AssemblyMethod::by_row, 2, gpu().get());
  const CsrPattern& pattern = assembly.pattern();
  CsrMatrix<T> there;
  media.assemble(assembly, there);
  CsrMatrix<T> here = there;
  bring_to_host(here);
  const auto rows = static_cast<std::size_t>(pattern.rows());
  std::vector<std::vector<T>> b;
  for (int k = 0; k < 35; ++k) b.push_back(k == 2 ? std::vector<T>(rows) : make_vector<T>(rows, k + 1));
  const auto compare_solutions = [&](const SolverOptions& spec, const SolverMachine& machine, double apart) {
    if (spec.method != SolverMethod::direct) b.resize(3);
    const auto solve = [&](const CsrMatrix<T>& matrix, LinearFigures& figures) {
      std::vector<std::vector<T>> x(b.size(), std::vector<T>(rows));
      LinearSolver<T> solver(spec, machine, pattern);
      figures = solver.solve(matrix, b, x);
      return x;
    };
    LinearFigures of_there, of_here;
    const auto found = solve(there, of_there), expected = solve(here, of_here);
    const auto residuals = there.on_device->put(std::span(b).first(3), std::span(found).first(3)).find_residuals();
    for (std::size_t k = 0; k < b.size(); ++k) {
      CHECK((k == 2 ? norm(found[k]) == 0 : distance(found[k], expected[k]) < apart));
      CHECK(of_there.residual[k] < std::max(1e-12, 1.01 * spec.tolerance));
      CHECK(std::abs(of_there.residual[k] - of_here.residual[k]) < 1e-12);
      if (k < 3) CHECK(residuals[k] == Approx(of_there.residual[k]).margin(1e-16));
    }
  };
  const auto factors = cuda::find_factor_device(0, {2, 0});
  if (!factors) WARN("without factors: " << cuda::describe_factor_library());
  SolverOptions spec;
  spec.method = SolverMethod::direct;
  for (const bool mixed : {false, true}) {
    if (!factors) break;
    INFO("mixed " << mixed);
    spec.mixed_precision = mixed;
    compare_solutions(spec, {2, factors}, mixed ? 1e-9 : 1e-11);
  }
  const auto iterates = cuda::make_iteration_device(0, 2, 0);
  spec = {};
  spec.tolerance = 1e-10;
  spec.max_iterations = 5000;
  for (const Preconditioner preconditioner : {Preconditioner::jacobi, Preconditioner::ssor_ai, Preconditioner::ilu})
    for (const bool scales : {false, true})
      for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad}) {
        INFO(name_of(preconditioner) << (scales ? ", scaled, " : ", ") << name_of(format));
        spec.preconditioner = preconditioner;
        spec.diagonal_scaling = scales;
        spec.format = format;
        compare_solutions(spec, {2, nullptr, iterates}, 1e-7);
      }
}
