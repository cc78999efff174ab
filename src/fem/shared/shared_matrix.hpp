// The rows that a rank owns of a matrix that ranks assemble from their elements.
#pragma once

#include <cstdint>
#include <vector>

#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/rank_exchange.hpp"

namespace tetrawave::fem {

/// Own rows as A x = inner x + outer g: `inner` has the columns that this rank owns, counted from its first row as rows
/// are; g are the values of other ranks' rows that these rows couple to, the ghosts, by ascending number.
struct SharedPattern {
  /// `elements`: the pattern of this rank's elements, its rows numbered by `rows`. Collective.
  SharedPattern(const CsrPattern& elements, const SharedRows& rows);

  CsrPattern inner;                     ///< square
  CsrPattern outer;                     ///< rows of `outer_row`, columns are ghosts
  std::vector<std::int32_t> outer_row;  ///< own rows that have ghosts
  std::vector<std::int32_t> ghosts;     ///< numbers

  // Targets of the entries of elements: those in rows of other ranks are sent to these ranks, which add them.
  std::vector<std::int64_t> target;              ///< per entry: of inner, or ~k of outer, or `elsewhere`
  std::vector<std::vector<std::int64_t>> given;  ///< per rank: entries that are sent to it
  std::vector<std::vector<std::int64_t>> taken;  ///< per rank: targets of the entries that it sends
  static constexpr std::int64_t elsewhere = INT64_MAX;

  [[nodiscard]] std::int64_t nonzeros() const { return inner.nonzeros() + outer.nonzeros(); }
  [[nodiscard]] std::int64_t bytes() const;
};

/// Matrices of one pattern. The pattern must outlive it.
template <class T>
struct SharedMatrix {
  SharedMatrix(const SharedPattern& of, const SharedRows& rows) : pattern(&of), ranks(rows.ranks) {}

  /// From the matrix of this rank's elements: contributions are added in the order of ranks. Collective.
  void set(const CsrMatrix<T>& elements);
  [[nodiscard]] std::int64_t bytes() const {
    return static_cast<std::int64_t>(sizeof(T) * (inner.values.size() + outer.values.size()));
  }

  const SharedPattern* pattern;
  comm::Communicator ranks;
  CsrMatrix<T> inner, outer;
};

/// Inner and outer part as one matrix: ghosts are columns behind the own ones, entries of a row by global number.
template <class T>
class JoinedRows {
 public:
  /// `begin`: the number of the first own row.
  JoinedRows(const SharedPattern& shared, std::int32_t begin);
  JoinedRows(const JoinedRows&) = delete;
  JoinedRows& operator=(const JoinedRows&) = delete;

  [[nodiscard]] const CsrPattern& pattern() const { return pattern_; }
  [[nodiscard]] const CsrMatrix<T>& join(const SharedMatrix<T>& matrix);

 private:
  CsrPattern pattern_;
  std::vector<std::int64_t> source_;  ///< per entry: of inner, or ~k of outer
  CsrMatrix<T> matrix_;
};

}  // namespace tetrawave::fem
