#include "fem/solvers/solver_rates.hpp"

#include <algorithm>
#include <ctime>
#include <vector>

#include "fem/solvers/direct_solver.hpp"
#include "fem/solvers/linear_solver.hpp"

namespace tetrawave::fem {

namespace {

/// A cube of nodes, each coupled with the 26 around it.
CsrPattern make_grid(std::int32_t side) {
  CsrPattern pattern;
  const auto near = [&](std::int32_t i, auto&& visit) {
    for (std::int32_t k = std::max(i - 1, 0); k <= std::min(i + 1, side - 1); ++k) visit(k);
  };
  for (std::int32_t x = 0; x < side; ++x)
    for (std::int32_t y = 0; y < side; ++y)
      for (std::int32_t z = 0; z < side; ++z) {
        near(x, [&](std::int32_t a) {
          near(y, [&](std::int32_t b) {
            near(z, [&](std::int32_t c) { pattern.column.push_back((a * side + b) * side + c); });
          });
        });
        pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
      }
  return pattern;
}

/// CPU time of this thread, so that other load does not make the machine look slow.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

template <class T>
SolverRates measure_direct_solver() {
  constexpr std::int32_t side = 18;
  const CsrPattern pattern = make_grid(side);
  CsrMatrix<T> matrix{&pattern, {}};
  for (std::int32_t i = 0; i < pattern.rows(); ++i)
    for (auto k = pattern.first[static_cast<std::size_t>(i)]; k < pattern.first[static_cast<std::size_t>(i) + 1]; ++k)
      matrix.values.push_back(pattern.column[static_cast<std::size_t>(k)] == i ? 27.0 : -1.0);
  const auto solver = make_direct_solver<T>({&pattern}, SolverMachine(1), comm::Communicator::self());
  const FactorPlan plan = solver->analyse();
  const double begin = thread_seconds();
  solver->factorise(matrix);
  const double factorised = thread_seconds();
  std::vector<T> column(static_cast<std::size_t>(pattern.rows()), 1.0);
  solver->solve(column, 1);
  return {plan.operations / (factorised - begin), plan.entries / (thread_seconds() - factorised)};
}

template SolverRates measure_direct_solver<double>();
template SolverRates measure_direct_solver<Complex>();

}  // namespace tetrawave::fem
