#include "modes/fe_iiee/boundary_iteration.hpp"

#include <numeric>
#include <utility>

#include "base/stopwatch.hpp"
#include "modes/fe_iiee/outer_iteration.hpp"

namespace tetrawave::modes {

namespace {

using Vector = OuterIteration::Vector;

Vector flatten(const BoundaryValues& values) {
  Vector flat;
  flat.reserve(3 * values.size());
  for (const ComplexVector& value : values) flat.insert(flat.end(), value.begin(), value.end());
  return flat;
}

BoundaryValues unflatten(const Vector& flat) {
  BoundaryValues values(flat.size() / 3);
  for (std::size_t i = 0; i < flat.size(); ++i) values[i / 3][i % 3] = flat[i];
  return values;
}

/// Solves with boundary values on the right-hand side, and finds what the solutions radiate.
class BoundaryMap {
 public:
  BoundaryMap(const FrequencySystem& system, IntegralBoundary& boundary, fem::LinearSolver<Complex>& solver,
              BoundaryHistory& history)
      : system_(system), boundary_(boundary), solver_(solver), history_(history) {}

  [[nodiscard]] std::vector<Vector> radiate(const std::vector<FieldSolution>& fields) {
    std::vector<Vector> result;
    for (const BoundaryValues& values : boundary_.radiate(fields)) result.push_back(flatten(values));
    history_.seconds += watch_.lap();
    return result;
  }

  /// Their linear part alone: without what drives the case.
  [[nodiscard]] std::vector<Vector> apply(double hz, const std::vector<Vector>& values,
                                          const std::vector<std::size_t>& sets) {
    const auto rows = static_cast<std::size_t>(system_.space().unknowns);
    std::vector<FieldSolution> fields(values.size());
    for (FieldSolution& field : fields) {
      field.hz = hz;
      field.unknowns.assign(rows, Complex(0));
    }
    solve(std::vector<std::vector<Complex>>(values.size(), std::vector<Complex>(rows, Complex(0))), values, sets,
          fields);
    return radiate(fields);
  }

  void solve(std::vector<std::vector<Complex>> sides, const std::vector<Vector>& values,
             const std::vector<std::size_t>& sets, std::vector<FieldSolution>& fields) {
    std::vector<std::vector<Complex>> solutions;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      fields[k].radiated = boundary_.moments(unflatten(values[k]));
      for (const BoundaryMoments& moments : fields[k].radiated)
        fem::EdgeAssembly::scatter(system_.space(), moments.face.first, moments.values, sides[k]);
      solutions.push_back(std::move(fields[k].unknowns));
    }
    history_.seconds += watch_.lap();
    const fem::LinearFigures figures = solver_.solve_again(sides, solutions);
    history_.seconds_solve += watch_.lap();
    for (std::size_t k = 0; k < fields.size(); ++k) {
      fields[k].unknowns = std::move(solutions[k]);
      history_.iterations[sets[k]] += figures.iterations[k];
      history_.residual[sets[k]] = figures.residual[k];
    }
  }

 private:
  const FrequencySystem& system_;
  IntegralBoundary& boundary_;
  fem::LinearSolver<Complex>& solver_;
  BoundaryHistory& history_;
  fem::Stopwatch watch_;
};

}  // namespace

BoundaryHistory iterate_boundary(const IieeSpec& spec, const FrequencySystem& system, IntegralBoundary& boundary,
                                 fem::LinearSolver<Complex>& solver, const std::vector<std::vector<Complex>>& sides,
                                 std::vector<FieldSolution>& fields, int threads) {
  BoundaryHistory history;
  history.iterations.assign(fields.size(), 0);
  history.residual.assign(fields.size(), 0);
  const double pairs_before = boundary.pairs();
  BoundaryMap map(system, boundary, solver, history);
  const auto iteration = make_outer_iteration(spec.method, map.radiate(fields), boundary.weights_m2(), 3, threads);
  const auto most = static_cast<std::size_t>(spec.iterations > 0 ? spec.iterations : spec.max_iterations);
  const double enough = spec.iterations > 0 ? 0 : spec.tolerance;
  history.changes.push_back(iteration->change());
  while (history.changes.size() < most) {
    const std::vector<Vector>& wanted = iteration->next(enough);
    if (wanted.empty()) break;
    iteration->take(map.apply(fields.front().hz, wanted, iteration->owners()));
    history.changes.push_back(iteration->change());
  }
  history.converged = history.changes.back() <= spec.tolerance;
  std::vector<std::size_t> all(fields.size());
  std::iota(all.begin(), all.end(), 0);
  map.solve(sides, iteration->values(), all, fields);
  history.pairs = boundary.pairs() - pairs_before;
  return history;
}

}  // namespace tetrawave::modes
