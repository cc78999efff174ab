#include "modes/frequency_domain/fast_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "base/log.hpp"
#include "base/parallel.hpp"

namespace tetrawave::modes {

namespace {

using Unknowns = FastSweep::Unknowns;

/// Frequencies that are looked through for the next one to solve: more hardly differ from their neighbours.
constexpr std::size_t most_candidates = 600;

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

double norm_of(const std::vector<Complex>& values) {
  double sum = 0;
  for (const Complex& value : values) sum += std::norm(value);
  return std::sqrt(sum);
}

}  // namespace

FastSweep::FastSweep(const FrequencySystem& system, const std::vector<double>& hz, const std::vector<DrivenSet>& sets,
                     bool fields_count, bool only_ports, int threads)
    : system_(system),
      hz_(hz),
      sets_(sets),
      fields_count_(fields_count),
      only_ports_(only_ports && std::none_of(sets.begin(), sets.end(),
                                             [](const DrivenSet& set) { return set.plane_wave.has_value(); })),
      recorded_(system.recorded_unknowns()),
      is_solved_(hz.size(), false) {
  constexpr double exact = 1e-12;
  const std::vector<Complex> unit = system.symbol(hz.back());
  std::vector<std::vector<Complex>> symbols(hz.size());
  for_each_task(hz.size(), threads, [&](std::size_t f) {
    std::vector<Complex> symbol = system.symbol(hz[f]);
    for (std::size_t k = 0; k < symbol.size(); ++k)
      if (unit[k] != 0.0) symbol[k] /= std::abs(unit[k]);
    symbols[f] = fem::sketch(symbol);
  });
  fem::ColumnInterpolation combination = fem::interpolate_columns(symbols, exact);
  std::vector<fem::CsrMatrix<Complex>> terms(combination.chosen.size());
  for (std::size_t q = 0; q < terms.size(); ++q) system.assemble(hz[combination.chosen[q]], terms[q]);
  terms_ = static_cast<std::int64_t>(terms.size());
  model_ = std::make_unique<fem::ReducedModel>(std::move(terms), std::move(combination.weights), sets.size(), threads);
  add_sides();
}

/// Without plane waves, right-hand sides are zero but at unknowns of ports and sources.
void FastSweep::add_sides() {
  if (std::any_of(sets_.begin(), sets_.end(), [](const DrivenSet& set) { return set.plane_wave.has_value(); })) {
    for (std::size_t f = 0; f < hz_.size(); ++f) {
      const auto sides = system_.right_hand_sides(hz_[f], sets_);
      for (std::size_t set = 0; set < sets_.size(); ++set) model_->add_side(set, f, {}, sides[set]);
    }
    return;
  }
  const fem::EdgeSpace driven = system_.driven_space();
  std::vector<std::int32_t> rows(static_cast<std::size_t>(driven.unknowns));
  for (std::size_t k = 0; k < driven.unknown.size(); ++k)
    if (driven.unknown[k] != fem::EdgeSpace::fixed)
      rows[static_cast<std::size_t>(driven.unknown[k])] = system_.space().unknown[k];
  for (std::size_t f = 0; f < hz_.size(); ++f)
    for (std::size_t set = 0; set < sets_.size(); ++set)
      model_->add_side(set, f, rows, system_.drive(hz_[f], sets_[set], nullptr, driven));
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
  const auto solution = model_->solve(f);
  return *std::max_element(solution.indicator.begin(), solution.indicator.end());
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
  for (const auto& [value, f] : candidates) {
    const auto is_near = [f = f, apart](std::size_t other) { return (f > other ? f - other : other - f) < apart; };
    if (chosen.size() < count && std::none_of(chosen.begin(), chosen.end(), is_near)) chosen.push_back(f);
  }
  return chosen;
}

/// The largest error of the sets, as `run` has it.
double FastSweep::deviation(std::size_t f, const Unknowns& solutions) const {
  const fem::ReducedModel::Solution model = model_->solve(f);
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
  return largest;
}

Unknowns FastSweep::start_at(std::size_t f) const {
  Unknowns start;
  if (model_->size() == 0)
    start.assign(sets_.size(), std::vector<Complex>(static_cast<std::size_t>(system_.space().unknowns)));
  else
    for (const auto& coefficients : model_->solve(f).coefficients) start.push_back(model_->expand(coefficients));
  return start;
}

SweepReport FastSweep::run(std::vector<std::size_t> first, double tolerance, const SolveAt& solve_at,
                           const comm::Communicator& ranks) {
  SweepReport report;
  const auto size = static_cast<std::size_t>(ranks.size());
  const auto unknowns = static_cast<std::size_t>(system_.space().unknowns);
  const std::size_t most = std::max<std::size_t>(40, hz_.size() / 2);
  bool has_model = false;
  for (int good = 0; good < 2;) {
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
    Unknowns found;
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
        log::info("fast sweep: {} of {} frequencies solved, {:.6g} GHz, where the model was {:.2g} off",
                  report.solved_hz.size(), hz_.size(), hz_[f] / 1e9, report.check_error);
      }
      found.insert(found.end(), solutions.begin(), solutions.end());
    }
    if (good < 2) model_->extend(found);
    has_model = true;
  }
  read_basis();
  report.terms = terms_;
  report.vectors = static_cast<std::int64_t>(model_->size());
  report.bytes = model_->bytes();
  if (report.solved_hz.size() >= hz_.size()) report.check_hz = 0;
  return report;
}

FastSweep::Point FastSweep::at(std::size_t f, bool whole_fields) const {
  constexpr std::ptrdiff_t latest = 3;
  const fem::ReducedModel::Solution solution = model_->solve(f);
  const auto from = ratios_.end() - std::min<std::ptrdiff_t>(latest, static_cast<std::ptrdiff_t>(ratios_.size()));
  const double ratio = from == ratios_.end() ? 1 : *std::max_element(from, ratios_.end());
  Point point;
  point.residual = solution.residual;
  point.error = ratio * *std::max_element(solution.indicator.begin(), solution.indicator.end());
  if (only_ports_ && !whole_fields) {
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      auto& ports = point.ports.emplace_back();
      for (std::size_t p = 0; p < system_.port_count(); ++p) {
        PortReading sum;
        for (std::size_t k = 0; k < readings_.size(); ++k) {
          sum.voltage += solution.coefficients[set][k] * readings_[k][p].voltage;
          sum.current += solution.coefficients[set][k] * readings_[k][p].current;
        }
        ports.push_back(system_.phasors(p, hz_[f], sets_[set], sum));
      }
    }
    return point;
  }
  std::vector<std::vector<Complex>> all;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    std::vector<Complex>& unknowns = all.emplace_back();
    if (whole_fields) {
      unknowns = model_->expand(solution.coefficients[set]);
    } else {
      unknowns.assign(static_cast<std::size_t>(system_.space().unknowns), Complex(0));
      model_->expand(solution.coefficients[set], recorded_, unknowns);
    }
  }
  point.fields = system_.complete(hz_[f], sets_, std::move(all));
  return point;
}

}  // namespace tetrawave::modes
