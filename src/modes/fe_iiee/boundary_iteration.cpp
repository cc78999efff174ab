#include "modes/fe_iiee/boundary_iteration.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/constants.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "modes/fe_iiee/outer_iteration.hpp"

namespace tetrawave::modes {

namespace {

void note_figures(const fem::LinearFigures& figures, const std::vector<std::size_t>& sets, BoundaryHistory& history) {
  for (std::size_t k = 0; k < sets.size(); ++k) {
    history.iterations[sets[k]] += figures.iterations[k];
    history.residual[sets[k]] = figures.residual[k];
  }
}

/// Solves with boundary values on the right-hand side, and finds what the solutions radiate. Vectors are on the host.
class BoundaryMap {
 public:
  using Values = std::vector<BoundaryValues>;

  BoundaryMap(const FrequencySystem& system, IntegralBoundary& boundary, const fem::SolveSides& solve,
              BoundaryHistory& history, int threads)
      : system_(system), boundary_(boundary), solve_(solve), history_(history), threads_(threads) {}

  [[nodiscard]] Values radiate(const std::vector<FieldSolution>& fields, Precision precision) {
    Values result = boundary_.radiate(fields, precision);
    history_.seconds += watch_.lap();
    return result;
  }

  /// Their linear part alone: without what drives the case.
  [[nodiscard]] Values apply(double hz, const Values& values, const std::vector<std::size_t>& sets,
                             Precision precision) {
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
    Values result = radiate(fields, precision);
    for (std::size_t k = 0; k < fields.size(); ++k) unknowns_[k] = std::move(fields[k].unknowns);
    return result;
  }

  [[nodiscard]] Stopwatch& watch() { return watch_; }

  /// Fields of the boundary values and of what drives the case, which is in `sides`, from those that they have.
  void solve_driven(const std::vector<std::vector<Complex>>& sides, const Values& values,
                    const std::vector<std::size_t>& sets, std::vector<FieldSolution>& fields) {
    std::vector<std::vector<Complex>> driven = sides;
    drive(values, driven, true, fields);
    history_.seconds += watch_.lap();
    solve(driven, sets, fields);
  }

 private:
  void drive(const Values& values, std::vector<std::vector<Complex>>& sides, bool adds,
             std::vector<FieldSolution>& fields) const {
    std::vector<BoundaryMoments> moments = boundary_.moments(values);
    boundary_.drive(moments, sides, adds);
    for (std::size_t k = 0; k < fields.size(); ++k) fields[k].radiated = std::move(moments[k]);
  }

  void solve(const std::vector<std::vector<Complex>>& sides, const std::vector<std::size_t>& sets,
             std::vector<FieldSolution>& fields) {
    std::vector<std::vector<Complex>> solutions;
    for (FieldSolution& field : fields) solutions.push_back(std::move(field.unknowns));
    note_figures(solve_(sides, solutions), sets, history_);
    history_.seconds_solve += watch_.lap();
    for (std::size_t k = 0; k < fields.size(); ++k) fields[k].unknowns = std::move(solutions[k]);
  }

  const FrequencySystem& system_;
  IntegralBoundary& boundary_;
  const fem::SolveSides& solve_;
  BoundaryHistory& history_;
  int threads_;
  std::vector<std::vector<Complex>> sides_, unknowns_;  ///< memory of `apply`
  Stopwatch watch_;
};

/// The same with vectors, right-hand sides, solutions and currents on a device.
class ResidentMap {
 public:
  using Values = std::vector<fem::ResidentVector>;

  ResidentMap(BoundaryMap& host, IntegralBoundary& boundary, const BoundarySolver& solver,
              std::shared_ptr<fem::ResidentBoundary> device, double hz, double tolerance, BoundaryHistory& history)
      : host_(host),
        boundary_(boundary),
        solver_(solver),
        device_(std::move(device)),
        history_(history),
        hz_(hz),
        enough_(far_below * tolerance),
        medium_(boundary.medium_at(hz)),
        watch_(host.watch()) {}

  [[nodiscard]] Values radiate(const std::vector<FieldSolution>& fields, Precision precision) {
    const fem::ResidentColumns<Complex>& columns = device_->drive({}, true);
    if (solver_.solve_resident) {
      std::vector<std::size_t> sets(fields.size());
      std::iota(sets.begin(), sets.end(), 0);
      note_figures(solver_.solve_resident(columns, enough_), sets, history_);
    } else {
      for (std::size_t k = 0; k < fields.size(); ++k) device_->upload_solution(k, fields[k].unknowns);
    }
    history_.seconds_solve += watch_.lap();
    return sum_of_solutions({}, true, fields.size(), precision);
  }

  [[nodiscard]] Values apply(double /*hz*/, const Values& values, const std::vector<std::size_t>& sets,
                             Precision precision) {
    const auto places = places_of(values);
    const fem::ResidentColumns<Complex>& columns = device_->drive(places, false);
    history_.seconds += watch_.lap();
    note_figures(solve(columns), sets, history_);
    history_.seconds_solve += watch_.lap();
    return sum_of_solutions(places, false, values.size(), precision);
  }

  void solve_driven(const std::vector<std::vector<Complex>>& sides, const Values& values,
                    const std::vector<std::size_t>& sets, std::vector<FieldSolution>& fields) {
    std::vector<BoundaryValues> on_host;
    for (const fem::ResidentVector& value : values) on_host.push_back(device_->download(value.place()));
    if (!solver_.solve_resident) return host_.solve_driven(sides, on_host, sets, fields);
    const fem::ResidentColumns<Complex>& columns = device_->drive(places_of(values), true);
    std::vector<BoundaryMoments> moments = boundary_.moments(on_host);  // that the fields are read off with
    history_.seconds += watch_.lap();
    note_figures(solver_.solve_resident(columns, 0), sets, history_);
    std::vector<std::vector<Complex>> solutions = device_->download_solutions();
    for (std::size_t k = 0; k < fields.size(); ++k) {
      fields[k].unknowns = std::move(solutions[k]);
      fields[k].radiated = std::move(moments[k]);
    }
    history_.seconds_solve += watch_.lap();
  }

 private:
  /// What the currents of the solutions of `drive` radiate.
  [[nodiscard]] Values sum_of_solutions(const fem::ResidentBoundary::Vectors& psi, bool with_case, std::size_t sets,
                                        Precision precision) {
    const double k0 = 2 * pi * hz_ / c0_m_per_s;
    const std::span<const double> sources = device_->find_sources(psi, -medium_.impedance / k0, with_case);
    const double* const sums = boundary_.sum_on(*device_, sources, static_cast<int>(sets), precision);
    Values result;
    std::vector<fem::ResidentBoundary::Vector> images;
    for (std::size_t k = 0; k < sets; ++k) images.push_back(result.emplace_back(device_).place());
    device_->take_sums(sums, scale_of_sums(medium_), images);
    history_.seconds += watch_.lap();
    return result;
  }

  [[nodiscard]] fem::LinearFigures solve(const fem::ResidentColumns<Complex>& columns) {
    if (solver_.solve_resident) return solver_.solve_resident(columns, enough_);
    const std::vector<std::vector<Complex>> sides = device_->download_sides();
    std::vector<std::vector<Complex>> solutions;
    for (const auto& side : sides) solutions.emplace_back(side.size());  // what the solver starts from
    const fem::LinearFigures figures = solver_.solve(sides, solutions);
    for (std::size_t k = 0; k < solutions.size(); ++k) device_->upload_solution(k, solutions[k]);
    return figures;
  }

  BoundaryMap& host_;
  IntegralBoundary& boundary_;
  const BoundarySolver& solver_;
  std::shared_ptr<fem::ResidentBoundary> device_;
  BoundaryHistory& history_;
  /// Images of directions may have residuals of the system so far below the tolerance; the last fields are refined.
  static constexpr double far_below = 1e-8;
  double hz_;
  double enough_;
  RadiationMedium medium_;
  Stopwatch& watch_;
};

/// Notes where the time of each iteration goes.
class PartClock {
 public:
  PartClock(const IntegralBoundary& boundary, BoundaryHistory& history)
      : boundary_(boundary),
        history_(history),
        sums_(boundary.seconds_sums()),
        transfer_(boundary.seconds_transfer()),
        solve_(history.seconds_solve) {}

  void lap() {
    const double transfer = boundary_.seconds_transfer() - std::exchange(transfer_, boundary_.seconds_transfer());
    const double sums = boundary_.seconds_sums() - std::exchange(sums_, boundary_.seconds_sums());
    const double solve = history_.seconds_solve - std::exchange(solve_, history_.seconds_solve);
    history_.parts.push_back({solve, sums - transfer, transfer, watch_.lap() - solve - sums});
  }

 private:
  const IntegralBoundary& boundary_;
  BoundaryHistory& history_;
  double sums_, transfer_, solve_;
  Stopwatch watch_;
};

/// Single sums are taken down to this change; they are right to a hundredth of it.
constexpr double enough_of_single = 1e-3;
/// Directions found with single sums stay from this tolerance on: those of one right-hand side. Of several some bring
/// little that is new, and errors of their images grow by that.
constexpr double kept_with_single = 1e-7;

struct OuterLimits {
  std::size_t most = 0;  ///< iterations
  double enough = 0;     ///< change that ends them
  double tolerance = 0;
  bool begins_single = false;  ///< sums
};

/// `make`: an outer iteration of what is radiated at first.
template <class Map, class Make>
void run(const OuterLimits& limits, Map& map, const std::vector<std::vector<Complex>>& sides,
         std::vector<FieldSolution>& fields, BoundaryHistory& history, PartClock& clock, const Make& make) {
  const double hz = fields.front().hz;
  const auto iteration = make(map.radiate(fields, Precision::double_precision));
  std::vector<std::size_t> all(fields.size());
  std::iota(all.begin(), all.end(), 0);
  Precision precision = limits.begins_single ? Precision::single_precision : Precision::double_precision;
  history.changes.push_back(iteration->change());
  clock.lap();
  while (history.changes.size() < limits.most) {
    const bool is_single = precision == Precision::single_precision;
    const auto& wanted = iteration->next(is_single ? std::max(limits.enough, enough_of_single) : limits.enough);
    if (wanted.empty() && !is_single) break;
    if (wanted.empty()) {
      precision = Precision::double_precision;
      iteration->correct(map.apply(hz, iteration->values(), all, precision),
                         limits.tolerance >= kept_with_single && all.size() == 1);
    } else {
      iteration->take(map.apply(hz, wanted, iteration->owners(), precision));
    }
    history.changes.push_back(iteration->change());
    clock.lap();
  }
  history.converged = history.changes.back() <= limits.tolerance;
  map.solve_driven(sides, iteration->values(), all, fields);
}

}  // namespace

void prepare_device(IntegralBoundary& boundary, const fem::CsrMatrix<Complex>& matrix,
                    const std::vector<std::vector<Complex>>& sides, const std::vector<FieldSolution>& fields,
                    fem::ResidentBoundary& device) {
  const double hz = fields.front().hz;
  boundary.inner().prepare(hz);
  device.set_frequency(matrix, boundary.inner().flux(), boundary.places_of_sources(hz));
  device.set_drive(boundary.drive_of(fields, sides));
  constexpr std::size_t of_side = 14;  // vectors of GMRES: three, two in each of five iterations, and one more
  device.reserve(static_cast<std::int32_t>(fields.size()), of_side * fields.size());
}

BoundaryHistory iterate_boundary(const IieeSpec& spec, const FrequencySystem& system, IntegralBoundary& boundary,
                                 const BoundarySolver& solver, const std::shared_ptr<fem::ResidentBoundary>& device,
                                 const std::vector<std::vector<Complex>>& sides, std::vector<FieldSolution>& fields,
                                 int threads) {
  BoundaryHistory history;
  history.iterations.assign(fields.size(), 0);
  history.residual.assign(fields.size(), 0);
  const double pairs_before = boundary.pairs(), sums_before = boundary.seconds_sums();
  BoundaryMap map(system, boundary, solver.solve, history, threads);
  const OuterLimits limits{static_cast<std::size_t>(spec.iterations > 0 ? spec.iterations : spec.max_iterations),
                           spec.iterations > 0 ? 0 : spec.tolerance, spec.tolerance, spec.mixed_precision};
  if (device) {
    ResidentMap resident(map, boundary, solver, device, fields.front().hz, spec.tolerance, history);
    const ResidentVectors space(device);
    PartClock clock(boundary, history);
    run(limits, resident, sides, fields, history, clock,
        [&](auto b) { return make_outer_iteration(spec.method, std::move(b), space); });
  } else {
    PartClock clock(boundary, history);
    run(limits, map, sides, fields, history, clock,
        [&](auto b) { return make_outer_iteration(spec.method, std::move(b), boundary.weights_m2(), 2, threads); });
  }
  history.pairs = boundary.pairs() - pairs_before;
  history.seconds_sums = boundary.seconds_sums() - sums_before;
  history.clusters = boundary.clusters();
  return history;
}

}  // namespace tetrawave::modes
