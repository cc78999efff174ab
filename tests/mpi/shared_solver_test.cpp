// Systems whose rows ranks share out: every way of solving gives the solution of the whole system.
#include "fem/shared/shared_solver.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "failure.hpp"
#include "fem/device/device_iteration.hpp"
#include "fem/shared/schwarz.hpp"
#include "host/iteration_backend.hpp"
#include "host/iteration_device.hpp"
#include "support/system_part.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

const Grid box{6, 5, 8};

SolverOptions spec_of(SolverMethod method, Preconditioner preconditioner) {
  SolverOptions spec;
  spec.method = method;
  spec.preconditioner = preconditioner;
  spec.tolerance = 1e-11;
  spec.diagonal_scaling = method == SolverMethod::bicgstab;
  spec.relaxation = preconditioner == Preconditioner::ssor_ai ? 0.42 : 1;
  return spec;
}

}  // namespace

TEMPLATE_TEST_CASE("a shared system has the solution of the whole one", "", double, Complex) {
  using T = TestType;
  const double kh = 0.4;
  const SystemPart<T> part(box, kh);
  const std::vector<T> wanted = part.solution(kh);
  const auto solve = [&](const SolverOptions& spec, double tolerance, const SolverMachine& machine = SolverMachine(1)) {
    SharedSolver<T> solver(spec, machine, part.pattern, MatrixKind::symmetric, part.rows);
    std::vector<std::vector<T>> x(2, std::vector<T>(part.b.size(), T(0)));
    std::vector<T> twice = part.b;
    for (T& value : twice) value *= 2;
    const LinearFigures figures = solver.solve(part.matrix, {part.b, twice}, x);
    INFO(name_of(spec.method) << " " << name_of(spec.preconditioner));
    CHECK(figures.residual.front() < 1e-10);
    CHECK(part.distance_to(wanted, x.front()) < tolerance);
    for (T& value : x.back()) value *= 0.5;
    CHECK(part.distance_to(wanted, x.back()) < tolerance);
    CHECK(part.rows.ranks.sum(solver.share().nonzeros) == make_pattern(box).nonzeros());
    CHECK(part.rows.ranks.sum(solver.share().rows) == box.points());
    return figures.iterations.front();
  };
  SolverOptions direct = spec_of(SolverMethod::direct, Preconditioner::none);
  CHECK(solve(direct, 1e-12) == 0);
  direct.mixed_precision = true;
  CHECK(solve(direct, 1e-12) == 0);
  const std::vector<std::pair<SolverMethod, Preconditioner>> iterations{
      {SolverMethod::bicgstab, Preconditioner::jacobi},
      {SolverMethod::bicgstab, Preconditioner::ssor},
      {SolverMethod::bicgstab, Preconditioner::ssor_ai},
      {SolverMethod::gmres, Preconditioner::none},
      {SolverMethod::gmres, Preconditioner::ilu}};
  for (const auto& [method, preconditioner] : iterations) CHECK(solve(spec_of(method, preconditioner), 1e-8) > 3);
  SolverOptions gathers = spec_of(SolverMethod::bicgstab, Preconditioner::ssor_ai);
  const std::int64_t of_halo = solve(gathers, 1e-8);
  gathers.exchange = VectorExchange::gather;
  CHECK(solve(gathers, 1e-8) == of_halo);
  // The kernels of a GPU, on the host. Far down iterations are apart by rounding alone.
  const SolverMachine device(1, nullptr, host::make_iteration_device(1, 0));
  const auto count = [&](SolverOptions spec, const SolverMachine& machine) {
    spec.tolerance = 1e-3;
    SharedSolver<T> solver(spec, machine, part.pattern, MatrixKind::symmetric, part.rows);
    std::vector<std::vector<T>> x(1, std::vector<T>(part.b.size(), T(0)));
    return solver.solve(part.matrix, {part.b}, x).iterations.front();
  };
  for (const Preconditioner preconditioner : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ssor_ai})
    for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad}) {
      SolverOptions spec = spec_of(SolverMethod::bicgstab, preconditioner);
      spec.format = format;
      spec.exchange = format == MatrixFormat::csr ? VectorExchange::halo : VectorExchange::gather;
      for (const bool scales : {true, false}) {
        spec.diagonal_scaling = scales;
        REQUIRE(is_on_device(spec, device));
        REQUIRE_FALSE(is_on_device(spec, SolverMachine(1)));
        CHECK(solve(spec, 1e-8, device) > 3);
        CHECK(std::abs(count(spec, device) - count(spec, SolverMachine(1))) <= 1);
      }
    }
}

TEST_CASE("seconds of iterations on a device are apart, and one that does not converge says so on all ranks") {
  const SystemPart<Complex> part(box, 0.4);
  const SolverMachine device(1, nullptr, host::make_iteration_device(1, 0));
  SolverOptions spec = spec_of(SolverMethod::bicgstab, Preconditioner::ssor_ai);
  spec.exchange = VectorExchange::gather;
  SharedSolver<Complex> solver(spec, device, part.pattern, MatrixKind::symmetric, part.rows);
  std::vector<std::vector<Complex>> x(1, std::vector<Complex>(part.b.size()));
  (void)solver.solve(part.matrix, {part.b}, x);
  const SharedSeconds& seconds = solver.seconds();
  for (const double part_of_it : {seconds.product, seconds.exchange, seconds.redistribution}) CHECK(part_of_it > 0);
  CHECK((seconds.sums > 0) == (part.rows.ranks.size() > 1));
  CHECK(solver.share().bytes > static_cast<std::int64_t>(sizeof(Complex)) * 11 * solver.share().rows);
  spec.max_iterations = 2;
  SharedSolver<Complex> hurried(spec, device, part.pattern, MatrixKind::symmetric, part.rows);
  std::fill(x.front().begin(), x.front().end(), Complex(0));
  const Failure failure = catch_failure([&] { (void)hurried.solve(part.matrix, {part.b}, x); });
  CHECK(failure.code == ExitCode::unstable);
  CHECK_THAT(failure.text, ContainsSubstring("has not converged in 2 iterations"));
}

namespace {

/// Counts the exchanges between ranks: before each the host waits once.
struct CountingBackend : host::IterationBackend {
  using host::IterationBackend::IterationBackend;
  static void mark() { ++marks; }
  static inline std::int64_t marks = 0;
};

}  // namespace

TEST_CASE("an iteration on a device has three exchanges of sums, and one of values before each product") {
  const SystemPart<Complex> part(box, 0.4);
  if (part.rows.ranks.size() == 1) return;
  const auto make = [] { return CountingBackend(1); };
  const SolverMachine machine(1, nullptr, std::make_shared<device::DeviceOf<decltype(make)>>(make, "counting", 0));
  for (const auto& [preconditioner, wanted] : {std::pair(Preconditioner::jacobi, 5), {Preconditioner::ssor_ai, 9}}) {
    SolverOptions spec = spec_of(SolverMethod::bicgstab, preconditioner);
    const auto count = [&](std::int64_t iterations) {
      spec.max_iterations = iterations;
      SharedSolver<Complex> solver(spec, machine, part.pattern, MatrixKind::symmetric, part.rows);
      std::vector<std::vector<Complex>> x(1, std::vector<Complex>(part.b.size()));
      CountingBackend::marks = 0;
      CHECK(catch_failure([&] { (void)solver.solve(part.matrix, {part.b}, x); }).code == ExitCode::unstable);
      return CountingBackend::marks;
    };
    CHECK(count(5) - count(2) == 3 * wanted);
  }
}

TEMPLATE_TEST_CASE("iterations on a device are the same over every transport, to the last bit", "", double, Complex) {
  using T = TestType;
  const SystemPart<T> part(box, 0.4);
  for (const Preconditioner preconditioner : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ssor_ai}) {
    std::vector<std::vector<T>> first;
    for (const Transport transport : {Transport::automatic, Transport::page_locked, Transport::ipc})
      for (const VectorExchange exchange : {VectorExchange::halo, VectorExchange::gather}) {
        INFO(name_of(preconditioner) << ", " << name_of(transport) << ", " << name_of(exchange));
        const SolverMachine device(1, nullptr, host::make_iteration_device(1, 0, transport));
        SolverOptions spec = spec_of(SolverMethod::bicgstab, preconditioner);
        spec.exchange = exchange;
        SharedSolver<T> solver(spec, device, part.pattern, MatrixKind::symmetric, part.rows);
        std::vector<std::vector<T>> x(3, std::vector<T>(part.b.size(), T(0)));
        (void)solver.solve(part.matrix, {part.b, part.b, part.b}, x);
        CHECK(x[1] == x[0]);
        CHECK(x[2] == x[0]);
        if (first.empty()) first = x;
        CHECK(x[0] == first[0]);
        const SharedSeconds& seconds = solver.seconds();
        CHECK(seconds.product > 0);
        for (const double some : {seconds.exchange, seconds.sums}) CHECK((some > 0 || part.rows.ranks.size() == 1));
      }
  }
}

TEST_CASE("Schwarz parts with nothing to add are blocks, on one rank the inverse") {
  const double kh = 0.4;
  const SystemPart<Complex> part(box, kh);
  const std::vector<Complex> wanted = part.solution(kh);
  const auto count = static_cast<std::size_t>(part.rows.ranks.size());
  SchwarzOverlap<Complex> none{std::vector<std::vector<SchwarzOverlap<Complex>::Place>>(count),
                               [count] { return std::vector<std::vector<Complex>>(count); }};
  SharedSolver<Complex> solver(spec_of(SolverMethod::gmres, Preconditioner::oras), SolverMachine(1), part.pattern,
                               MatrixKind::symmetric, part.rows,
                               make_schwarz(part.pattern, part.rows, none, SolverMachine(1)));
  std::vector<std::vector<Complex>> x(1, std::vector<Complex>(part.b.size()));
  const LinearFigures figures = solver.solve(part.matrix, {part.b}, x);
  CHECK(part.distance_to(wanted, x.front()) < 1e-8);
  if (count == 1) CHECK(figures.iterations.front() == 1);
}

TEST_CASE("an iteration over ranks that does not converge says so on all of them") {
  const SystemPart<Complex> part(box, 0.4);
  SolverOptions spec = spec_of(SolverMethod::gmres, Preconditioner::jacobi);
  spec.max_iterations = 2;
  SharedSolver<Complex> solver(spec, SolverMachine(1), part.pattern, MatrixKind::symmetric, part.rows);
  std::vector<std::vector<Complex>> x(1, std::vector<Complex>(part.b.size()));
  const Failure failure = catch_failure([&] { (void)solver.solve(part.matrix, {part.b}, x); });
  CHECK(failure.code == ExitCode::unstable);
  CHECK_THAT(failure.text, ContainsSubstring("GMRES with solver.preconditioner: jacobi on "));
  CHECK_THAT(failure.text, ContainsSubstring(" ranks has not converged in 2 iterations"));
}
