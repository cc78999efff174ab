#include "modes/frequency_domain/fast_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/log.hpp"
#include "base/parallel.hpp"
#include "fem/sparse/rank_rows.hpp"

namespace tetrawave::modes {

namespace {

using Unknowns = FastSweep::Unknowns;

/// Frequencies that are looked through for the next one to solve, before some are moved to where the error is largest.
constexpr std::size_t most_candidates = 150;

/// As many as these within the tolerance in turn are enough, and as many of the latest tell how large estimates are.
constexpr int most_trials = 5;

/// The numbers of all sets in a row, and back.
std::vector<Complex> joined(const Unknowns& sets) {
  std::vector<Complex> all;
  for (const auto& set : sets) all.insert(all.end(), set.begin(), set.end());
  return all;
}

Unknowns split(const std::vector<Complex>& all, std::size_t place, std::size_t sets, std::size_t size) {
  Unknowns result;
  for (std::size_t s = 0; s < sets; ++s) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>((place * sets + s) * size);
    result.emplace_back(from, from + static_cast<std::ptrdiff_t>(size));
  }
  return result;
}

}  // namespace

FastSweep::FastSweep(const FrequencySystem& system, const std::vector<double>& hz, const std::vector<DrivenSet>& sets,
                     bool fields_count, bool only_ports, std::optional<SweepBoundary> boundary, int threads)
    : system_(system),
      hz_(hz),
      sets_(sets),
      rows_(std::make_shared<const fem::RankRows>(system.shared_space().rows)),
      fields_count_(fields_count),
      boundary_(std::move(boundary)),
      only_ports_(only_ports && std::none_of(sets.begin(), sets.end(),
                                             [](const DrivenSet& set) { return set.plane_wave.has_value(); })),
      recorded_(system.recorded_unknowns()),
      driven_(system.driven_space()),
      has_sides_(hz.size(), false),
      is_solved_(hz.size(), false) {
  constexpr double exact = 1e-12;
  const std::vector<Complex> unit = system.symbol(hz.back());
  constexpr std::size_t together = 32;  // symbols are long with layers, whose elements are all of a kind of their own
  std::vector<std::vector<Complex>> columns;
  for (std::size_t from = 0; from < hz.size(); from += together) {
    std::vector<std::vector<Complex>> symbols(std::min(together, hz.size() - from));
    for_each_task(symbols.size(), threads, [&](std::size_t k) {
      symbols[k] = system.symbol(hz[from + k]);
      for (std::size_t i = 0; i < unit.size(); ++i)
        if (unit[i] != 0.0) symbols[k][i] /= std::abs(unit[i]);
    });
    for (std::vector<Complex>& column : fem::sketches(symbols, system.ranks())) columns.push_back(std::move(column));
  }
  fem::ColumnInterpolation combination = fem::interpolate_columns(columns, exact);
  std::vector<fem::CsrMatrix<Complex>> terms(combination.chosen.size());
  for (std::size_t q = 0; q < terms.size(); ++q) {
    system.assemble(hz[combination.chosen[q]], terms[q]);
    fem::bring_to_host(terms[q]);
  }
  terms_ = static_cast<std::int64_t>(terms.size());
  for (std::size_t f = 0; f < hz.size() && boundary_; ++f)
    for (const Complex& weight : boundary_->weights(hz[f])) combination.weights[f].push_back(weight);
  model_ = std::make_unique<fem::ReducedModel>(std::move(terms), boundary_ ? boundary_->terms : fem::AppliedTerms{},
                                               std::move(combination.weights), sets.size(), threads,
                                               &system.shared_space().rows);
  for (std::size_t k = 0; k < driven_.unknown.size(); ++k)
    if (const std::int32_t row = driven_.unknown[k]; row != fem::EdgeSpace::fixed) {
      driven_rows_.resize(static_cast<std::size_t>(driven_.unknowns));
      driven_rows_[static_cast<std::size_t>(row)] = system.space().unknown[k];
    }
}

/// Without plane waves and an integral equation, right-hand sides are zero but at unknowns of ports and sources.
fem::ReducedModel::Solution FastSweep::solution(std::size_t f) const {
  if (!has_sides_[f]) {
    has_sides_[f] = true;
    const auto is_lit = [](const DrivenSet& set) { return set.plane_wave.has_value(); };
    if (boundary_ || std::any_of(sets_.begin(), sets_.end(), is_lit)) {
      auto sides = system_.right_hand_sides(hz_[f], sets_);
      for (std::size_t set = 0; set < sets_.size(); ++set) {
        if (boundary_) boundary_->add_side(set, hz_[f], sides[set]);
        model_->add_side(set, f, {}, sides[set]);
      }
    } else {
      for (std::size_t set = 0; set < sets_.size(); ++set)
        model_->add_side(set, f, driven_rows_, system_.drive(hz_[f], sets_[set], nullptr, driven_));
    }
    if (const fem::LowRankUpdate update = system_.line_update(hz_[f], driven_); !update.is_empty())
      model_->add_update(f, driven_rows_, update.columns, update.middle);
  }
  return model_->solve(f);
}

void FastSweep::read_basis() {
  if (!only_ports_) return;
  std::vector<Complex> unit(model_->size());
  for (Complex& coefficient : unit) {
    coefficient = 1;
    const FieldSolution vector{hz_.front(), {}, model_->expand(unit), {}, {}};
    coefficient = 0;
    auto& at_ports = readings_.emplace_back();
    for (std::size_t p = 0; p < system_.port_count(); ++p) at_ports.push_back(system_.read_port(p, vector));
  }
}

double FastSweep::indicator(std::size_t f) const {
  const fem::ReducedModel::Solution found = solution(f);
  return agreed(*std::max_element(found.indicator.begin(), found.indicator.end()));
}

/// What decides is that of the first rank: two may differ in the last bit.
double FastSweep::agreed(double value) const {
  if (!rows_->is_shared()) return value;
  std::vector<double> values{value};
  rows_->ranks().broadcast(values);
  return values.front();
}

double FastSweep::norm_of(const std::vector<Complex>& values) const {
  return rows_->norms(
      Eigen::Map<const Eigen::VectorXcd>(values.data(), static_cast<Eigen::Index>(values.size())).eval())[0];
}

/// From a candidate uphill, by halves of the distance to its neighbours.
std::pair<double, std::size_t> FastSweep::climb(std::pair<double, std::size_t> from, std::size_t stride) const {
  for (std::size_t step = stride / 2; step > 0; step /= 2) {
    const std::size_t middle = from.second;
    for (const std::size_t f : {middle < step ? hz_.size() : middle - step, middle + step})
      if (f < hz_.size() && !is_solved_[f]) from = std::max(from, {indicator(f), f});
  }
  return from;
}

/// Those of largest indicator, each some way from the others.
std::vector<std::size_t> FastSweep::next_frequencies(std::size_t count) const {
  const std::size_t stride = (hz_.size() + most_candidates - 1) / most_candidates;
  std::vector<std::pair<double, std::size_t>> candidates;
  for (std::size_t f = 0; f < hz_.size(); f += stride)
    if (!is_solved_[f]) candidates.emplace_back(indicator(f), f);
  std::sort(candidates.begin(), candidates.end(), std::greater<>());
  const auto solved = static_cast<std::size_t>(std::count(is_solved_.begin(), is_solved_.end(), true));
  const std::size_t apart = hz_.size() / (4 * (solved + count)) + 1;
  std::vector<std::size_t> chosen;
  for (const auto& candidate : candidates) {
    const auto is_near = [apart](std::size_t f, std::size_t other) {
      return (f > other ? f - other : other - f) < apart;
    };
    const auto is_taken = [&](std::size_t f) {
      return std::any_of(chosen.begin(), chosen.end(), [&](std::size_t other) { return is_near(f, other); });
    };
    if (chosen.size() == count) break;
    if (is_taken(candidate.second)) continue;
    if (const std::size_t f = climb(candidate, stride).second; !is_taken(f)) chosen.push_back(f);
  }
  return chosen;
}

/// Whether the model is within the tolerance: where it was tried, and where its error is estimated to be largest,
/// unless trials there have shown often enough that the estimate is too large.
bool FastSweep::is_done(int good, double tolerance) const {
  constexpr int least = 2;
  if (good < least || good >= most_trials) return good >= most_trials;
  const std::vector<std::size_t> worst = next_frequencies(1);
  return worst.empty() || agreed(estimate_of(solution(worst.front())).error) <= tolerance;
}

/// The largest error of the sets, as `run` has it.
double FastSweep::deviation(std::size_t f, const Unknowns& solutions) const {
  const fem::ReducedModel::Solution model = solution(f);
  double largest = 0;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    std::vector<Complex> found = model_->expand(model.coefficients[set]);
    if (fields_count_ || sets_[set].ports.empty()) {
      std::vector<Complex> difference = found;
      for (std::size_t i = 0; i < found.size(); ++i) difference[i] -= solutions[set][i];
      if (const double size = norm_of(solutions[set]); size > 0)
        largest = std::max(largest, norm_of(difference) / size);
    }
    if (sets_[set].ports.empty()) continue;
    const FieldSolution exact = system_.complete(hz_[f], {sets_[set]}, {solutions[set]}).front();
    const FieldSolution tried = system_.complete(hz_[f], {sets_[set]}, {std::move(found)}).front();
    double driven = 0, difference = 0;
    for (std::size_t p = 0; p < system_.port_count(); ++p) {
      const PortPhasors at_exact = system_.at_port(p, exact);
      driven = std::max(driven, std::abs(at_exact.incident));
      difference = std::max(difference, std::abs(at_exact.reflected - system_.at_port(p, tried).reflected));
    }
    if (driven > 0) largest = std::max(largest, difference / driven);
  }
  return agreed(largest);
}

Unknowns FastSweep::start_at(std::size_t f) const {
  Unknowns start;
  if (model_->size() == 0)
    start.assign(sets_.size(), std::vector<Complex>(static_cast<std::size_t>(system_.space().unknowns)));
  else
    for (const auto& coefficients : solution(f).coefficients) start.push_back(model_->expand(coefficients));
  return start;
}

SweepReport FastSweep::run(std::vector<std::size_t> first, double tolerance, const SolveAt& solve_at,
                           const comm::Communicator& ranks) {
  SweepReport report;
  const auto size = static_cast<std::size_t>(ranks.size());
  const auto unknowns = static_cast<std::size_t>(system_.space().unknowns);
  const std::size_t most = std::max<std::size_t>(40, hz_.size() / 2);
  bool has_model = false;
  Unknowns found;  // not in the model yet
  bool done = false;
  for (int good = 0; !done;) {
    std::vector<std::size_t> turn;
    while (!first.empty() && turn.size() < size) {
      turn.push_back(first.back());
      first.pop_back();
    }
    if (turn.empty() && report.solved_hz.size() < most) turn = next_frequencies(size);
    if (turn.empty()) {
      report.within_tolerance = report.solved_hz.size() >= hz_.size();
      break;
    }
    Unknowns mine;
    ranks.agree([&] {
      if (const auto rank = static_cast<std::size_t>(ranks.rank()); rank < turn.size())
        mine = solve_at(turn[rank], start_at(turn[rank]));
    });
    const std::vector<Complex> all = ranks.all_gather(std::span<const Complex>(joined(mine)));
    for (std::size_t k = 0; k < turn.size(); ++k) {
      const std::size_t f = turn[k];
      const Unknowns solutions = split(all, k, sets_.size(), unknowns);
      is_solved_[f] = true;
      report.solved_hz.push_back(hz_[f]);
      if (has_model) {
        report.check_hz = hz_[f];
        report.check_error = deviation(f, solutions);
        const double estimate = indicator(f);
        if (estimate > 0) ratios_.push_back(report.check_error / estimate);
        good = report.check_error <= tolerance ? good + 1 : 0;
        log::info("fast sweep: {} of {} frequencies solved; at {:.6g} GHz the model was off by {:.2g}",
                  report.solved_hz.size(), hz_.size(), hz_[f] / 1e9, report.check_error);
      }
      found.insert(found.end(), solutions.begin(), solutions.end());
    }
    if (first.empty() || !boundary_) {
      done = is_done(good, tolerance);
      if (!done) model_->extend(found);
      found.clear();
      has_model = true;
    }
  }
  read_basis();
  fit_points();
  report.terms = terms_;
  report.vectors = static_cast<std::int64_t>(model_->size());
  report.bytes = model_->bytes();
  if (report.solved_hz.size() >= hz_.size()) report.check_hz = 0;
  return report;
}

/// What a fit is made of: per set what ports read, or coefficients of the basis where more than ports is read.
std::vector<Complex> FastSweep::numbers_of(const fem::ReducedModel::Solution& solution) const {
  if (!only_ports_) return joined(solution.coefficients);
  std::vector<Complex> numbers;
  for (std::size_t set = 0; set < sets_.size(); ++set)
    for (std::size_t p = 0; p < system_.port_count(); ++p) {
      const std::vector<Complex>& coefficients = solution.coefficients[set];
      PortReading sum;
      if (system_.has_line_mode(p)) sum = system_.reading_of(p, solution.of_update[set]);
      for (std::size_t k = 0; k < readings_.size() && !system_.has_line_mode(p); ++k) {
        sum.voltage += coefficients[k] * readings_[k][p].voltage;
        sum.current += coefficients[k] * readings_[k][p].current;
      }
      numbers.insert(numbers.end(), {sum.voltage, sum.current});
    }
  return numbers;
}

FastSweep::Estimate FastSweep::estimate_of(const fem::ReducedModel::Solution& solution) const {
  const auto from = ratios_.end() - std::min<std::ptrdiff_t>(most_trials, static_cast<std::ptrdiff_t>(ratios_.size()));
  const double ratio = from == ratios_.end() ? 1 : *std::max_element(from, ratios_.end());
  return {solution.residual, ratio * *std::max_element(solution.indicator.begin(), solution.indicator.end())};
}

FastSweep::Evaluation FastSweep::evaluate(std::size_t f) const {
  if (const auto known = evaluations_.find(f); known != evaluations_.end()) return known->second;
  const fem::ReducedModel::Solution found = solution(f);
  return {estimate_of(found), numbers_of(found)};
}

/// Where there are many frequencies: a fit of the model at some of them, compared with it halfway in between.
void FastSweep::fit_points() {
  constexpr double exact = 1e-11;
  constexpr std::size_t most = 4096;
  if (model_->size() == 0) return;
  for (std::size_t pieces = 32; 2 * pieces < std::min(hz_.size(), most); pieces *= 2) {
    const auto place = [&](std::size_t k) { return k * (hz_.size() - 1) / (2 * pieces); };
    std::vector<double> places;
    std::vector<std::vector<Complex>> values;
    for (std::size_t k = 0; k <= 2 * pieces; ++k) {
      values.push_back((evaluations_[place(k)] = evaluate(place(k))).numbers);
      places.push_back(hz_[place(k)]);
    }
    scale(values);
    std::vector<double> even;
    std::vector<std::vector<Complex>> samples;
    for (std::size_t k = 0; k <= 2 * pieces; k += 2) {
      even.push_back(places[k]);
      samples.push_back(values[k]);
    }
    fit_.emplace(std::move(even), samples, exact);
    double error = 0;
    for (std::size_t k = 1; k < 2 * pieces; k += 2) {
      const std::vector<Complex> found = fit_->at(places[k]);
      for (std::size_t e = 0; e < found.size(); ++e) error = std::max(error, std::abs(found[e] - values[k][e]));
    }
    if (agreed(error) > 5 * exact) continue;
    log::info("fast sweep: {} evaluations of the model, in between a fit with {} supports, {:.2g} off halfway",
              evaluations_.size(), fit_->supports(), error);
    return;
  }
  fit_.reset();
}

/// Makes the largest number of each set 1.
void FastSweep::scale(std::vector<std::vector<Complex>>& values) {
  const std::size_t of_set = values.front().size() / sets_.size();
  scales_.assign(sets_.size(), 1e-300);
  for (const auto& numbers : values)
    for (std::size_t e = 0; e < numbers.size(); ++e)
      scales_[e / of_set] = std::max(scales_[e / of_set], std::abs(numbers[e]));
  for (auto& numbers : values)
    for (std::size_t e = 0; e < numbers.size(); ++e) numbers[e] /= scales_[e / of_set];
}

/// The larger one of the two evaluated neighbours.
FastSweep::Estimate FastSweep::estimate_near(std::size_t f) const {
  const auto after = evaluations_.lower_bound(f);
  Estimate result = after->second.estimate;
  if (after->first == f) return result;
  const Estimate& before = std::prev(after)->second.estimate;
  result.error = std::max(result.error, before.error);
  for (std::size_t set = 0; set < sets_.size(); ++set)
    result.residual[set] = std::max(result.residual[set], before.residual[set]);
  return result;
}

FastSweep::Point FastSweep::at(std::size_t f, bool whole_fields) const {
  Point point;
  std::vector<std::vector<Complex>> unknowns;
  if (whole_fields) {
    const fem::ReducedModel::Solution found = solution(f);
    point.estimate = estimate_of(found);
    for (const auto& coefficients : found.coefficients) unknowns.push_back(model_->expand(coefficients));
    point.fields = system_.complete(hz_[f], sets_, std::move(unknowns));
    return point;
  }
  auto [estimate, numbers] = fit_ ? Evaluation{estimate_near(f), fit_->at(hz_[f])} : evaluate(f);
  point.estimate = std::move(estimate);
  const std::size_t of_set = numbers.size() / sets_.size();
  for (std::size_t e = 0; fit_ && e < numbers.size(); ++e) numbers[e] *= scales_[e / of_set];
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(set * of_set);
    if (only_ports_) {
      auto& ports = point.ports.emplace_back();
      for (std::ptrdiff_t p = 0; p < static_cast<std::ptrdiff_t>(system_.port_count()); ++p)
        ports.push_back(
            system_.phasors(static_cast<std::size_t>(p), hz_[f], sets_[set], {from[2 * p], from[2 * p + 1]}));
    } else {
      unknowns.emplace_back(static_cast<std::size_t>(system_.space().unknowns), Complex(0));
      model_->expand({from, from + static_cast<std::ptrdiff_t>(of_set)}, recorded_, unknowns.back());
    }
  }
  if (!only_ports_) point.fields = system_.complete(hz_[f], sets_, std::move(unknowns));
  return point;
}

}  // namespace tetrawave::modes
