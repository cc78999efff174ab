// Values of rows that other ranks own: fetched from them, or added to theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/shared_rows.hpp"

namespace tetrawave::fem {

/// Messages between the ranks that own rows and those that want their values. All calls are collective but that only
/// ranks with something to exchange take part in a message. T: double or Complex.
class RankExchange {
 public:
  /// `wanted`: numbers of rows that other ranks own, ascending; others want some of this rank's. `rows` must outlive
  /// it.
  RankExchange(const SharedRows& rows, std::vector<std::int32_t> wanted);

  [[nodiscard]] const std::vector<std::int32_t>& wanted() const { return wanted_; }

  /// Messages under way; `finish` before their values are used, or another exchange is started.
  template <class T>
  struct Flight {
    comm::Requests requests;
    std::vector<T> out;
    std::vector<T> in;
  };
  /// Sends values of own rows to those who want them. After `finish` flight.in has those of the wanted rows, in order.
  template <class T>
  void start(const std::vector<T>& own, Flight<T>& flight) const;
  template <class T>
  void finish(Flight<T>& flight) const {
    flight.requests.wait_all();
  }
  /// Sends what `flight.out` has of the rows of `given`.
  template <class T>
  void send(Flight<T>& flight) const;
  /// Values of the wanted rows.
  template <class T>
  [[nodiscard]] std::vector<T> fetch(const std::vector<T>& own) const;
  /// Sends values of the wanted rows to their owners; returns those for the rows of `given`.
  template <class T>
  [[nodiscard]] std::vector<T> give(const std::vector<T>& wanted) const;

  /// Own rows that this rank sends, one for each rank that wants it, counted from its first.
  [[nodiscard]] const std::vector<std::int32_t>& given() const { return given_; }

  /// Consecutive entries of `wanted` or of `given`.
  struct Piece {
    int rank = 0;
    std::size_t first = 0;
    std::size_t count = 0;
  };
  /// In ascending order of ranks.
  [[nodiscard]] const std::vector<Piece>& from() const { return from_; }
  [[nodiscard]] const std::vector<Piece>& to() const { return to_; }

 private:
  comm::Communicator ranks_;
  std::vector<std::int32_t> wanted_;
  std::vector<std::int32_t> given_;
  std::vector<Piece> from_, to_;
};

/// Vectors over the rows of a rank's elements: of contributions to a right-hand side, or of values that are the same on
/// all ranks.
class ElementRows {
 public:
  /// Collective. `rows` must outlive it.
  explicit ElementRows(const SharedRows& rows);

  /// Own rows of the sum of all ranks' contributions.
  template <class T>
  [[nodiscard]] std::vector<T> sum(const std::vector<T>& contributions) const;
  /// Own rows of a vector of values.
  template <class T>
  [[nodiscard]] std::vector<T> own(const std::vector<T>& values) const;
  /// The vector of values whose own rows these are.
  template <class T>
  void spread(const std::vector<T>& own, std::vector<T>& values) const;

  [[nodiscard]] const SharedRows& rows() const { return rows_; }
  /// Places of the rows of other ranks, as `exchange` wants them.
  [[nodiscard]] const std::vector<std::size_t>& others() const { return order_; }
  [[nodiscard]] const RankExchange& exchange() const { return exchange_; }

 private:
  const SharedRows& rows_;
  std::vector<std::size_t> order_;  ///< rows of other ranks, by number
  RankExchange exchange_;
};

}  // namespace tetrawave::fem
