#include "fem/sparse/row_product.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "fem/sparse/jagged_product.hpp"

namespace tetrawave::fem {

namespace {

/// Straight from the rows of the CSR matrix.
template <class T>
class CsrProduct final : public RowProduct<T> {
 public:
  CsrProduct(MatrixPart part, const CsrPattern& pattern, ThreadTeam& team)
      : pattern_(pattern),
        team_(team),
        ends_(find_row_ends(pattern, part)),
        bounds_(cut_evenly(pattern.first, team.size())) {}

  void set_values(std::span<const T> values) override { values_ = values; }

  void multiply(const std::vector<T>& x, std::vector<T>& y) override {
    for_rows(x, [&y](std::size_t i, T sum) { y[i] = sum; });
  }

  void subtract(double scale, const std::vector<T>& base, double weight, const std::vector<T>& x,
                std::vector<T>& y) override {
    for_rows(x, [&](std::size_t i, T sum) { y[i] = scale * (base[i] - weight * sum); });
  }

  [[nodiscard]] std::int64_t bytes() const override { return static_cast<std::int64_t>(16 * ends_.begin.size()); }

 private:
  template <class Use>
  void for_rows(const std::vector<T>& x, const Use& use) {
    const std::int32_t* const column = pattern_.column.data();
    const T* const values = values_.data();
    team_.run([&](int member) {
      const auto m = static_cast<std::size_t>(member);
      for (std::size_t i = bounds_[m]; i < bounds_[m + 1]; ++i)
        use(i, sum_entries(values, column, ends_.begin[i], ends_.end[i], x.data()));
    });
  }

  const CsrPattern& pattern_;
  ThreadTeam& team_;
  RowEnds ends_;
  std::vector<std::size_t> bounds_;
  std::span<const T> values_;
};

}  // namespace

template <class T>
std::unique_ptr<RowProduct<T>> make_row_product(MatrixFormat format, MatrixPart part, const CsrPattern& pattern,
                                                ThreadTeam& team) {
  if (format == MatrixFormat::jad) return std::make_unique<JaggedProduct<T>>(part, pattern, team);
  return std::make_unique<CsrProduct<T>>(part, pattern, team);
}

template std::unique_ptr<RowProduct<double>> make_row_product<double>(MatrixFormat, MatrixPart, const CsrPattern&,
                                                                      ThreadTeam&);
template std::unique_ptr<RowProduct<Complex>> make_row_product<Complex>(MatrixFormat, MatrixPart, const CsrPattern&,
                                                                        ThreadTeam&);

std::vector<std::int64_t> find_diagonal(const CsrPattern& pattern, int threads) {
  std::vector<std::int64_t> diagonal(static_cast<std::size_t>(pattern.rows()));
  for_each_index(diagonal.size(), threads, [&](std::size_t row) {
    const auto i = static_cast<std::int32_t>(row);
    const auto begin = pattern.column.begin() + pattern.first[row],
               end = pattern.column.begin() + pattern.first[row + 1];
    const auto found = std::find(begin, end, i);  // columns of ghosts lie among the others
    ensure(found != end, "every row of a matrix has its diagonal");
    diagonal[row] = found - pattern.column.begin();
  });
  return diagonal;
}

RowEnds find_row_ends(const CsrPattern& pattern, MatrixPart part) {
  RowEnds ends{{pattern.first.begin(), pattern.first.end() - 1}, {pattern.first.begin() + 1, pattern.first.end()}};
  if (part == MatrixPart::lower) ends.end = find_diagonal(pattern);
  if (part == MatrixPart::upper) {
    ends.begin = find_diagonal(pattern);
    for (auto& begin : ends.begin) ++begin;
  }
  return ends;
}

std::vector<std::size_t> cut_evenly(const std::vector<std::int64_t>& first, int parts) {
  std::vector<std::size_t> bounds{0};
  for (int part = 1; part < parts; ++part) {
    const auto cut = std::lower_bound(first.begin(), first.end() - 1, first.back() * part / parts);
    bounds.push_back(static_cast<std::size_t>(cut - first.begin()));
  }
  bounds.push_back(first.size() - 1);
  return bounds;
}

}  // namespace tetrawave::fem
