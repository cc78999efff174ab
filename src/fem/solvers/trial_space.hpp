// The space in which eigenvectors are sought: a basis that grows by blocks, and matrices projected on it.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/parallel.hpp"
#include "fem/solvers/eigen_solver.hpp"
#include "fem/solvers/orthogonal.hpp"

namespace tetrawave::fem {

using Column = std::vector<Complex>;
using Columns = std::vector<Column>;

/// An orthonormal basis V, and V^T A_q V of all terms and of the curls. As A = A^T, left eigenvectors are conjugate
/// right ones: eigenvalues are right to second order. Ranks that share out the rows have values of vectors and
/// contributions to images (RankRows).
class TrialSpace {
 public:
  virtual ~TrialSpace() = default;
  [[nodiscard]] virtual Eigen::Index size() const = 0;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
  /// Takes vectors up, but for what the space has already.
  virtual void extend(const Columns& vectors) = 0;
  /// An orthonormal basis of what vectors have beside the space and one another.
  [[nodiscard]] virtual Columns orthonormal(const Columns& vectors) const = 0;
  [[nodiscard]] virtual Eigen::MatrixXcd matrix(const std::vector<Complex>& weights) const = 0;
  [[nodiscard]] virtual const Eigen::MatrixXcd& curls() const = 0;
  /// V y of columns y.
  [[nodiscard]] virtual Columns expand(const Eigen::MatrixXcd& y) const = 0;
  /// sum_q weights[k][q] A_q x_k
  [[nodiscard]] virtual Columns products(const std::vector<std::vector<Complex>>& weights, const Columns& x) const = 0;
  [[nodiscard]] virtual Columns curls_of(const Columns& x) const = 0;
  /// Of images of vectors.
  [[nodiscard]] virtual double length_of(const Column& image) const = 0;
};

/// T: double where all matrices are real and so are all vectors that it is given, else Complex.
template <class T>
class TrialSpaceOf final : public TrialSpace {
 public:
  TrialSpaceOf(const MatrixFunction& function, int threads, RankRows rows)
      : pattern_(*function.curls.pattern), threads_(threads), rows_(std::move(rows)) {
    for (const auto& term : function.terms) terms_.push_back(term.values);
    terms_.push_back(function.curls.values);
    reduced_.resize(terms_.size());
    if constexpr (std::is_same_v<T, double>)
      for (const auto term : terms_) parts_.push_back(numbers(term));
  }

  [[nodiscard]] Eigen::Index size() const override { return count_; }
  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>(static_cast<std::size_t>(basis_.size()) * sizeof(T));
  }

  void extend(const Columns& vectors) override {
    constexpr double held = 1e-7;
    Table block = beside(vectors, held);
    const Eigen::Index width = std::min(block.cols(), rows_.total(block.rows()) - count_), all = count_ + width;
    if (width == 0) return;
    make_room(basis_, block.rows(), all);
    basis_.middleCols(count_, width) = block.leftCols(width);
    for (std::size_t q = 0; q < terms_.size(); ++q) {
      Eigen::MatrixXcd entries =
          (basis_.leftCols(all).transpose() * product(q, block.leftCols(width))).template cast<Complex>();
      rows_.add(entries);
      reduced_[q].conservativeResize(all, all);
      reduced_[q].rightCols(width) = entries;
      reduced_[q].bottomRows(width) = entries.transpose();
    }
    count_ = all;
  }

  [[nodiscard]] Columns orthonormal(const Columns& vectors) const override {
    constexpr double nothing = 1e-12;
    return columns(beside(vectors, nothing));
  }

  [[nodiscard]] Eigen::MatrixXcd matrix(const std::vector<Complex>& weights) const override {
    Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(count_, count_);
    for (std::size_t q = 0; q < weights.size(); ++q) sum += weights[q] * reduced_[q];
    return sum;
  }
  [[nodiscard]] const Eigen::MatrixXcd& curls() const override { return reduced_.back(); }

  [[nodiscard]] Columns expand(const Eigen::MatrixXcd& y) const override {
    if constexpr (std::is_same_v<T, double>)
      return columns(Table(basis_.leftCols(y.rows()) * y.real()));
    else
      return columns(Table(basis_.leftCols(y.rows()) * y));
  }

  [[nodiscard]] Columns products(const std::vector<std::vector<Complex>>& weights, const Columns& x) const override {
    Columns sums(x.size(), Column(static_cast<std::size_t>(pattern_.rows()), Complex(0)));
    if (x.empty()) return sums;
    const Table block = table(x);
    for (std::size_t q = 0; q + 1 < terms_.size(); ++q) {
      const Rows image = product(q, block);
      for (std::size_t k = 0; k < x.size(); ++k)
        for (std::size_t i = 0; i < sums[k].size(); ++i)
          sums[k][i] += weights[k][q] * image(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
    }
    return sums;
  }

  [[nodiscard]] Columns curls_of(const Columns& x) const override {
    return columns(product(terms_.size() - 1, table(x)));
  }

  [[nodiscard]] double length_of(const Column& image) const override { return rows_.norm_of_sum(image); }

 private:
  using Table = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  [[nodiscard]] static std::vector<T> numbers(std::span<const Complex> values) {
    std::vector<T> result(values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      if constexpr (std::is_same_v<T, double>)
        result[k] = values[k].real();
      else
        result[k] = values[k];
    return result;
  }

  [[nodiscard]] Table table(const Columns& vectors) const {
    Table block(pattern_.rows(), static_cast<Eigen::Index>(vectors.size()));
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      const std::vector<T> column = numbers(vectors[k]);
      block.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const Eigen::Matrix<T, -1, 1>>(column.data(), block.rows());
    }
    return block;
  }

  template <class Block>
  [[nodiscard]] static Columns columns(const Block& block) {
    Columns result(static_cast<std::size_t>(block.cols()), Column(static_cast<std::size_t>(block.rows())));
    for (std::size_t k = 0; k < result.size(); ++k)
      for (std::size_t i = 0; i < result[k].size(); ++i)
        result[k][i] = block(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
    return result;
  }

  /// Twice, as once leaves rounding errors of the size of what was taken off.
  [[nodiscard]] Table beside(const Columns& vectors, double least) const {
    Table block = table(vectors);
    Eigen::VectorXd sizes = rows_.norms(block);
    Eigen::Index width = 0;
    for (int pass = 0; pass < 2; ++pass) {
      if (count_ > 0) {
        Table parts = rows_.is_shared() ? Table(basis_.leftCols(count_).adjoint() * rows_.own(block))
                                        : Table(basis_.leftCols(count_).adjoint() * block);
        rows_.add(parts);
        block -= basis_.leftCols(count_) * parts;
      }
      width = 0;
      for (Eigen::Index k = 0; k < block.cols(); ++k) {
        Eigen::Matrix<T, -1, 1> x = block.col(k), unused;
        orthogonalise(block, width, x, unused, rows_);
        const double size = rows_.norms(x)[0];
        if (!(size > least * sizes[k])) continue;
        block.col(width++) = x / size;
      }
      block.conservativeResize(Eigen::NoChange, width);
      sizes.setConstant(width, 0);
    }
    return block;
  }

  [[nodiscard]] std::span<const T> term_values(std::size_t term) const {
    if constexpr (std::is_same_v<T, double>)
      return parts_[term];
    else
      return terms_[term];
  }

  /// A term times columns, some of them at a time.
  template <class Block>
  [[nodiscard]] Rows product(std::size_t term, const Block& columns_of_x) const {
    constexpr Eigen::Index together = 8;
    const Eigen::Index width = columns_of_x.cols();
    const Rows x = columns_of_x;
    Rows y(x.rows(), width);
    const std::span<const T> values = term_values(term);
    for_each_index(static_cast<std::size_t>(x.rows()), threads_, [&](std::size_t row) {
      for (Eigen::Index from = 0; from < width; from += together) {
        const Eigen::Index some = std::min(together, width - from);
        std::array<T, together> sum{};
        for (std::int64_t k = pattern_.first[row]; k < pattern_.first[row + 1]; ++k) {
          const T value = values[static_cast<std::size_t>(k)];
          const T* entries = x.data() + pattern_.column[static_cast<std::size_t>(k)] * width + from;
          for (Eigen::Index c = 0; c < some; ++c) sum[static_cast<std::size_t>(c)] += value * entries[c];
        }
        for (Eigen::Index c = 0; c < some; ++c)
          y(static_cast<Eigen::Index>(row), from + c) = sum[static_cast<std::size_t>(c)];
      }
    });
    return y;
  }

  const CsrPattern& pattern_;
  int threads_;
  RankRows rows_;
  std::vector<std::span<const Complex>> terms_;  ///< the last: of curls
  std::vector<std::vector<T>> parts_;            ///< of them, where T is real
  Table basis_;                                  ///< columns beyond `count_` are room
  Eigen::Index count_ = 0;
  std::vector<Eigen::MatrixXcd> reduced_;
};

[[nodiscard]] inline std::unique_ptr<TrialSpace> make_trial_space(const MatrixFunction& function, int threads,
                                                                  const RankRows& rows) {
  if (function.is_real && function.is_quadratic) return std::make_unique<TrialSpaceOf<double>>(function, threads, rows);
  return std::make_unique<TrialSpaceOf<Complex>>(function, threads, rows);
}

}  // namespace tetrawave::fem
