// Systems whose matrix is on a device, for which the host's memory stands.
#include <cmath>
#include <memory>

#include "catch.hpp"
#include "fem/device/matrix_on_device.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "host/iteration_backend.hpp"
#include "host/iteration_device.hpp"
#include "support/iteration_checks.hpp"
#include "support/resident_mumps.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

constexpr Grid grid{7, 6, 8};

template <class T>
struct OnDevice {
  explicit OnDevice(const CsrMatrix<T>& of)
      : matrix(backend, of.pattern->rows(), of.pattern->first.data(), of.pattern->column.data(),
               {backend, fem::device::as_numbers<T>(of.values)}),
        there{of.pattern, {}, &matrix} {}
  host::IterationBackend backend{2};
  fem::device::MatrixOnDevice<host::IterationBackend, T> matrix;
  CsrMatrix<T> there;
};

/// The third of them zero.
template <class T>
std::vector<std::vector<T>> make_sides(int count) {
  const auto rows = static_cast<std::size_t>(grid.points());
  std::vector<std::vector<T>> b;
  for (int k = 0; k < count; ++k) b.push_back(k == 2 ? std::vector<T>(rows) : make_vector<T>(rows, k + 1));
  return b;
}

template <class T>
SolvedSystem<T> solve(const SolverOptions& spec, const fem::SolverMachine& machine, const CsrMatrix<T>& matrix) {
  const auto b = make_sides<T>(spec.method == SolverMethod::direct ? 35 : 3);  // more than are refined together
  SolvedSystem<T> solved;
  solved.x.assign(b.size(), std::vector<T>(b.front().size()));
  fem::LinearSolver<T> solver(spec, machine, *matrix.pattern);
  solved.figures = solver.solve(matrix, b, solved.x);
  return solved;
}

}  // namespace

TEMPLATE_TEST_CASE("values of a device are read as they are, and residuals found there", "", double, Complex) {
  using T = TestType;
  const CsrPattern pattern = make_pattern(grid);
  const CsrMatrix<T> matrix = make_helmholtz<T>(grid, pattern, 0.3);
  OnDevice<T> on(matrix);
  CsrMatrix<T> read = on.there;
  fem::bring_to_host(read);
  CHECK(read.on_device == nullptr);
  CHECK(read.values == matrix.values);
  const auto b = make_sides<T>(3);
  std::vector<std::vector<T>> x;
  for (int k = 0; k < 3; ++k) x.push_back(make_vector<T>(b.front().size(), 50 + k));
  const std::vector<double> found = on.matrix.put(b, x).find_residuals();
  for (std::size_t k = 0; k < 3; ++k) {
    double of_residual = 0, of_side = 0;
    for (std::size_t i = 0; i < b[k].size(); ++i) {
      T residual = b[k][i];
      for (auto e = static_cast<std::size_t>(pattern.first[i]); e < static_cast<std::size_t>(pattern.first[i + 1]); ++e)
        residual -= matrix.values[e] * x[k][static_cast<std::size_t>(pattern.column[e])];
      of_residual += std::norm(residual);
      of_side += std::norm(b[k][i]);
    }
    CHECK(found[k] == Approx(k == 2 ? 0 : std::sqrt(of_residual / of_side)).epsilon(1e-12));
  }
  std::vector<std::vector<T>> taken(3, std::vector<T>(b.front().size()));
  on.matrix.take(taken);
  CHECK(taken == x);
}

TEMPLATE_TEST_CASE("factors and refinement beside a matrix on a device give the solutions of one on the host", "",
                   double, Complex) {
  using T = TestType;
  if (!fem::has_direct_solver()) return;
  const CsrPattern pattern = make_pattern(grid);
  const CsrMatrix<T> matrix = make_helmholtz<T>(grid, pattern, 0.9);
  OnDevice<T> on(matrix);
  SolverOptions spec;
  spec.method = SolverMethod::direct;
  for (const bool mixed : {false, true}) {
    INFO("mixed " << mixed);
    spec.mixed_precision = mixed;
    const auto device = std::make_shared<ResidentDevice>();
    const auto expected = solve(spec, fem::SolverMachine(1), matrix);
    const auto found = solve(spec, fem::SolverMachine(1, device), on.there);
    const auto copied = solve(spec, fem::SolverMachine(1), on.there);  // of a solver that is not there
    CHECK((mixed ? device->solves > 4 : device->solves == 4));         // two of each group
    for (std::size_t k = 0; k < found.x.size(); ++k) {
      CHECK(copied.x[k] == expected.x[k]);
      CHECK(found.figures.residual[k] < 1e-12);
      CHECK(copied.figures.residual[k] == expected.figures.residual[k]);
      CHECK((k == 2 ? norm(found.x[k]) == 0 : distance(found.x[k], expected.x[k]) < (mixed ? 1e-10 : 1e-12)));
    }
  }
}

TEMPLATE_TEST_CASE("iterations take a matrix from their device, and on the host's cores a copy of it", "", double,
                   Complex) {
  using T = TestType;
  const CsrPattern pattern = make_pattern(grid);
  const CsrMatrix<T> matrix = make_helmholtz<T>(grid, pattern, 0.3);
  OnDevice<T> on(matrix);
  fem::SolverMachine device(1);
  device.iteration_device = host::make_iteration_device(1);
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ssor,
                                    Preconditioner::ssor_ai, Preconditioner::ilu})
    for (const bool scales : {false, true})
      for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad})
        for (const fem::SolverMachine& machine : {fem::SolverMachine(1), device}) {
          INFO(name_of(preconditioner) << (scales ? ", scaled, " : ", ") << name_of(format) << " "
                                       << machine.iterates_on());
          const auto spec = make_iteration_spec(preconditioner, scales, format);
          const auto expected = solve(spec, machine, matrix), found = solve(spec, machine, on.there);
          CHECK(found.x == expected.x);
          CHECK(found.figures.iterations == expected.figures.iterations);
          for (std::size_t k = 0; k < found.x.size(); ++k)
            CHECK(found.figures.residual[k] == Approx(expected.figures.residual[k]).epsilon(1e-3).margin(1e-15));
        }
}
