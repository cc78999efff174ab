#include "fem/sparse/jagged_product.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace tetrawave::fem {

namespace {

constexpr std::size_t rows_at_once = 256;  // whose sums stay in the nearest cache

}  // namespace

template <class T>
JaggedProduct<T>::JaggedProduct(MatrixPart part, const CsrPattern& pattern, ThreadTeam& team) : team_(team) {
  const RowEnds ends = find_row_ends(pattern, part);
  const std::size_t rows = ends.begin.size();
  const auto length = [&ends](std::int32_t row) {
    const auto i = static_cast<std::size_t>(row);
    return ends.end[i] - ends.begin[i];
  };
  row_.resize(rows);
  std::iota(row_.begin(), row_.end(), 0);
  std::stable_sort(row_.begin(), row_.end(), [&](std::int32_t a, std::int32_t b) { return length(a) > length(b); });
  std::vector<std::int64_t> first_of_row{0};
  for (const std::int32_t row : row_) first_of_row.push_back(first_of_row.back() + length(row));
  bounds_ = cut_evenly(first_of_row, team.size());
  column_.reserve(static_cast<std::size_t>(first_of_row.back()));
  source_.reserve(column_.capacity());
  const std::int64_t diagonals = rows == 0 ? 0 : length(row_[0]);
  for (std::int64_t d = 0; d < diagonals; ++d) {
    for (std::size_t s = 0; s < rows && length(row_[s]) > d; ++s) {
      source_.push_back(ends.begin[static_cast<std::size_t>(row_[s])] + d);
      column_.push_back(pattern.column[static_cast<std::size_t>(source_.back())]);
    }
    first_.push_back(static_cast<std::int64_t>(column_.size()));
  }
  values_.resize(column_.size());
}

template <class T>
void JaggedProduct<T>::set_values(std::span<const T> values) {
  team_.run([&](int member) {
    const auto m = static_cast<std::size_t>(member), members = static_cast<std::size_t>(team_.size());
    for (std::size_t k = m * values_.size() / members; k < (m + 1) * values_.size() / members; ++k)
      values_[k] = values[static_cast<std::size_t>(source_[k])];
  });
}

/// Adds the products of the sorted rows [begin, end), at most rows_at_once.
template <class T>
void JaggedProduct<T>::add_diagonals(std::size_t begin, std::size_t end, const std::vector<T>& x,
                                     ProductSum<T>* sums) const {
  const T* const numbers = x.data();
  for (std::size_t d = 0; d + 1 < first_.size(); ++d) {
    const auto first = static_cast<std::size_t>(first_[d]);
    const std::size_t last_row = std::min(end, static_cast<std::size_t>(first_[d + 1]) - first);
    if (last_row <= begin) break;
    const T* const values = values_.data() + first + begin;
    const std::int32_t* const column = column_.data() + first + begin;
    for (std::size_t k = 0; k < last_row - begin; ++k) sums[k].add(values[k], numbers[column[k]]);
  }
}

template <class T>
template <class Use>
void JaggedProduct<T>::for_rows(const std::vector<T>& x, const Use& use) {
  team_.run([&](int member) {
    const auto m = static_cast<std::size_t>(member);
    for (std::size_t begin = bounds_[m]; begin < bounds_[m + 1]; begin += rows_at_once) {
      const std::size_t end = std::min(begin + rows_at_once, bounds_[m + 1]);
      std::array<ProductSum<T>, rows_at_once> sums;
      add_diagonals(begin, end, x, sums.data());
      for (std::size_t s = begin, k = 0; s < end; ++s, ++k) use(static_cast<std::size_t>(row_[s]), sums[k].value());
    }
  });
}

template <class T>
void JaggedProduct<T>::multiply(const std::vector<T>& x, std::vector<T>& y) {
  for_rows(x, [&y](std::size_t i, T sum) { y[i] = sum; });
}

template <class T>
void JaggedProduct<T>::subtract(double scale, const std::vector<T>& base, double weight, const std::vector<T>& x,
                                std::vector<T>& y) {
  for_rows(x, [&](std::size_t i, T sum) { y[i] = scale * (base[i] - weight * sum); });
}

template <class T>
std::int64_t JaggedProduct<T>::bytes() const {
  return static_cast<std::int64_t>(4 * row_.size() + (sizeof(T) + 8 + 4) * values_.size());
}

template class JaggedProduct<double>;
template class JaggedProduct<Complex>;

}  // namespace tetrawave::fem
