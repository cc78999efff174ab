// BiCGStab: H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631, preconditioned from the right, so that the
// residual is that of the system itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fem/solvers/approximate_inverse.hpp"
#include "fem/sparse/blocked_vectors.hpp"
#include "fem/sparse/row_product.hpp"

namespace tetrawave::fem {

struct IterationLimits {
  double tolerance = 0;  ///< ||b - A x|| / ||b||
  std::int64_t most = 0;
};

enum class IterationEnd { converged, limit, breakdown };

/// ||r|| / ||b|| in the course of an iteration. Long ones are thinned out.
class ResidualHistory {
 public:
  static constexpr std::size_t most = 1024;

  /// The next iteration's, at first that of the initial x.
  void add(double residual);
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] std::int64_t stride() const { return stride_; }  ///< iterations between values

 private:
  std::vector<double> values_;
  std::int64_t stride_ = 1;
  std::int64_t count_ = 0;
};

struct IterationOutcome {
  IterationEnd end = IterationEnd::converged;
  std::int64_t iterations = 0;  ///< of two products each
  double residual = 0;          ///< reached, from x itself
};

/// Iterations with one matrix and preconditioner, which must outlive this.
template <class T>
class BiCgStab {
 public:
  /// Norms are sqrt(sum of weight_i |r_i|^2); no weights: 1. `ranks`: of vectors that ranks share out.
  BiCgStab(RowProduct<T>& matrix, ApproximateInverse<T>& inverse, const std::vector<double>& weights, ThreadTeam& team,
           std::size_t rows, RankSums* ranks = nullptr);

  /// A x = b from x. Restarts from x if r and its shadow become orthogonal, or if the recursive residual has drifted
  /// from that of x. Adds its residuals to `history`.
  [[nodiscard]] IterationOutcome solve(const IterationLimits& limits, const std::vector<T>& b, std::vector<T>& x,
                                       ResidualHistory& history);

  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(7 * sizeof(T) * vectors_.size()); }

 private:
  enum class Step { on, small, broken };

  [[nodiscard]] double norm(const std::vector<T>& v);
  void start(const std::vector<T>& b, const std::vector<T>& x);
  [[nodiscard]] Step iterate(double target, std::vector<T>& x);
  [[nodiscard]] bool advance_direction();
  [[nodiscard]] bool advance_minimum(std::vector<T>& x);
  [[nodiscard]] double weight(std::size_t i) const { return weights_.empty() ? 1. : weights_[i]; }

  RowProduct<T>& matrix_;
  ApproximateInverse<T>& inverse_;
  const std::vector<double>& weights_;
  BlockedVectors vectors_;
  std::vector<T> r_, shadow_, p_, v_, t_, p_hat_, r_hat_;
  double norm_ = 0;          // of r_, weighted
  double plain_square_ = 0;  // of r_, not weighted
  double shadow_square_ = 0;
  T rho_{};  // (shadow, r)
  T alpha_{};
};

}  // namespace tetrawave::fem
