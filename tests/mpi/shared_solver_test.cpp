// Systems whose rows ranks share out: every way of solving gives the solution of the whole system.
#include "fem/shared/shared_solver.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "failure.hpp"
#include "fem/device/device_iteration.hpp"
#include "fem/shared/schwarz.hpp"
#include "host/iteration_backend.hpp"
#include "host/iteration_device.hpp"
#include "unit/fem/edge/helmholtz.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr Grid box{6, 5, 8};

/// The entries of the whole matrix, in both directions of a coupling, that a rank has as its own contributions: those
/// of the slabs of points that it owns, and a half of the couplings between two ranks each.
template <class T>
struct Part {
  SharedRows rows;
  CsrPattern pattern;
  CsrMatrix<T> matrix;
  std::vector<T> whole_b;
  std::vector<T> b;  ///< contributions

  explicit Part(double kh) {
    const CsrPattern all = make_pattern(box);
    const CsrMatrix<T> whole = make_helmholtz<T>(box, all, kh);
    whole_b = make_vector<T>(static_cast<std::size_t>(box.points()), 5);
    rows.ranks = Communicator::world();
    for (int rank = 0; rank <= rows.ranks.size(); ++rank)
      rows.first.push_back(rank * box.nz / rows.ranks.size() * box.nx * box.ny);
    std::map<std::int32_t, std::map<std::int32_t, T>> entries;
    for (std::int32_t i = 0; i < box.points(); ++i)
      for (auto k = static_cast<std::size_t>(all.first[static_cast<std::size_t>(i)]);
           k < static_cast<std::size_t>(all.first[static_cast<std::size_t>(i) + 1]); ++k) {
        const std::int32_t j = all.column[k];
        const int sides = (rows.is_own(i) ? 1 : 0) + (rows.is_own(j) ? 1 : 0);
        if (sides == 0) continue;
        entries[i][j] += 0.5 * sides * whole.values[k];
        entries[i].try_emplace(i, T(0));
        entries[j].try_emplace(j, T(0));
      }
    std::map<std::int32_t, std::int32_t> place;
    for (const auto& [row, columns] : entries) {
      place.emplace(row, static_cast<std::int32_t>(rows.number.size()));
      rows.number.push_back(row);
    }
    for (const auto& [row, columns] : entries) {
      for (const auto& [column, value] : columns) {
        pattern.column.push_back(place.at(column));
        matrix.values.push_back(value);
      }
      pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
      const bool is_own = rows.is_own(row);
      b.push_back(is_own ? whole_b[static_cast<std::size_t>(row)] : T(0));
    }
    matrix.pattern = &pattern;
  }

  /// By one rank with the whole matrix.
  [[nodiscard]] std::vector<T> solution(double kh) const {
    const CsrPattern all = make_pattern(box);
    const CsrMatrix<T> whole = make_helmholtz<T>(box, all, kh);
    SolverOptions spec;
    spec.method = SolverMethod::direct;
    std::vector<std::vector<T>> x{std::vector<T>(whole_b.size())};
    LinearSolver<T>(spec, SolverMachine(1), all).solve(whole, {whole_b}, x);
    return x.front();
  }
  [[nodiscard]] double distance_to(const std::vector<T>& wanted, const std::vector<T>& found) const {
    double worst = 0, largest = 0;
    for (const T& value : wanted) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < found.size(); ++i)
      worst = std::max(worst, std::abs(found[i] - wanted[static_cast<std::size_t>(rows.number[i])]));
    return rows.ranks.max(worst / largest);
  }
};

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
  const Part<T> part(kh);
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
  const Part<Complex> part(0.4);
  const SolverMachine device(1, nullptr, host::make_iteration_device(1, 0));
  SolverOptions spec = spec_of(SolverMethod::bicgstab, Preconditioner::ssor_ai);
  spec.exchange = VectorExchange::gather;
  SharedSolver<Complex> solver(spec, device, part.pattern, MatrixKind::symmetric, part.rows);
  std::vector<std::vector<Complex>> x(1, std::vector<Complex>(part.b.size()));
  (void)solver.solve(part.matrix, {part.b}, x);
  const SharedSeconds& seconds = solver.seconds();
  for (const double part_of_it : {seconds.product, seconds.exchange, seconds.redistribution, seconds.sums})
    CHECK(part_of_it > 0);
  CHECK(solver.share().bytes > static_cast<std::int64_t>(sizeof(Complex)) * 11 * solver.share().rows);
  spec.max_iterations = 2;
  SharedSolver<Complex> hurried(spec, device, part.pattern, MatrixKind::symmetric, part.rows);
  std::fill(x.front().begin(), x.front().end(), Complex(0));
  const Failure failure = catch_failure([&] { (void)hurried.solve(part.matrix, {part.b}, x); });
  CHECK(failure.code == ExitCode::unstable);
  CHECK_THAT(failure.text, ContainsSubstring("has not converged in 2 iterations"));
}

namespace {

/// Works on, whenever it is asked.
struct BusyBackend : host::IterationBackend {
  using host::IterationBackend::IterationBackend;
  [[nodiscard]] static bool is_idle() { return false; }
};

}  // namespace

TEST_CASE("an exchange beside which a device works is no time of waiting") {
  const Part<Complex> part(0.4);
  const std::vector<Complex> wanted = part.solution(0.4);
  const auto make = [] { return BusyBackend(1); };
  const auto busy = std::make_shared<device::DeviceOf<decltype(make)>>(make, "busy", 0);
  SolverOptions spec = spec_of(SolverMethod::bicgstab, Preconditioner::ssor_ai);
  spec.diagonal_scaling = false;  // has an exchange of its own
  for (const VectorExchange exchange : {VectorExchange::halo, VectorExchange::gather}) {
    spec.exchange = exchange;
    SharedSolver<Complex> solver(spec, SolverMachine(1, nullptr, busy), part.pattern, MatrixKind::symmetric, part.rows);
    std::vector<std::vector<Complex>> x(1, std::vector<Complex>(part.b.size()));
    (void)solver.solve(part.matrix, {part.b}, x);
    CHECK(part.distance_to(wanted, x.front()) < 1e-8);
    CHECK(solver.seconds().exchange == 0);
    CHECK(solver.seconds().redistribution == 0);
    CHECK(solver.seconds().product > 0);
  }
}

TEST_CASE("Schwarz parts with nothing to add are blocks, on one rank the inverse") {
  const double kh = 0.4;
  const Part<Complex> part(kh);
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
  const Part<Complex> part(0.4);
  SolverOptions spec = spec_of(SolverMethod::gmres, Preconditioner::jacobi);
  spec.max_iterations = 2;
  SharedSolver<Complex> solver(spec, SolverMachine(1), part.pattern, MatrixKind::symmetric, part.rows);
  std::vector<std::vector<Complex>> x(1, std::vector<Complex>(part.b.size()));
  const Failure failure = catch_failure([&] { (void)solver.solve(part.matrix, {part.b}, x); });
  CHECK(failure.code == ExitCode::unstable);
  CHECK_THAT(failure.text, ContainsSubstring("GMRES with solver.preconditioner: jacobi on "));
  CHECK_THAT(failure.text, ContainsSubstring(" ranks has not converged in 2 iterations"));
}
