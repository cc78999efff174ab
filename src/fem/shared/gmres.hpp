// GMRES: Y. Saad and M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856, preconditioned from the right, so that the
// residual is that of the system itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/bicgstab.hpp"
#include "fem/sparse/blocked_vectors.hpp"
#include "fem/sparse/row_product.hpp"

namespace tetrawave::fem {

/// Iterations with one matrix and preconditioner, which must outlive this, over the vectors of several ranks.
template <class T>
class Gmres {
 public:
  static constexpr std::size_t restart = 200;  ///< vectors that are kept at most, then it starts again from x

  Gmres(RowProduct<T>& matrix, ApproximateInverse<T>& inverse, ThreadTeam& team, std::size_t rows, RankSums& ranks);

  /// Solves A x = b from the initial guess `x`; appends the residuals to `history`. Collective.
  [[nodiscard]] IterationOutcome solve(const IterationLimits& limits, const std::vector<T>& b, std::vector<T>& x,
                                       ResidualHistory& history);

  [[nodiscard]] std::int64_t bytes() const {
    return static_cast<std::int64_t>(sizeof(T) * (basis_.size() + 2) * vectors_.size());
  }

 private:
  [[nodiscard]] double norm(const std::vector<T>& v);
  [[nodiscard]] std::vector<T> project(std::vector<T>& v, std::size_t count);
  [[nodiscard]] std::size_t grow(double target, double beta, std::int64_t most, double norm_b,
                                 ResidualHistory& history);
  void update(std::size_t count, std::vector<T>& x);

  RowProduct<T>& matrix_;
  ApproximateInverse<T>& inverse_;
  RankSums& ranks_;
  BlockedVectors vectors_;
  std::vector<std::vector<T>> basis_;    ///< of the Krylov space, orthonormal
  std::vector<std::vector<T>> columns_;  ///< of the upper triangle to which rotations reduce the Hessenberg matrix
  std::vector<T> side_;                  ///< the projected right-hand side, rotated likewise
  std::vector<T> work_, preconditioned_;
};

}  // namespace tetrawave::fem
