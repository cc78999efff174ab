// A subspace of the unknowns, in which a preconditioner solves exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tetrawave::fem {

/// x = P y, P real and sparse by rows: one per unknown of the whole system, one column per unknown of the subspace.
struct Subspace {
  std::int32_t columns = 0;
  std::vector<std::int64_t> first{0};  ///< of each row, and the end of the last
  std::vector<std::int32_t> column;
  std::vector<double> value;

  [[nodiscard]] std::size_t rows() const { return first.size() - 1; }
  [[nodiscard]] std::int64_t bytes() const {
    return static_cast<std::int64_t>(8 * first.size() + 4 * column.size() + 8 * value.size());
  }

  /// Calls use(column, value) for the entries of a row.
  template <class Use>
  void for_row(std::size_t row, const Use& use) const {
    for (auto k = static_cast<std::size_t>(first[row]); k < static_cast<std::size_t>(first[row + 1]); ++k)
      use(static_cast<std::size_t>(column[k]), value[k]);
  }
  [[nodiscard]] Subspace transposed() const;
};

}  // namespace tetrawave::fem
