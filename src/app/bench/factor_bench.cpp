#include "app/bench/factor_bench.hpp"

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/bench/bench_record.hpp"
#include "app/bench/bench_system.hpp"
#include "base/error.hpp"
#include "fem/solvers/linear_solver.hpp"

namespace tetrawave::app {

namespace {

using fem::Complex;

/// On the first rank the system, elsewhere an empty one.
class FactorProblem {
 public:
  FactorProblem(std::int64_t elements, int threads, bool is_first) {
    if (is_first) system_.emplace(elements, threads);
  }

  [[nodiscard]] const fem::CsrPattern& pattern() const { return system_ ? system_->pattern() : nothing_; }
  [[nodiscard]] const fem::CsrMatrix<Complex>& matrix() const { return system_ ? system_->matrix() : no_matrix_; }
  [[nodiscard]] double seconds_assembly() const { return system_ ? system_->seconds_assembly() : 0; }
  [[nodiscard]] std::int64_t elements() const { return system_ ? system_->elements() : 0; }
  [[nodiscard]] std::vector<Complex> side() const { return system_ ? system_->side() : std::vector<Complex>(); }

 private:
  std::optional<BenchSystem<Complex>> system_;
  fem::CsrPattern nothing_;
  fem::CsrMatrix<Complex> no_matrix_;
};

struct FactorRow {
  double analysis = 0, factor = 0, solve = 0, solve_many = 0;  ///< [s]; the second factorisation of a pattern
  double residual = 0;                                         ///< of one substitution
  double refined_residual = 0;                                 ///< as LinearSolver refines
  std::int64_t bytes = 0;
};

class FactorBench {
 public:
  FactorBench(const BenchOptions& options, const ChosenBackend& backend, const comm::Communicator& ranks)
      : options_(options),
        backend_(backend),
        ranks_(ranks),
        threads_(march::threads_of_rank({}, ranks)),
        record_(ranks.rank() == 0 ? options.json : std::nullopt, backend,
                {{"ranks", ranks.size()}, {"threads", threads_}}) {
    say("{}: {}; {} ranks", backend.name, backend.device, ranks.size());
    say("{:<13} {:<7} {:>9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>9}", "factors by", "", "unknowns",
        "assembly s", "analysis s", "factor s", "solve s", "16 rhs s", "memory GB", "residual", "refined");
  }

  void run() {
    const std::vector<std::int64_t> sizes =
        options_.elements.empty() ? std::vector<std::int64_t>{93'750} : options_.elements;
    for (const std::int64_t elements : sizes) {
      const FactorProblem problem(elements, threads_, ranks_.rank() == 0);
      for (const bool mixed : {false, true}) {
        if (backend_.factor_device) add(problem, {threads_, backend_.factor_device}, mixed);
        if (fem::has_direct_solver() && (!backend_.factor_device || ranks_.size() > 1))
          add(problem, fem::SolverMachine(threads_), mixed);
      }
    }
  }

 private:
  template <class... Args>
  void say(format_string<Args...> text, Args&&... args) const {
    if (ranks_.rank() != 0) return;
    std::printf("%s\n", tetrawave::format(text, std::forward<Args>(args)...).c_str());
    std::fflush(stdout);
  }

  void add(const FactorProblem& problem, const fem::SolverMachine& machine, bool mixed) {
    FactorRow row;
    const std::vector<Complex> b = problem.side();
    const auto solver =
        fem::make_direct_solver<Complex>({&problem.pattern(), fem::MatrixKind::symmetric, mixed}, machine, ranks_);
    Stopwatch watch;
    const auto lap = [&] { return ranks_.max(watch.lap()); };
    (void)solver->analyse();
    row.analysis = lap();
    solver->factorise(problem.matrix());
    (void)lap();
    solver->factorise(problem.matrix());
    row.factor = lap();
    std::vector<Complex> x = b, many;
    solver->solve(x, 1);
    (void)lap();
    x = b;
    solver->solve(x, 1);
    row.solve = lap();
    for (int r = 0; r < 16; ++r) many.insert(many.end(), b.begin(), b.end());
    (void)lap();
    solver->solve(many, 16);
    row.solve_many = lap();
    row.residual = residual_of(problem, b, x);
    row.bytes = static_cast<std::int64_t>(ranks_.sum(static_cast<double>(solver->bytes())));
    row.refined_residual = refine(problem, *solver, b, x);
    report(problem, machine, mixed, row);
  }

  [[nodiscard]] static double residual_of(const FactorProblem& problem, const std::vector<Complex>& b,
                                          const std::vector<Complex>& x, std::vector<Complex>* difference = nullptr) {
    double error = 0, size = 0;
    const fem::CsrPattern& pattern = problem.pattern();
    for (std::size_t i = 0; i < b.size(); ++i) {
      Complex r = b[i];
      for (auto k = pattern.first[i]; k < pattern.first[i + 1]; ++k)
        r -= problem.matrix().values[static_cast<std::size_t>(k)] *
             x[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)])];
      if (difference != nullptr) (*difference)[i] = r;
      error += std::norm(r);
      size += std::norm(b[i]);
    }
    return size == 0 ? 0 : std::sqrt(error / size);
  }

  /// Three steps.
  [[nodiscard]] static double refine(const FactorProblem& problem, fem::DirectSolver<Complex>& solver,
                                     const std::vector<Complex>& b, std::vector<Complex>& x) {
    std::vector<Complex> difference(b.size());
    for (int step = 0; step < 3; ++step) {
      (void)residual_of(problem, b, x, &difference);
      solver.solve(difference, 1);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += difference[i];
    }
    return residual_of(problem, b, x);
  }

  void report(const FactorProblem& problem, const fem::SolverMachine& machine, bool mixed, const FactorRow& row) {
    const std::string library = machine.direct_solver();
    const char* precision = mixed ? "single" : "double";
    say("{:<13} {:<7} {:>9} {:>10.3f} {:>10.3f} {:>10.4f} {:>10.4f} {:>10.4f} {:>9.2f} {:>9.1e} {:>9.1e}", library,
        precision, problem.pattern().rows(), problem.seconds_assembly(), row.analysis, row.factor, row.solve,
        row.solve_many, 1e-9 * static_cast<double>(row.bytes), row.residual, row.refined_residual);
    record_.add({{"library", library},
                 {"precision", precision},
                 {"elements", problem.elements()},
                 {"unknowns", problem.pattern().rows()},
                 {"nonzeros", problem.pattern().nonzeros()},
                 {"seconds_assembly", problem.seconds_assembly()},
                 {"seconds_analysis", row.analysis},
                 {"seconds_factor", row.factor},
                 {"seconds_solve", row.solve},
                 {"seconds_solve_16", row.solve_many},
                 {"bytes", row.bytes},
                 {"residual", row.residual},
                 {"refined_residual", row.refined_residual}});
  }

  const BenchOptions& options_;
  const ChosenBackend& backend_;
  const comm::Communicator& ranks_;
  int threads_;
  BenchRecord record_;
};

}  // namespace

void bench_factors(const BenchOptions& options, const ChosenBackend& backend, const comm::Communicator& ranks) {
  FactorBench(options, backend, ranks).run();
}

}  // namespace tetrawave::app
