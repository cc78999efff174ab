// Gathers rows of the elements of all ranks on rank 0, in the order of global ids, a page of ids at a time: files are
// the same on any number of ranks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "comm/communicator.hpp"

namespace tetrawave::results {

class OrderedRows {
 public:
  static constexpr GlobalIndex page = 65536;  ///< ids

  /// `ids` of this rank, ascending, with their numbers of rows; `id_count`: one past the largest id anywhere.
  /// Collective.
  OrderedRows(std::vector<GlobalIndex> ids, std::vector<std::int32_t> rows, GlobalIndex id_count,
              const comm::Communicator& ranks);

  [[nodiscard]] std::size_t pages() const { return first_row_.size() - 1; }
  /// The range of this rank's ids in a page: [first, last).
  [[nodiscard]] std::pair<std::size_t, std::size_t> own(std::size_t page_index) const;
  /// Offset of a page's rows among all rows; the same on all ranks. `pages()`: the number of all rows.
  [[nodiscard]] std::int64_t first_row(std::size_t page_index) const { return first_row_[page_index]; }
  [[nodiscard]] std::int64_t row_count() const { return first_row_.back(); }

  /// The rows of a page, `width` values each, from those of each rank; on rank 0, empty elsewhere. Collective.
  template <class T>
  [[nodiscard]] std::vector<T> gather(std::size_t page_index, const std::vector<T>& mine, std::size_t width) const;

 private:
  /// The rank of the next rows, and their number.
  struct Source {
    std::int32_t rank = 0;
    std::int32_t rows = 0;
  };
  void find_sources(const std::vector<std::int32_t>& rows);

  std::vector<GlobalIndex> ids_;
  comm::Communicator ranks_;
  std::vector<std::int64_t> first_row_;       ///< per page, and one past the last
  std::vector<std::vector<Source>> sources_;  ///< per page, on rank 0 when there are more ranks
};

}  // namespace tetrawave::results
