// Rows of one system that ranks share out: each has the equations of its own elements and owns some of the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"

namespace tetrawave::fem {

class RankRows;  // fem/sparse/rank_rows.hpp, which includes Eigen

/// Rows of all ranks are numbered so that those of a rank are consecutive. A rank's elements have rows of their own and
/// some that others own.
struct SharedRows {
  comm::Communicator ranks = comm::Communicator::self();
  std::vector<std::int32_t> first;   ///< per rank, the number of the first row that it owns; behind them that of all
  std::vector<std::int32_t> number;  ///< per row of this rank's elements

  [[nodiscard]] std::int32_t total() const { return first.back(); }
  [[nodiscard]] std::int32_t begin() const { return first[static_cast<std::size_t>(ranks.rank())]; }
  [[nodiscard]] std::int32_t end() const { return first[static_cast<std::size_t>(ranks.rank()) + 1]; }
  [[nodiscard]] std::size_t own() const { return static_cast<std::size_t>(end() - begin()); }
  [[nodiscard]] bool is_own(std::int32_t row) const { return row >= begin() && row < end(); }
  /// The rank that owns a row.
  [[nodiscard]] std::size_t owner(std::int32_t row) const {
    return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
  }
};

}  // namespace tetrawave::fem
