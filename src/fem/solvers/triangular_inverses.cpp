// The preconditioners with triangular solves: SSOR, ILU(0) and ILUT.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "fem/elimination/nested_dissection.hpp"
#include "fem/solvers/approximate_inverse.hpp"

namespace tetrawave::fem {

namespace {

/// Product of entries [begin, end) of a row with x.
template <class T>
T sum_row(const CsrPattern& pattern, std::span<const T> values, std::int64_t begin, std::int64_t end,
          const std::vector<T>& x) {
  return sum_entries(values.data(), pattern.column.data(), begin, end, x.data());
}

/// M = (D + w L) D^-1 (D + w U) / (w (2 - w)).
template <class T>
class Ssor final : public ApproximateInverse<T> {
 public:
  Ssor(double relaxation, const CsrPattern& pattern)
      : relaxation_(relaxation), pattern_(pattern), diagonal_(find_diagonal(pattern)) {}

  void set_matrix(const CsrMatrix<T>& matrix) override {
    values_ = &matrix.values;
    inverse_ = invert_diagonal(matrix, diagonal_);
  }

  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    const std::size_t rows = diagonal_.size();
    const double w = relaxation_, scale = w * (2 - w);
    // (D + w L) z = w (2 - w) x, then (D + w U) y = D z in its place.
    for (std::size_t i = 0; i < rows; ++i) {
      const T lower = sum_row<T>(pattern_, *values_, pattern_.first[i], diagonal_[i], y);
      y[i] = times(inverse_[i], scale * x[i] - w * lower);
    }
    for (std::size_t i = rows; i-- > 0;) {
      const T upper = sum_row<T>(pattern_, *values_, diagonal_[i] + 1, pattern_.first[i + 1], y);
      y[i] -= w * times(inverse_[i], upper);
    }
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>((8 + sizeof(T)) * diagonal_.size());
  }

 private:
  double relaxation_;
  const CsrPattern& pattern_;
  std::vector<std::int64_t> diagonal_;
  std::vector<T> inverse_;
  const UnsetVector<T>* values_ = nullptr;
};

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Calls work(node, member of the team) for every node of a stage.
template <class Work>
void for_nodes(const EliminationStages& stages, std::size_t stage, ThreadTeam& team, const Work& work) {
  const std::size_t begin = stages.stages[stage], end = stages.stages[stage + 1];
  if (team.size() == 1 || end - begin == 1) {
    for (std::size_t node = begin; node < end; ++node) work(node, 0);
    return;
  }
  std::atomic<std::size_t> next{begin};
  team.run([&](int member) {
    for (std::size_t node = next++; node < end; node = next++) work(node, member);
  });
}

/// Rows of L and U that a node has eliminated.
template <class T>
struct NodeRows {
  std::vector<std::int32_t> column;
  std::vector<T> value;
};

/// The row that a thread eliminates.
template <class T>
struct WorkRow {
  explicit WorkRow(std::size_t rows) : value(rows), has(rows, 0) {}
  std::vector<T> value;                    ///< per column
  std::vector<char> has;                   ///< per column
  std::vector<std::int32_t> waiting;       ///< places of columns to be eliminated: a heap, the first on top
  std::vector<std::int32_t> lower, upper;  ///< columns of L and U
};

/// Real ones become larger (T. A. Manteuffel, Math. Comp. 34 (1980) 473). Complex ones get losses (M. Magolu Monga
/// Made, R. Beauwens, G. Warzee, Commun. Numer. Methods Eng. 16 (2000) 801), by exp(+jwt).
double shifted(double diagonal, double shift) { return diagonal * (1 + shift); }
Complex shifted(Complex diagonal, double shift) { return diagonal + Complex(0, shift * std::abs(diagonal)); }

/// Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., algorithms 10.4 (no fill-in) and 10.6 (ILUT). Entries
/// of rows are indices into the rows of their node until all are joined.
template <class T>
class Elimination {
 public:
  Elimination(const std::optional<FillIn>& fill_in, const EliminationStages& stages, const CsrMatrix<T>& matrix,
              ThreadTeam& team)
      : fill_in_(fill_in),
        stages_(stages),
        matrix_(matrix),
        team_(team),
        place_(stages.order.size()),
        node_(stages.order.size()),
        lower_(stages.first.size() - 1),
        upper_(stages.first.size() - 1),
        work_(at(team.size())) {
    for (std::size_t node = 0; node < lower_.size(); ++node)
      for (std::size_t k = stages.first[node]; k < stages.first[node + 1]; ++k) {
        place_[at(stages.order[k])] = static_cast<std::int32_t>(k);
        node_[at(stages.order[k])] = static_cast<std::int32_t>(node);
      }
    for (auto* triangle : {&factors_.lower, &factors_.upper}) {
      triangle->begin.resize(place_.size());
      triangle->end.resize(place_.size());
    }
    factors_.inverse.resize(place_.size());
  }

  /// Factors of A with its diagonal shifted. Returns a row without a pivot, or the number of rows.
  [[nodiscard]] std::size_t run(double shift) {
    std::vector<std::size_t> failed(lower_.size(), place_.size());
    for (std::size_t stage = 0; stage + 1 < stages_.stages.size(); ++stage) {
      for_nodes(stages_, stage, team_, [&](std::size_t node, int member) {
        auto& row = work_[at(member)];
        if (!row) row = std::make_unique<WorkRow<T>>(place_.size());
        lower_[node] = upper_[node] = {};
        for (std::size_t k = stages_.first[node]; k < stages_.first[node + 1]; ++k)
          if (!eliminate(stages_.order[k], node, shift, *row)) {
            failed[node] = at(stages_.order[k]);
            return;
          }
      });
      if (const auto first = std::find_if(failed.begin(), failed.end(), [this](auto r) { return r < place_.size(); });
          first != failed.end())
        return *first;
    }
    return place_.size();
  }

  /// After a run that has found all pivots.
  [[nodiscard]] TriangularFactors<T> take() {
    work_.clear();
    join(lower_, factors_.lower);
    join(upper_, factors_.upper);
    return std::move(factors_);
  }

 private:
  [[nodiscard]] bool eliminate(std::int32_t i, std::size_t node, double shift, WorkRow<T>& row) {
    constexpr double smallest = 1e-13;  // of the row's largest entry: all digits of the pivot are lost
    const CsrPattern& pattern = *matrix_.pattern;
    double largest = 0, squares = 0;
    row.value[at(i)] = T(0);
    row.has[at(i)] = 1;
    for (std::int64_t k = pattern.first[at(i)]; k < pattern.first[at(i) + 1]; ++k) {
      const std::int32_t column = pattern.column[at(k)];
      const T entry = matrix_.values[at(k)];
      largest = std::max(largest, std::abs(entry));
      squares += square(entry);
      if (column != i) add(i, column, row);
      row.value[at(column)] = column == i ? shifted(entry, shift) : entry;
    }
    const double limit = fill_in_ ? fill_in_->drop_tolerance * std::sqrt(squares) : 0;
    std::make_heap(row.waiting.begin(), row.waiting.end(), std::greater<>());
    while (!row.waiting.empty()) subtract_next(i, limit, row);
    std::erase_if(row.upper, [&](std::int32_t column) { return is_dropped(column, limit, row); });
    keep(i, row.lower, row, lower_[node], factors_.lower);
    keep(i, row.upper, row, upper_[node], factors_.upper);
    row.has[at(i)] = 0;
    const T pivot = row.value[at(i)];
    factors_.inverse[at(i)] = 1. / pivot;
    return std::abs(pivot) > smallest * largest && std::isfinite(std::abs(pivot));
  }

  /// A place in row i.
  void add(std::int32_t i, std::int32_t column, WorkRow<T>& row) const {
    row.has[at(column)] = 1;
    row.value[at(column)] = T(0);
    if (place_[at(column)] < place_[at(i)])
      row.waiting.push_back(place_[at(column)]);
    else
      row.upper.push_back(column);
  }

  /// l_ij = a_ij / u_jj of the first j that is left, and row i minus l_ij times row j of U.
  void subtract_next(std::int32_t i, double limit, WorkRow<T>& row) const {
    std::pop_heap(row.waiting.begin(), row.waiting.end(), std::greater<>());
    const std::int32_t j = stages_.order[at(row.waiting.back())];
    row.waiting.pop_back();
    const T l = row.value[at(j)] = times(row.value[at(j)], factors_.inverse[at(j)]);
    if (is_dropped(j, limit, row)) return;
    row.lower.push_back(j);
    const NodeRows<T>& upper = upper_[at(node_[at(j)])];
    for (std::int64_t k = factors_.upper.begin[at(j)]; k < factors_.upper.end[at(j)]; ++k) {
      const std::int32_t column = upper.column[at(k)];
      if (row.has[at(column)] == 0) {
        if (!fill_in_) continue;
        const std::size_t before = row.waiting.size();
        add(i, column, row);
        if (row.waiting.size() > before) std::push_heap(row.waiting.begin(), row.waiting.end(), std::greater<>());
      }
      row.value[at(column)] -= times(l, upper.value[at(k)]);
    }
  }

  [[nodiscard]] bool is_dropped(std::int32_t column, double limit, WorkRow<T>& row) const {
    if (!(std::abs(row.value[at(column)]) < limit)) return false;
    row.has[at(column)] = 0;
    return true;
  }

  /// Appends the largest entries of row i to the rows of its node, columns ascending, and empties their list.
  void keep(std::int32_t i, std::vector<std::int32_t>& columns, WorkRow<T>& row, NodeRows<T>& to,
            Triangle<T>& triangle) const {
    for (const std::int32_t column : columns) row.has[at(column)] = 0;
    if (fill_in_ && columns.size() > at(fill_in_->per_side)) {
      const auto size = [&row](std::int32_t column) { return square(row.value[at(column)]); };
      std::nth_element(
          columns.begin(), columns.begin() + fill_in_->per_side, columns.end(),
          [&](std::int32_t a, std::int32_t b) { return size(a) > size(b) || (size(a) == size(b) && a < b); });
      columns.resize(at(fill_in_->per_side));
    }
    std::sort(columns.begin(), columns.end());
    triangle.begin[at(i)] = static_cast<std::int64_t>(to.column.size());
    for (const std::int32_t column : columns) {
      to.column.push_back(column);
      to.value.push_back(row.value[at(column)]);
    }
    triangle.end[at(i)] = static_cast<std::int64_t>(to.column.size());
    columns.clear();
  }

  void join(std::vector<NodeRows<T>>& nodes, Triangle<T>& triangle) {
    std::vector<std::int64_t> first{0};
    for (const auto& rows : nodes) first.push_back(first.back() + static_cast<std::int64_t>(rows.column.size()));
    triangle.column.resize(at(first.back()));
    triangle.value.resize(at(first.back()));
    for (std::size_t stage = 0; stage + 1 < stages_.stages.size(); ++stage)
      for_nodes(stages_, stage, team_, [&](std::size_t node, int) {
        std::copy(nodes[node].column.begin(), nodes[node].column.end(), triangle.column.begin() + first[node]);
        std::copy(nodes[node].value.begin(), nodes[node].value.end(), triangle.value.begin() + first[node]);
        nodes[node] = {};
        for (std::size_t k = stages_.first[node]; k < stages_.first[node + 1]; ++k)
          for (auto* ends : {&triangle.begin, &triangle.end}) (*ends)[at(stages_.order[k])] += first[node];
      });
  }

  const std::optional<FillIn>& fill_in_;
  const EliminationStages& stages_;
  const CsrMatrix<T>& matrix_;
  ThreadTeam& team_;
  std::vector<std::int32_t> place_, node_;  ///< of each row, in the order
  std::vector<NodeRows<T>> lower_, upper_;  ///< per node
  std::vector<std::unique_ptr<WorkRow<T>>> work_;
  TriangularFactors<T> factors_;
};

/// y = (L U)^-1 x; y is not x.
template <class T>
void solve_triangles(const TriangularFactors<T>& factors, const EliminationStages& stages, ThreadTeam& team,
                     const std::vector<T>& x, std::vector<T>& y) {
  const auto sum = [&y](const Triangle<T>& triangle, std::size_t i) {
    return sum_entries(triangle.value.data(), triangle.column.data(), triangle.begin[i], triangle.end[i], y.data());
  };
  const std::size_t count = stages.stages.size() - 1;
  for (std::size_t stage = 0; stage < count; ++stage)
    for_nodes(stages, stage, team, [&](std::size_t node, int) {
      for (std::size_t k = stages.first[node]; k < stages.first[node + 1]; ++k) {
        const std::size_t i = at(stages.order[k]);
        y[i] = x[i] - sum(factors.lower, i);
      }
    });
  for (std::size_t stage = count; stage-- > 0;)
    for_nodes(stages, stage, team, [&](std::size_t node, int) {
      for (std::size_t k = stages.first[node + 1]; k-- > stages.first[node];) {
        const std::size_t i = at(stages.order[k]);
        y[i] = times(factors.inverse[i], y[i] - sum(factors.upper, i));
      }
    });
}

/// Whether M^-1 D 1, all ones for a diagonal A, is of moderate size.
template <class T>
bool is_stable(const TriangularFactors<T>& factors, const EliminationStages& stages, const CsrMatrix<T>& matrix,
               ThreadTeam& team) {
  constexpr double largest = 100;  // good factors of a shift s stay below some 3/s, others go beyond 1e3
  std::vector<T> diagonal, y(stages.order.size());
  for (const std::int64_t k : find_diagonal(*matrix.pattern)) diagonal.push_back(matrix.values[at(k)]);
  solve_triangles(factors, stages, team, diagonal, y);
  return std::all_of(y.begin(), y.end(), [](T value) { return std::abs(value) < largest; });
}

template <class T>
class IncompleteFactors final : public ApproximateInverse<T> {
 public:
  IncompleteFactors(const std::optional<FillIn>& fill_in, const CsrPattern& pattern, ThreadTeam& team)
      : fill_in_(fill_in), team_(team), stages_(find_stages(fill_in, pattern, team.size())) {}

  void set_matrix(const CsrMatrix<T>& matrix) override {
    factors_ = {};
    factors_ = factorise_incompletely(fill_in_, stages_, matrix, team_);
  }
  void apply(const std::vector<T>& x, std::vector<T>& y) override { solve_triangles(factors_, stages_, team_, x, y); }

  [[nodiscard]] std::int64_t bytes() const override {
    const std::size_t entries = factors_.lower.column.size() + factors_.upper.column.size();
    return static_cast<std::int64_t>((36 + sizeof(T)) * stages_.order.size() + (4 + sizeof(T)) * entries);
  }

 private:
  std::optional<FillIn> fill_in_;
  ThreadTeam& team_;
  EliminationStages stages_;
  TriangularFactors<T> factors_;
};

}  // namespace

template <class T>
std::unique_ptr<ApproximateInverse<T>> make_ssor(double relaxation, const CsrPattern& pattern) {
  return std::make_unique<Ssor<T>>(relaxation, pattern);
}

EliminationStages find_stages(const std::optional<FillIn>& fill_in, const CsrPattern& pattern, int threads) {
  constexpr std::int32_t least = 1000;  // rows of a node, on the mean
  constexpr int most = 8;
  EliminationStages result;
  int levels = 1;
  while (fill_in && !pattern.positions.empty() && levels < most && pattern.rows() >> levels >= least) ++levels;
  if (levels == 1) {
    result.order.resize(at(pattern.rows()));
    std::iota(result.order.begin(), result.order.end(), 0);
    result.first.push_back(result.order.size());
    result.stages.push_back(1);
    return result;
  }
  EliminationOrder tree = dissect(pattern, levels, threads);
  result.order = std::move(tree.row);
  for (const std::int32_t size : tree.sizes) {
    const std::size_t begin = result.first.back(), end = begin + at(size);
    std::sort(result.order.begin() + static_cast<std::ptrdiff_t>(begin),
              result.order.begin() + static_cast<std::ptrdiff_t>(end));
    result.first.push_back(end);
  }
  for (std::size_t width = (tree.sizes.size() + 1) / 2; width > 0; width /= 2)
    result.stages.push_back(result.stages.back() + width);
  return result;
}

/// The triangles of an indefinite matrix may have inverses that grow with every row, or pivots that vanish: then those
/// of A with the smallest shift of its diagonal that serves.
template <class T>
TriangularFactors<T> factorise_incompletely(const std::optional<FillIn>& fill_in, const EliminationStages& stages,
                                            const CsrMatrix<T>& matrix, ThreadTeam& team) {
  const std::size_t rows = stages.order.size();
  std::size_t row = 0;
  for (const double shift : {0., 0.05, 0.2, 0.8}) {
    Elimination<T> elimination(fill_in, stages, matrix, team);
    row = elimination.run(shift);
    if (row < rows) continue;
    TriangularFactors<T> factors = elimination.take();
    if (is_stable(factors, stages, matrix, team)) return factors;
  }
  const std::string where = row == rows ? "is unstable" : fmt::format("breaks down in row {}", row);
  fail(ExitCode::unstable,
       "the incomplete factorisation {} {}, with a shifted diagonal, too: use another solver.preconditioner, or "
       "solver.method: direct",
       fill_in ? "ILUT" : "ILU(0)", where);
}

template <class T>
std::unique_ptr<ApproximateInverse<T>> make_incomplete_factors(const std::optional<FillIn>& fill_in,
                                                               const CsrPattern& pattern, ThreadTeam& team) {
  return std::make_unique<IncompleteFactors<T>>(fill_in, pattern, team);
}

template TriangularFactors<double> factorise_incompletely(const std::optional<FillIn>&, const EliminationStages&,
                                                          const CsrMatrix<double>&, ThreadTeam&);
template TriangularFactors<Complex> factorise_incompletely(const std::optional<FillIn>&, const EliminationStages&,
                                                           const CsrMatrix<Complex>&, ThreadTeam&);
template std::unique_ptr<ApproximateInverse<double>> make_ssor(double, const CsrPattern&);
template std::unique_ptr<ApproximateInverse<Complex>> make_ssor(double, const CsrPattern&);
template std::unique_ptr<ApproximateInverse<double>> make_incomplete_factors(const std::optional<FillIn>&,
                                                                             const CsrPattern&, ThreadTeam&);
template std::unique_ptr<ApproximateInverse<Complex>> make_incomplete_factors(const std::optional<FillIn>&,
                                                                              const CsrPattern&, ThreadTeam&);

}  // namespace tetrawave::fem
