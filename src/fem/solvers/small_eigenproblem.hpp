// Eigenvalues of a small dense matrix that depends on a complex number, nearest a real one.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <functional>
#include <vector>

namespace tetrawave::fem {

/// R(u) y = 0, |y| = 1.
struct SmallPair {
  std::complex<double> value;  ///< u
  Eigen::VectorXcd vector;     ///< y
};

/// R(u) = R(u)^T, analytic in u, Re u > 0.
struct SmallEigenproblem {
  std::function<Eigen::MatrixXcd(std::complex<double> u)> matrix;
  std::function<Eigen::MatrixXcd(std::complex<double> u)> derivative;
  bool is_quadratic = false;  ///< R = K - u^2 M
  bool is_real = false;       ///< R(u) for real u; M is positive definite
  /// Eigenvectors that are no solutions; they are left out.
  std::function<bool(const Eigen::VectorXcd& y)> is_spurious;
};

/// The eigenpairs nearest `target` with Im u <= Re u (others decay before they turn round once: Q < 1/2), `count` of
/// them if there are as many, in this order; eigenvalues that are several
/// times there with as many independent vectors. Those of the pencil of R and dR/du^2 at `shift` start Newton's
/// iteration on R, and so do the vectors of `known`.
[[nodiscard]] std::vector<SmallPair> solve_small(const SmallEigenproblem& problem, double shift, double target,
                                                 std::size_t count, const std::vector<SmallPair>& known);

/// The number of eigenvalues in a disc, whose circle is at some distance from all of them: by the turns of det R along
/// it (the argument principle), of which those of the `known` ones are taken off before and added again: near the
/// circle they are sharp.
[[nodiscard]] int count_in_disc(const SmallEigenproblem& problem, double centre, double radius,
                                const std::vector<SmallPair>& known);

}  // namespace tetrawave::fem
