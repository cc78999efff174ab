#include "modes/eigenmode/resonances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "base/constants.hpp"
#include "fem/solvers/reduced_model.hpp"
#include "fem/sparse/rank_rows.hpp"
#include "modes/eigenmode/line_resonances.hpp"

namespace tetrawave::modes {

namespace {

using Form = FrequencySystem::SymbolEntry::Form;
using Symbol = std::vector<Complex>;

/// A system's coefficients of this rank, each over its size at the target.
class Sampler {
 public:
  Sampler(const FrequencySystem& system, double unit_hz) : system_(system), unit_hz_(unit_hz) {
    for (const Complex& value : symbol(1)) scale_.push_back(value == 0.0 ? 1 : 1 / std::abs(value));
  }

  [[nodiscard]] const comm::Communicator& ranks() const { return system_.ranks(); }
  [[nodiscard]] bool holds(bool on_this_rank) const { return ranks().min(std::int64_t{on_this_rank}) == 1; }
  [[nodiscard]] Symbol symbol(Complex u) const { return system_.symbol(u * unit_hz_); }
  [[nodiscard]] Symbol scaled(Complex u) const {
    Symbol values = symbol(u);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] *= scale_[k];
    return values;
  }
  [[nodiscard]] Symbol scaled(Complex u, const std::vector<std::size_t>& numbers) const {
    Symbol values = system_.symbol(u * unit_hz_, numbers);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] *= scale_[numbers[k]];
    return values;
  }

 private:
  const FrequencySystem& system_;
  double unit_hz_;
  std::vector<double> scale_;
};

bool is_real(const Sampler& sampler, const std::vector<Complex>& places) {
  return sampler.holds(std::all_of(places.begin(), places.end(), [&](const Complex& u) {
    const Symbol values = sampler.symbol(u);
    return std::all_of(values.begin(), values.end(), [](const Complex& value) { return value.imag() == 0; });
  }));
}

/// Whether all coefficients are a + b u^2.
bool is_quadratic(const Sampler& sampler, const std::vector<Complex>& places) {
  constexpr double rounding = 1e-12;
  const Complex first = places.front() * places.front(), last = places.back() * places.back();
  const Symbol low = sampler.scaled(places.front()), high = sampler.scaled(places.back());
  return sampler.holds(std::all_of(places.begin(), places.end(), [&](const Complex& u) {
    const Complex share = (u * u - first) / (last - first);
    const Symbol values = sampler.scaled(u);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (std::abs(values[k] - low[k] - share * (high[k] - low[k])) > rounding * (1 + std::abs(values[k])))
        return false;
    return true;
  }));
}

double length_of(const Symbol& values) {
  double sum = 0;
  for (const Complex& value : values) sum += std::norm(value);
  return std::sqrt(sum);
}

/// Places whose matrices all others are combinations of.
std::vector<Complex> choose_places(const Sampler& sampler, const std::vector<Complex>& candidates) {
  constexpr double exact = 1e-12;
  std::vector<Symbol> columns;
  for (const Complex& u : candidates) columns.push_back(sampler.scaled(u));
  columns = fem::sketches(columns, sampler.ranks());
  for (Symbol& column : columns) {
    const double length = length_of(column);
    for (Complex& value : column) value /= length;
  }
  std::vector<Complex> chosen;
  for (const std::size_t k : fem::interpolate_columns(columns, exact).chosen) chosen.push_back(candidates[k]);
  return chosen;
}

/// As many coefficients as places, which all others are combinations of there: those of this rank, ascending.
std::vector<std::size_t> choose_numbers(const Sampler& sampler, const std::vector<Complex>& places) {
  std::vector<Symbol> at_places;
  for (const Complex& u : places) at_places.push_back(sampler.scaled(u));
  const std::size_t own = at_places.front().size(), count = places.size();
  Symbol rows;
  for (std::size_t k = 0; k < own; ++k)
    for (const Symbol& values : at_places) rows.push_back(values[k]);
  const std::vector<std::size_t> of_ranks = sampler.ranks().all_gather(std::span<const std::size_t>(&own, 1));
  const auto rank = static_cast<std::size_t>(sampler.ranks().rank());
  const std::size_t first =
      std::accumulate(of_ranks.begin(), of_ranks.begin() + static_cast<std::ptrdiff_t>(rank), std::size_t{0});
  std::vector<Symbol> all;
  const Symbol gathered = sampler.ranks().all_gather(std::span<const Complex>(rows));
  for (auto row = gathered.begin(); row != gathered.end(); row += static_cast<std::ptrdiff_t>(count))
    all.emplace_back(row, row + static_cast<std::ptrdiff_t>(count));
  std::vector<std::size_t> numbers;
  for (const std::size_t k : fem::interpolate_columns(all, 0).chosen)
    if (k >= first && k < first + own) numbers.push_back(k - first);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// x turned and scaled.
void normalise(std::vector<Complex>& x, double energy, const fem::RankRows& rows) {
  const Eigen::VectorXcd own =
      rows.own(Eigen::VectorXcd(Eigen::Map<const Eigen::VectorXcd>(x.data(), static_cast<Eigen::Index>(x.size()))));
  Eigen::VectorXcd sum(1);
  sum[0] = (own.transpose() * own)(0, 0);
  rows.add(sum);
  const Complex square = sum[0], factor = std::polar(1 / std::sqrt(energy), -std::arg(square) / 2);
  for (Complex& value : x) value *= factor;
}

/// Coefficients as admittances of circuit elements: a field x delivers 1/2 y x^H (dA/dsymbol) x of complex power to
/// each.
Symbol admittances(const FrequencySystem& system, double hz) {
  Symbol values = system.symbol(hz);
  for (Complex& value : values) value /= Complex(0, eta0_ohm * 2 * pi * hz / c0_m_per_s);
  return values;
}

/// Powers and energies of all coefficients, by the admittances and their slopes at the real frequency.
void add_energies(Resonance& resonance, const FrequencySystem& system, const std::vector<double>& forms) {
  constexpr double part = 1e-5;
  const double hz = resonance.hz.real();
  const Symbol at = admittances(system, hz), above = admittances(system, (1 + part) * hz),
               below = admittances(system, (1 - part) * hz);
  const auto entries = system.symbol_entries();
  double energy = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const double stored = 0.25 * (above[k] - below[k]).imag() / (4 * pi * part * hz) * forms[k];
    const double power = 0.5 * at[k].real() * forms[k];
    energy += stored;
    if (entries[k].form != Form::wall)
      (entries[k].form == Form::field ? resonance.electric : resonance.magnetic)[entries[k].place] += stored;
    (entries[k].form == Form::wall ? resonance.lost_at : resonance.lost)[entries[k].place] += power / (2 * pi * hz);
  }
  for (auto* sums : {&resonance.electric, &resonance.magnetic, &resonance.lost, &resonance.lost_at})
    system.ranks().sum_in_place(*sums);
  add_line_losses(system, hz, resonance.unknowns, resonance.lost_at);
  energy = system.ranks().sum(energy);
  for (auto* shares : {&resonance.electric, &resonance.magnetic}) {
    const double all = sum_of(*shares);
    for (double& share : *shares) share /= all;
  }
  for (auto* shares : {&resonance.lost, &resonance.lost_at})
    for (double& share : *shares) share /= energy;
  normalise(resonance.unknowns, energy, fem::RankRows(system.shared_space().rows));
}

/// Of fields with these forms.
std::vector<double> electric_energies(const FrequencySystem& system, double hz,
                                      const std::vector<std::vector<double>>& forms) {
  constexpr double part = 1e-5;
  const Symbol above = admittances(system, (1 + part) * hz), below = admittances(system, (1 - part) * hz);
  const auto entries = system.symbol_entries();
  std::vector<double> energies(forms.size(), 0);
  for (std::size_t k = 0; k < entries.size(); ++k)
    for (std::size_t f = 0; f < forms.size() && entries[k].form == Form::field; ++f)
      energies[f] += 0.25 * (above[k] - below[k]).imag() / (4 * pi * part * hz) * forms[f][k];
  system.ranks().sum_in_place(energies);
  return energies;
}

}  // namespace

double Resonance::q() const {
  constexpr double rounding = 1e-13;
  if (std::abs(hz.imag()) <= rounding * hz.real()) return std::numeric_limits<double>::infinity();
  return hz.real() / (2 * hz.imag());
}

fem::MatrixFunction matrices_of(const FrequencySystem& system, double unit_hz) {
  constexpr int count = 24;
  const auto sampler = std::make_shared<const Sampler>(system, unit_hz);
  std::vector<Complex> places;  // from a quarter of the target to four times it
  for (int k = 0; k < count; ++k) places.emplace_back(std::pow(4.0, 2.0 * k / (count - 1) - 1));
  fem::MatrixFunction function;
  function.is_quadratic = is_quadratic(*sampler, places);
  function.is_real = is_real(*sampler, places);
  if (!function.is_quadratic)
    for (int k = 0; k < count; ++k)
      places.push_back(places[static_cast<std::size_t>(k)] * Complex(1, k % 2 == 0 ? 0.03 : 0.3));
  const std::vector<Complex> chosen = choose_places(*sampler, places);
  for (const Complex& u : chosen) system.assemble(sampler->symbol(u), function.terms.emplace_back());
  const std::vector<std::size_t> numbers = choose_numbers(*sampler, chosen);
  const auto of_all = [sampler, numbers](Complex u) {
    return sampler->ranks().all_gather(std::span<const Complex>(sampler->scaled(u, numbers)));
  };
  std::vector<Symbol> columns;
  for (const Complex& u : chosen) columns.push_back(of_all(u));
  function.weights = [of_all, basis = fem::ColumnBasis(columns), is_real = function.is_real](Complex u) {
    Symbol weights = basis.coefficients(of_all(u));
    if (is_real && u.imag() == 0)
      for (Complex& weight : weights) weight = weight.real();
    return weights;
  };
  for (std::size_t p = 0; p < system.port_count(); ++p)
    if (system.model(p).kind == results::PortModel::Kind::waveguide)
      function.branches.push_back(system.model(p).cutoff_hz / unit_hz);
  Symbol curls = sampler->symbol(1);
  const auto entries = system.symbol_entries();
  for (std::size_t k = 0; k < curls.size(); ++k)
    if (entries[k].form != Form::curl) curls[k] = 0;
  system.assemble(curls, function.curls);
  return function;
}

std::vector<Resonance> examine_pairs(const FrequencySystem& system, std::vector<fem::EigenPair> pairs, double unit_hz,
                                     std::size_t regions, std::size_t tags) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const fem::EigenPair& a, const fem::EigenPair& b) { return a.value.real() < b.value.real(); });
  std::vector<std::vector<Complex>> fields;
  for (const fem::EigenPair& pair : pairs) fields.push_back(pair.vector);
  const auto forms = system.forms(fields);
  std::vector<Resonance> resonances;
  const auto zeros = [](std::size_t count) { return std::vector<double>(count, 0); };
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    resonances.push_back({pairs[k].value * unit_hz,
                          pairs[k].residual,
                          std::move(fields[k]),
                          zeros(regions),
                          zeros(regions),
                          zeros(regions),
                          zeros(tags),
                          {}});
    add_energies(resonances.back(), system, forms[k]);
  }
  return resonances;
}

std::vector<Complex> overlaps_of(const FrequencySystem& system, const Resonance& resonance,
                                 const std::vector<std::vector<Complex>>& fields) {
  const std::vector<Complex>& x = resonance.unknowns;
  std::vector<std::vector<Complex>> all{x};
  for (const auto& y : fields) {
    all.push_back(y);
    for (const Complex& factor : {Complex(1), Complex(0, 1)}) {
      all.push_back(x);
      for (std::size_t i = 0; i < x.size(); ++i) all.back()[i] += factor * y[i];
    }
  }
  const std::vector<double> stored = electric_energies(system, resonance.hz.real(), system.forms(all));
  std::vector<Complex> overlaps;
  for (std::size_t k = 0; k < fields.size(); ++k) {  // |x + y|^2 = |x|^2 + |y|^2 + 2 Re <x, y>, and with j y
    const double* of = &stored[1 + 3 * k];
    const Complex product(of[1] - stored[0] - of[0], stored[0] + of[0] - of[2]);
    const double size = 2 * std::sqrt(stored[0] * of[0]);
    overlaps.push_back(size > 0 ? product / size : 0);
  }
  return overlaps;
}

}  // namespace tetrawave::modes
