#include "modes/eigenmode/line_resonances.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/sparse/rank_rows.hpp"
#include "fem/sparse/row_product.hpp"

namespace tetrawave::modes {

namespace {

using Column = std::vector<Complex>;

/// A sparse matrix and terms of low rank, of this rank's elements.
struct Operator {
  fem::CsrMatrix<Complex> sparse;
  std::vector<fem::LowRankUpdate> lines;
};

/// C s
Column times_middle(const fem::LowRankUpdate& lines, const Column& s) {
  Column result(s.size());
  for (std::size_t r = 0; r < s.size(); ++r)
    for (std::size_t c = 0; c < s.size(); ++c) result[r] += lines.middle[r * s.size() + c] * s[c];
  return result;
}

class LineSearch {
 public:
  LineSearch(const FrequencySystem& system, const fem::FixedSolver<Complex>& solve, double unit_hz)
      : system_(system), solve_(solve), unit_hz_(unit_hz), rows_(system.shared_space().rows) {
    using Form = FrequencySystem::SymbolEntry::Form;
    std::vector<Complex> curls = system.symbol(unit_hz);
    const auto entries = system.symbol_entries();
    for (std::size_t k = 0; k < curls.size(); ++k)
      if (entries[k].form != Form::curl) curls[k] = 0;
    system.assemble(curls, curls_.sparse);
  }

  /// Inverse iteration at a point beside u, where the sparse part may be singular, and u by the quotient x^T A(u) x =
  /// 0, which is right to second order, as A = A^T.
  void converge(fem::EigenPair& pair, double tolerance, LineFigures& figures) const {
    constexpr int most = 12;
    const Complex beside = 1.0 + 1e-4 * Complex(1, -1);
    for (int step = 0;; ++step) {
      const Column image = times(at(pair.value), pair.vector);
      pair.residual = rows_.norm_of_sum(image) / rows_.norm_of_sum(times(curls_, pair.vector));
      if (pair.residual <= tolerance) return;
      if (step == most)
        fail(ExitCode::unstable,
             "the resonance at {:.6g} Hz with the static modes of ports does not converge with the modes of their "
             "lines: residual {:.2g} after {} steps (eigenmode.tolerance {:.2g}); raise the tolerance, or move "
             "eigenmode.target",
             pair.value.real() * unit_hz_, pair.residual, most, tolerance);
      const Operator slope = slope_at(pair.value);
      pair.vector = solution_at(pair.value * beside, times(slope, pair.vector), figures);
      for (int quotient = 0; quotient < 2; ++quotient)
        pair.value -=
            product(pair.vector, times(at(pair.value), pair.vector)) / product(pair.vector, times(slope, pair.vector));
    }
  }

  /// x^H y of vectors of values.
  [[nodiscard]] Complex square(const Column& x, const Column& y) const {
    const auto vector = [](const Column& of) {
      return Eigen::Map<const Eigen::VectorXcd>(of.data(), static_cast<Eigen::Index>(of.size()));
    };
    Eigen::VectorXcd sum(1);
    sum[0] = vector(x).dot(rows_.own(Eigen::VectorXcd(vector(y))));
    rows_.add(sum);
    return sum[0];
  }

 private:
  /// A(u)^-1 of a side of contributions, of unit length.
  [[nodiscard]] Column solution_at(const Complex& u, Column side, LineFigures& figures) const {
    Operator a = at(u);
    fem::SolvedUpdate update{std::move(a.lines.front())};
    std::vector<Column> x{Column(side.size(), Complex(0))};
    const fem::LinearFigures solved = fem::solve_updated(
        update, [&](const auto& sides, auto& solutions) { return solve_(&a.sparse, sides, solutions); },
        system_.ranks(), {std::move(side)}, x);
    ++figures.factorisations;
    figures.bytes = std::max(figures.bytes, solved.bytes);
    const double length = std::sqrt(square(x.front(), x.front()).real());
    for (Complex& value : x.front()) value /= length;
    return std::move(x.front());
  }

  [[nodiscard]] Operator at(const Complex& u) const {
    Operator result;
    system_.assemble(system_.symbol(u * unit_hz_), result.sparse);
    result.lines.push_back(system_.line_update(u * unit_hz_, system_.space()));
    return result;
  }

  /// dA/du by Cauchy's integral on a small circle.
  [[nodiscard]] Operator slope_at(const Complex& u) const {
    constexpr int points = 4;
    const double radius = 1e-3 * std::abs(u);
    Operator result;
    std::vector<Complex> slope;
    for (int k = 0; k < points; ++k) {
      const Complex step = std::polar(radius, 2 * pi * k / points), weight = 1.0 / (static_cast<double>(points) * step);
      const std::vector<Complex> symbol = system_.symbol((u + step) * unit_hz_);
      slope.resize(symbol.size());
      for (std::size_t q = 0; q < symbol.size(); ++q) slope[q] += weight * symbol[q];
      fem::LowRankUpdate& lines =
          result.lines.emplace_back(system_.line_update((u + step) * unit_hz_, system_.space()));
      for (Complex& value : lines.middle) value *= weight;
    }
    system_.assemble(slope, result.sparse);
    return result;
  }

  /// Contributions to A x.
  [[nodiscard]] Column times(const Operator& a, const Column& x) const {
    const fem::CsrPattern& pattern = *a.sparse.pattern;
    Column y(x.size());
    for (std::size_t r = 0; r < y.size(); ++r)
      y[r] = fem::sum_entries(a.sparse.values.data(), pattern.column.data(), pattern.first[r], pattern.first[r + 1],
                              x.data());
    for (const fem::LowRankUpdate& lines : a.lines) {
      const Column weights = times_middle(lines, fem::along_columns(lines, x, system_.ranks()));
      for (std::size_t c = 0; c < weights.size(); ++c)
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += weights[c] * lines.columns[c][i];
    }
    return y;
  }

  /// x^T b of values x and contributions b.
  [[nodiscard]] Complex product(const Column& x, const Column& b) const {
    std::vector<Complex> sum{Complex(0)};
    for (std::size_t i = 0; i < x.size(); ++i) sum[0] += x[i] * b[i];
    system_.add_over_ranks(sum);
    return sum[0];
  }

  const FrequencySystem& system_;
  const fem::FixedSolver<Complex>& solve_;
  double unit_hz_;
  fem::RankRows rows_;
  Operator curls_;
};

}  // namespace

LineFigures follow_lines(const FrequencySystem& system, const fem::FixedSolver<Complex>& solve, double unit_hz,
                         double tolerance, std::vector<fem::EigenPair>& pairs) {
  constexpr double near = 1e-7, alike = 0.9;
  const LineSearch search(system, solve, unit_hz);
  LineFigures figures;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Complex before = pairs[k].value;
    search.converge(pairs[k], tolerance, figures);
    figures.moved = std::max(figures.moved, std::abs(pairs[k].value / before - 1.0));
    const auto is_same = [&](const fem::EigenPair& other) {
      return std::abs(other.value - pairs[k].value) < near * std::abs(other.value) &&
             std::abs(search.square(other.vector, pairs[k].vector)) > alike;
    };
    if (std::any_of(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(k), is_same)) figures.same.push_back(k);
  }
  return figures;
}

void add_line_losses(const FrequencySystem& system, double hz, const std::vector<Complex>& x,
                     std::vector<double>& lost_at) {
  const fem::LowRankUpdate lines = system.line_update(hz, system.space());
  if (lines.is_empty()) return;
  const Column along = fem::along_columns(lines, x, system.ranks()), weights = times_middle(lines, along);
  const Complex unit = Complex(0, eta0_ohm * 2 * pi * hz / c0_m_per_s);  // of an admittance
  std::size_t column = 0;
  for (std::size_t p = 0; p < system.port_count(); ++p)
    for (int k = 0; system.has_line_mode(p) && k < 2; ++k, ++column)
      lost_at[p] += 0.5 * (std::conj(along[column]) * weights[column] / unit).real() / (2 * pi * hz);
}

}  // namespace tetrawave::modes
