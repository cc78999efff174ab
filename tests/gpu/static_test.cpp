// Static problems on the GPU against the serial reference. Without a GPU every case says so and ends.
#include "catch.hpp"
#include "cuda/statics/static_solver.hpp"
#include "gpu/gpu_is_here.hpp"
#include "statics/field.hpp"
#include "support/static_checks.hpp"
#include "support/static_problems.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

void compare_solutions(std::int64_t cells) {
  for_all_problems(cells, [](const fem::StaticProblem& problem) {
    const std::vector<double> expected = solve_reference(problem);
    for_all_algorithms(problem, [&](const fem::Coloring& coloring, const fem::SolveOptions& options) {
      const fem::Solution found = cuda::solve_static(problem, coloring, options);
      CHECK(fem::relative_difference(found.unknowns, expected) < 1e-10);
      CHECK(found.figures.residual <= 1e-12);
      CHECK(found.figures.peak_bytes > 0);
      CHECK_THAT(found.figures.device, ContainsSubstring("cuda"));
    });
  });
}

}  // namespace

TEST_CASE("every static algorithm on the GPU agrees with the serial solution", "[cuda]") {
  if (!gpu_is_here()) return;
  compare_solutions(48);
}

TEST_CASE("static algorithms on the GPU solve tiny meshes", "[cuda][tiny]") {
  if (!gpu_is_here()) return;
  compare_solutions(3);
}

TEST_CASE("lists of rows on the GPU make the matrix of the serial assembly", "[cuda]") {
  if (!gpu_is_here()) return;
  for_all_problems(200, [](const fem::StaticProblem& problem) {
    const fem::CsrSystem expected = fem::assemble_serially(problem, adjacency_of(problem));
    const fem::Coloring all = fem::one_group(problem.element_count());
    const fem::CsrSystem found = cuda::assemble_rows(problem, all, true);
    CHECK(found.starts == expected.starts);
    CHECK(found.columns == expected.columns);
    CHECK(fem::relative_difference(found.values, expected.values) < 1e-13);
    CHECK(fem::relative_difference(found.rhs, expected.rhs) < 1e-13);
    // Whichever thread came first.
    const fem::CsrSystem again = cuda::assemble_rows(problem, all, true);
    CHECK(again.values == found.values);
    CHECK(again.rhs == found.rhs);
    const fem::CsrSystem colored = cuda::assemble_rows(problem, color(problem), false);
    CHECK(colored.columns == expected.columns);
    CHECK(fem::relative_difference(colored.values, expected.values) < 1e-13);
  });
}

TEST_CASE("coloured products on the GPU give the same bits each time", "[cuda]") {
  if (!gpu_is_here()) return;
  const auto setup = make_mixed_problem(Equation2D::electrostatic, 1, 300);
  for_all_algorithms(setup.problem, [&](const fem::Coloring& coloring, const fem::SolveOptions& options) {
    if (options.shared && options.algorithm != Algorithm2D::a_fem) return;
    const auto first = cuda::solve_static(setup.problem, coloring, options).unknowns;
    CHECK(cuda::solve_static(setup.problem, coloring, options).unknowns == first);
  });
}
