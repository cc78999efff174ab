// The parallel algorithms on the CPU against the serial reference.
#include "host/static_solver.hpp"

#include <cmath>

#include "catch.hpp"
#include "failure.hpp"
#include "host/static_backend.hpp"
#include "statics/element_products.hpp"
#include "statics/field.hpp"
#include "statics/iteration.hpp"
#include "statics/serial.hpp"
#include "support/static_checks.hpp"
#include "support/static_problems.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("every algorithm and colouring agrees with the serial solution") {
  for_all_problems(24, [](const fem::StaticProblem& problem) {
    const std::vector<double> expected = solve_reference(problem);
    for_all_algorithms(problem, [&](const fem::Coloring& coloring, fem::SolveOptions options) {
      for (const int threads : {1, 3}) {
        options.threads = threads;
        const fem::Solution found = host::solve_static(problem, coloring, options);
        CHECK(fem::relative_difference(found.unknowns, expected) < 1e-10);
        CHECK(found.figures.residual <= 1e-12);
      }
    });
  });
}

TEST_CASE("lists filled without locks make the matrix of the serial assembly to the last bit") {
  for_all_problems(30, [](const fem::StaticProblem& problem) {
    const fem::CsrSystem expected = fem::assemble_serially(problem, adjacency_of(problem));
    for (const int threads : {1, 4}) {
      const auto found = host::assemble_rows(problem, fem::one_group(problem.element_count()), true, threads);
      CHECK(found.starts == expected.starts);
      CHECK(found.columns == expected.columns);
      CHECK(found.values == expected.values);
      CHECK(fem::relative_difference(found.rhs, expected.rhs) < 1e-13);
    }
    const auto colored = host::assemble_rows(problem, color(problem), false, 4);
    CHECK(colored.columns == expected.columns);
    CHECK(fem::relative_difference(colored.values, expected.values) < 1e-14);
  });
}

TEST_CASE("products by elements are those of the assembled matrix") {
  for_all_problems(20, [](const fem::StaticProblem& problem) {
    const fem::CsrSystem system = fem::assemble_serially(problem, adjacency_of(problem));
    const auto count = static_cast<std::size_t>(problem.free_count);
    std::vector<double> p(count), expected(count, 0);
    for (std::size_t i = 0; i < count; ++i) p[i] = std::sin(static_cast<double>(i));
    for (std::size_t i = 0; i < count; ++i)
      for (auto at = system.starts[i]; at < system.starts[i + 1]; ++at)
        expected[i] += system.values[static_cast<std::size_t>(at)] *
                       p[static_cast<std::size_t>(system.columns[static_cast<std::size_t>(at)])];
    double curvature = 0;
    for (std::size_t i = 0; i < count; ++i) curvature += p[i] * expected[i];
    for (const bool stored : {true, false})
      for (const bool shared : {true, false}) {
        host::StaticBackend backend(3);
        const fem::Coloring coloring = shared ? fem::one_group(problem.element_count()) : color(problem);
        const fem::DeviceProblem<host::StaticBackend> device(backend, problem, coloring);
        fem::ElementProducts<host::StaticBackend> products(backend, problem, device, stored);
        products.begin(shared, true);
        CHECK(fem::relative_difference(products.rhs().download(), system.rhs) < 1e-12);
        fem::Iteration<host::StaticBackend> iteration(backend, problem.free_count, products.rhs(),
                                                      products.inverse_diagonal());
        const kernels::IterationVectors& vectors = iteration.vectors();
        std::copy(p.begin(), p.end(), vectors.p);
        products.multiply(vectors, shared);
        CHECK(fem::relative_difference({vectors.q, vectors.q + count}, expected) < 1e-13);
        CHECK(vectors.state->curvature == Approx(curvature).epsilon(1e-13));
      }
  });
}

TEST_CASE("coloured products, and lists however they were filled, give the same bits each time") {
  const auto setup = make_mixed_problem(Equation2D::electrostatic, 1, 60);
  for_all_algorithms(setup.problem, [&](const fem::Coloring& coloring, fem::SolveOptions options) {
    if (options.shared && options.algorithm != Algorithm2D::a_fem) return;
    options.threads = 1;
    const auto first = host::solve_static(setup.problem, coloring, options).unknowns;
    options.threads = 4;
    CHECK(host::solve_static(setup.problem, coloring, options).unknowns == first);
    CHECK(host::solve_static(setup.problem, coloring, options).unknowns == first);
  });
}

TEST_CASE("without a preconditioner the solution is the same, in more iterations") {
  const auto setup = make_mixed_problem(Equation2D::magnetostatic_axisymmetric, 1, 16);
  fem::SolveOptions options{Algorithm2D::a_fem, true, true, 1e-12, 100000, 2};
  const fem::Coloring all = fem::one_group(setup.problem.element_count());
  const fem::Solution with = host::solve_static(setup.problem, all, options);
  options.jacobi = false;
  const fem::Solution without = host::solve_static(setup.problem, all, options);
  CHECK(without.figures.iterations > with.figures.iterations);
  CHECK(fem::relative_difference(without.unknowns, with.unknowns) < 1e-8);
}

TEST_CASE("too few iterations are an error with the residual that was reached") {
  const auto setup = make_mixed_problem(Equation2D::electrostatic, 1, 16);
  for (const Algorithm2D algorithm : {Algorithm2D::a_fem, Algorithm2D::ebe_v1, Algorithm2D::ebe_v2}) {
    const fem::SolveOptions options{algorithm, true, true, 1e-12, 5, 1};
    const auto failure = catch_failure(
        [&] { (void)host::solve_static(setup.problem, fem::one_group(setup.problem.element_count()), options); });
    CHECK(failure.code == ExitCode::unstable);
    CHECK_THAT(failure.text, ContainsSubstring("after 5 iterations"));
  }
}

TEST_CASE("a problem without excitation is solved by zero in no iteration") {
  auto setup = make_mixed_problem(Equation2D::electrostatic, 1, 8);
  std::fill(setup.problem.fixed.begin(), setup.problem.fixed.end(), 0.0);
  for_all_algorithms(setup.problem, [&](const fem::Coloring& coloring, const fem::SolveOptions& options) {
    const fem::Solution solution = host::solve_static(setup.problem, coloring, options);
    CHECK(solution.figures.iterations == 0);
    CHECK(solution.unknowns == std::vector<double>(solution.unknowns.size(), 0.0));
  });
}

TEST_CASE("element by element takes less memory than lists of rows, computed less than stored") {
  const auto setup = make_mixed_problem(Equation2D::electrostatic, 1, 100);
  const auto bytes = [&](Algorithm2D algorithm) {
    const fem::SolveOptions options{algorithm, true, true, 1e-3, 100000, 1};
    return host::solve_static(setup.problem, fem::one_group(setup.problem.element_count()), options).figures.peak_bytes;
  };
  CHECK(bytes(Algorithm2D::ebe_v2) + 48 * 20000 == bytes(Algorithm2D::ebe_v1));  // six numbers of eight bytes each
  CHECK(bytes(Algorithm2D::ebe_v1) < bytes(Algorithm2D::a_fem));
}
