#include "fem/shared/shared_matrix.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace tetrawave::fem {

namespace {

/// Row and column of an entry by their numbers.
using Place = std::array<std::int32_t, 2>;

/// Calls use(entry, place).
template <class Use>
void for_entries(const CsrPattern& pattern, const SharedRows& rows, const Use& use) {
  for (std::size_t i = 0; i < rows.number.size(); ++i)
    for (auto k = pattern.first[i]; k < pattern.first[i + 1]; ++k)
      use(k, Place{rows.number[i], rows.number[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)])]});
}

/// Columns of each own row, ascending.
std::vector<std::vector<std::int32_t>> columns_of_rows(const CsrPattern& elements, const SharedRows& rows,
                                                       const std::vector<std::vector<Place>>& taken) {
  std::vector<std::vector<std::int32_t>> columns(rows.own());
  const auto add = [&](const Place& place) {
    columns[static_cast<std::size_t>(place[0] - rows.begin())].push_back(place[1]);
  };
  for_entries(elements, rows, [&](std::int64_t, const Place& place) {
    if (rows.is_own(place[0])) add(place);
  });
  for (const auto& of_rank : taken)
    for (const Place& place : of_rank) add(place);
  for (auto& row : columns) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return columns;
}

std::size_t bytes_of(const CsrPattern& pattern) { return 8 * pattern.first.size() + 4 * pattern.column.size(); }

}  // namespace

SharedPattern::SharedPattern(const CsrPattern& elements, const SharedRows& rows)
    : target(elements.column.size(), elsewhere), given(static_cast<std::size_t>(rows.ranks.size())) {
  std::vector<std::vector<Place>> places(given.size());
  for_entries(elements, rows, [&](std::int64_t k, const Place& place) {
    const std::size_t owner = rows.owner(place[0]);
    if (rows.is_own(place[0])) return;
    given[owner].push_back(k);
    places[owner].push_back(place);
  });
  places = rows.ranks.exchange(places);
  const auto columns = columns_of_rows(elements, rows, places);
  for (const auto& row : columns)
    for (const std::int32_t column : row)
      if (!rows.is_own(column)) ghosts.push_back(column);
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  std::vector<std::int32_t> place_of_outer(columns.size(), -1);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const std::int32_t column : columns[i])
      if (rows.is_own(column))
        inner.column.push_back(column - rows.begin());
      else
        outer.column.push_back(
            static_cast<std::int32_t>(std::lower_bound(ghosts.begin(), ghosts.end(), column) - ghosts.begin()));
    inner.first.push_back(static_cast<std::int64_t>(inner.column.size()));
    if (static_cast<std::int64_t>(outer.column.size()) == outer.first.back()) continue;
    place_of_outer[i] = static_cast<std::int32_t>(outer_row.size());
    outer_row.push_back(static_cast<std::int32_t>(i));
    outer.first.push_back(static_cast<std::int64_t>(outer.column.size()));
  }
  const auto find = [](const CsrPattern& pattern, std::size_t row, std::int32_t column) {
    const auto begin = pattern.column.begin() + pattern.first[row],
               end = pattern.column.begin() + pattern.first[row + 1];
    return std::lower_bound(begin, end, column) - pattern.column.begin();
  };
  const auto target_of = [&](const Place& place) -> std::int64_t {
    const auto row = static_cast<std::size_t>(place[0] - rows.begin());
    if (rows.is_own(place[1])) return find(inner, row, place[1] - rows.begin());
    const auto ghost = std::lower_bound(ghosts.begin(), ghosts.end(), place[1]) - ghosts.begin();
    return ~find(outer, static_cast<std::size_t>(place_of_outer[row]), static_cast<std::int32_t>(ghost));
  };
  for_entries(elements, rows, [&](std::int64_t k, const Place& place) {
    if (rows.is_own(place[0])) target[static_cast<std::size_t>(k)] = target_of(place);
  });
  for (const auto& of_rank : places) {
    auto& targets = taken.emplace_back();
    for (const Place& place : of_rank) targets.push_back(target_of(place));
  }
}

std::int64_t SharedPattern::bytes() const {
  std::size_t sum = bytes_of(inner) + bytes_of(outer) + 8 * target.size() + 4 * (ghosts.size() + outer_row.size());
  for (const auto* lists : {&given, &taken})
    for (const auto& list : *lists) sum += 8 * list.size();
  return static_cast<std::int64_t>(sum);
}

template <class T>
void SharedMatrix<T>::set(const CsrMatrix<T>& elements) {
  inner.pattern = &pattern->inner;
  outer.pattern = &pattern->outer;
  inner.values.assign(pattern->inner.column.size(), T(0));
  outer.values.assign(pattern->outer.column.size(), T(0));
  const auto add = [&](std::int64_t to, const T& value) {
    (to >= 0 ? inner.values[static_cast<std::size_t>(to)] : outer.values[static_cast<std::size_t>(~to)]) += value;
  };
  std::vector<std::vector<T>> values(pattern->given.size());
  for (std::size_t rank = 0; rank < values.size(); ++rank)
    for (const std::int64_t k : pattern->given[rank])
      values[rank].push_back(elements.values[static_cast<std::size_t>(k)]);
  values = ranks.exchange(values);
  for (std::size_t k = 0; k < pattern->target.size(); ++k)
    if (pattern->target[k] != SharedPattern::elsewhere) add(pattern->target[k], elements.values[k]);
  for (std::size_t rank = 0; rank < values.size(); ++rank)
    for (std::size_t k = 0; k < values[rank].size(); ++k) add(pattern->taken[rank][k], values[rank][k]);
}

template <class T>
JoinedRows<T>::JoinedRows(const SharedPattern& shared, std::int32_t begin) {
  const auto own = shared.inner.rows();
  const auto lower = static_cast<std::int32_t>(std::lower_bound(shared.ghosts.begin(), shared.ghosts.end(), begin) -
                                               shared.ghosts.begin());
  const auto add = [&](std::int32_t column, std::int64_t source) {
    pattern_.column.push_back(column);
    source_.push_back(source);
  };
  std::size_t next = 0;  // outer row
  for (std::int32_t row = 0; row < own; ++row) {
    const bool has_ghosts = next < shared.outer_row.size() && shared.outer_row[next] == row;
    std::int64_t k = has_ghosts ? shared.outer.first[next] : 0;
    const std::int64_t end = has_ghosts ? shared.outer.first[next + 1] : 0;
    const auto ghost = [&] { return shared.outer.column[static_cast<std::size_t>(k)]; };
    for (; k < end && ghost() < lower; ++k) add(own + ghost(), ~k);
    for (auto i = shared.inner.first[static_cast<std::size_t>(row)];
         i < shared.inner.first[static_cast<std::size_t>(row) + 1]; ++i)
      add(shared.inner.column[static_cast<std::size_t>(i)], i);
    for (; k < end; ++k) add(own + ghost(), ~k);
    pattern_.first.push_back(static_cast<std::int64_t>(pattern_.column.size()));
    if (has_ghosts) ++next;
  }
  matrix_ = {&pattern_, UnsetVector<T>(source_.size(), T(0))};
}

template <class T>
const CsrMatrix<T>& JoinedRows<T>::join(const SharedMatrix<T>& matrix) {
  for (std::size_t k = 0; k < source_.size(); ++k)
    matrix_.values[k] = source_[k] >= 0 ? matrix.inner.values[static_cast<std::size_t>(source_[k])]
                                        : matrix.outer.values[static_cast<std::size_t>(~source_[k])];
  return matrix_;
}

template struct SharedMatrix<double>;
template struct SharedMatrix<Complex>;
template class JoinedRows<double>;
template class JoinedRows<Complex>;

}  // namespace tetrawave::fem
