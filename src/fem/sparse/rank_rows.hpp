// Sums over all rows of vectors that ranks share out.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "fem/sparse/rank_exchange.hpp"

namespace tetrawave::fem {

/// Vectors over the rows of a rank's elements: of values, which are the same on all ranks that have a row, or of
/// contributions, which are to be added, as a rank's part of A x is. Collective; of one rank by itself without effect.
class RankRows {
 public:
  RankRows() = default;
  /// `rows` must outlive it.
  explicit RankRows(const SharedRows& rows)
      : rows_(rows.ranks.size() > 1 ? &rows : nullptr),
        elements_(rows_ == nullptr ? nullptr : std::make_shared<const ElementRows>(rows)) {}

  [[nodiscard]] bool is_shared() const { return rows_ != nullptr; }
  [[nodiscard]] comm::Communicator ranks() const {
    return rows_ == nullptr ? comm::Communicator::self() : rows_->ranks;
  }
  /// The number among those of all ranks of a row of this one, or how many there are.
  [[nodiscard]] std::int64_t number(Eigen::Index row) const {
    return rows_ == nullptr ? row : rows_->number[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] Eigen::Index total(Eigen::Index own) const { return rows_ == nullptr ? own : rows_->total(); }

  /// Adds up over ranks, in place. Table: a matrix or vector of Eigen's, double or complex.
  template <class Table>
  void add(Table& sums) const {
    if (rows_ == nullptr) return;
    constexpr std::size_t numbers = sizeof(typename Table::Scalar) / sizeof(double);
    rows_->ranks.sum_in_place(
        std::span<double>(reinterpret_cast<double*>(sums.data()), numbers * static_cast<std::size_t>(sums.size())));
  }

  /// Values with those of rows that other ranks own set to zero: a^H x of all ranks is a^H own(x), added.
  template <class Table>
  [[nodiscard]] Table own(Table values) const {
    for (Eigen::Index i = 0; rows_ != nullptr && i < values.rows(); ++i)
      if (!rows_->is_own(rows_->number[static_cast<std::size_t>(i)])) values.row(i).setZero();
    return values;
  }

  /// Norms of columns of values.
  template <class Table>
  [[nodiscard]] Eigen::VectorXd norms(const Table& values) const {
    if (rows_ == nullptr) return values.colwise().norm().transpose();
    Eigen::VectorXd squares = own(values).colwise().squaredNorm().transpose();
    add(squares);
    return squares.cwiseSqrt();
  }
  /// Of a vector of contributions.
  [[nodiscard]] double norm_of_sum(const std::vector<Complex>& contributions) const {
    const auto norm = [](const std::vector<Complex>& x) {
      return Eigen::Map<const Eigen::VectorXcd>(x.data(), static_cast<Eigen::Index>(x.size())).norm();
    };
    if (rows_ == nullptr) return norm(contributions);
    const double length = norm(elements_->sum(contributions));
    return std::sqrt(rows_->ranks.sum(length * length));
  }

 private:
  const SharedRows* rows_ = nullptr;
  std::shared_ptr<const ElementRows> elements_;
};

}  // namespace tetrawave::fem
