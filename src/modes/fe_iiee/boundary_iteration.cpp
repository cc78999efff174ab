#include "modes/fe_iiee/boundary_iteration.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "modes/fe_iiee/outer_iteration.hpp"

namespace tetrawave::modes {

namespace {

/// Solves with boundary values on the right-hand side, and finds what the solutions radiate.
class BoundaryMap {
 public:
  BoundaryMap(const FrequencySystem& system, IntegralBoundary& boundary, const fem::SolveSides& solve,
              BoundaryHistory& history, int threads)
      : system_(system), boundary_(boundary), solve_(solve), history_(history), threads_(threads) {}

  [[nodiscard]] std::vector<BoundaryValues> radiate(const std::vector<FieldSolution>& fields, Precision precision) {
    std::vector<BoundaryValues> result = boundary_.radiate(fields, precision);
    history_.seconds += watch_.lap();
    return result;
  }

  /// Their linear part alone: without what drives the case.
  [[nodiscard]] std::vector<BoundaryValues> apply(double hz, const std::vector<BoundaryValues>& values,
                                                  const std::vector<std::size_t>& sets, Precision precision) {
    const auto rows = static_cast<std::size_t>(system_.space().unknowns);
    std::vector<FieldSolution> fields(values.size());
    sides_.resize(values.size());
    for_each_task(values.size(), threads_, [&](std::size_t k) {
      if (sides_[k].empty()) sides_[k].assign(rows, Complex(0));
      fields[k].hz = hz;
    });
    drive(values, sides_, false, fields);
    history_.seconds += watch_.lap();
    unknowns_.resize(values.size());
    for_each_task(values.size(), threads_, [&](std::size_t k) {  // what the solver starts from
      unknowns_[k].assign(rows, Complex(0));
      fields[k].unknowns = std::move(unknowns_[k]);
    });
    solve(sides_, sets, fields);
    std::vector<BoundaryValues> result = radiate(fields, precision);
    for (std::size_t k = 0; k < fields.size(); ++k) unknowns_[k] = std::move(fields[k].unknowns);
    return result;
  }

  /// Fields of the boundary values and of what drives the case, which is in `sides`, from those that they have.
  void solve_driven(const std::vector<std::vector<Complex>>& sides, const std::vector<BoundaryValues>& values,
                    const std::vector<std::size_t>& sets, std::vector<FieldSolution>& fields) {
    std::vector<std::vector<Complex>> driven = sides;
    drive(values, driven, true, fields);
    history_.seconds += watch_.lap();
    solve(driven, sets, fields);
  }

 private:
  void drive(const std::vector<BoundaryValues>& values, std::vector<std::vector<Complex>>& sides, bool adds,
             std::vector<FieldSolution>& fields) const {
    std::vector<BoundaryMoments> moments = boundary_.moments(values);
    boundary_.drive(moments, sides, adds);
    for (std::size_t k = 0; k < fields.size(); ++k) fields[k].radiated = std::move(moments[k]);
  }

  void solve(const std::vector<std::vector<Complex>>& sides, const std::vector<std::size_t>& sets,
             std::vector<FieldSolution>& fields) {
    std::vector<std::vector<Complex>> solutions;
    for (FieldSolution& field : fields) solutions.push_back(std::move(field.unknowns));
    const fem::LinearFigures figures = solve_(sides, solutions);
    history_.seconds_solve += watch_.lap();
    for (std::size_t k = 0; k < fields.size(); ++k) {
      fields[k].unknowns = std::move(solutions[k]);
      history_.iterations[sets[k]] += figures.iterations[k];
      history_.residual[sets[k]] = figures.residual[k];
    }
  }

  const FrequencySystem& system_;
  IntegralBoundary& boundary_;
  const fem::SolveSides& solve_;
  BoundaryHistory& history_;
  int threads_;
  std::vector<std::vector<Complex>> sides_, unknowns_;  ///< memory of `apply`
  Stopwatch watch_;
};

/// Notes where the time of each iteration goes.
class PartClock {
 public:
  PartClock(const IntegralBoundary& boundary, BoundaryHistory& history)
      : boundary_(boundary),
        history_(history),
        sums_(boundary.seconds_sums()),
        transfer_(boundary.seconds_transfer()) {}

  void lap() {
    const double transfer = boundary_.seconds_transfer() - std::exchange(transfer_, boundary_.seconds_transfer());
    const double sums = boundary_.seconds_sums() - std::exchange(sums_, boundary_.seconds_sums());
    const double solve = history_.seconds_solve - std::exchange(solve_, history_.seconds_solve);
    history_.parts.push_back({solve, sums - transfer, transfer, watch_.lap() - solve - sums});
  }

 private:
  const IntegralBoundary& boundary_;
  BoundaryHistory& history_;
  double sums_, transfer_, solve_ = 0;
  Stopwatch watch_;
};

/// Single sums are taken down to this change; they are right to a hundredth of it.
constexpr double enough_of_single = 1e-3;
/// Directions found with single sums stay from this tolerance on: those of one right-hand side. Of several some bring
/// little that is new, and errors of their images grow by that.
constexpr double kept_with_single = 1e-7;

}  // namespace

BoundaryHistory iterate_boundary(const IieeSpec& spec, const FrequencySystem& system, IntegralBoundary& boundary,
                                 const fem::SolveSides& solve, const std::vector<std::vector<Complex>>& sides,
                                 std::vector<FieldSolution>& fields, int threads) {
  BoundaryHistory history;
  history.iterations.assign(fields.size(), 0);
  history.residual.assign(fields.size(), 0);
  const double pairs_before = boundary.pairs(), sums_before = boundary.seconds_sums();
  PartClock clock(boundary, history);
  BoundaryMap map(system, boundary, solve, history, threads);
  const double hz = fields.front().hz;
  const auto iteration = make_outer_iteration(spec.method, map.radiate(fields, Precision::double_precision),
                                              boundary.weights_m2(), 2, threads);
  std::vector<std::size_t> all(fields.size());
  std::iota(all.begin(), all.end(), 0);
  const auto most = static_cast<std::size_t>(spec.iterations > 0 ? spec.iterations : spec.max_iterations);
  const double enough = spec.iterations > 0 ? 0 : spec.tolerance;
  Precision precision = spec.mixed_precision ? Precision::single_precision : Precision::double_precision;
  history.changes.push_back(iteration->change());
  clock.lap();
  while (history.changes.size() < most) {
    const bool is_single = precision == Precision::single_precision;
    const auto& wanted = iteration->next(is_single ? std::max(enough, enough_of_single) : enough);
    if (wanted.empty() && !is_single) break;
    if (wanted.empty()) {
      precision = Precision::double_precision;
      iteration->correct(map.apply(hz, iteration->values(), all, precision),
                         spec.tolerance >= kept_with_single && all.size() == 1);
    } else {
      iteration->take(map.apply(hz, wanted, iteration->owners(), precision));
    }
    history.changes.push_back(iteration->change());
    clock.lap();
  }
  history.converged = history.changes.back() <= spec.tolerance;
  map.solve_driven(sides, iteration->values(), all, fields);
  history.pairs = boundary.pairs() - pairs_before;
  history.seconds_sums = boundary.seconds_sums() - sums_before;
  history.clusters = boundary.clusters();
  return history;
}

}  // namespace tetrawave::modes
