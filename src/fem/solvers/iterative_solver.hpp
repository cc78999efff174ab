// BiCGStab with the scaling, the preconditioner and the format given in the case.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fem/solvers/bicgstab.hpp"
#include "fem/solvers/diagonal_scaling.hpp"

namespace tetrawave::fem {

template <class T>
class IterativeSolver {
 public:
  /// The pattern and the team must outlive the solver.
  IterativeSolver(const SolverSpec& spec, const CsrPattern& pattern, ThreadTeam& team);
  IterativeSolver(const IterativeSolver&) = delete;
  IterativeSolver& operator=(const IterativeSolver&) = delete;

  /// Scales and converts the matrix, which must outlive its use, and makes the preconditioner. Throws UserError
  /// (unstable) if there is none.
  void prepare(const CsrMatrix<T>& matrix);

  /// A x = b from x; returns the number of iterations. Throws UserError (unstable) if it does not converge.
  std::int64_t solve(const std::vector<T>& b, std::vector<T>& x);

  /// A few iterations from x, without a check of convergence.
  void iterate(const std::vector<T>& b, std::vector<T>& x, std::int64_t count);

  [[nodiscard]] std::int64_t bytes() const;

 private:
  SolverSpec spec_;
  std::vector<std::int64_t> diagonal_;
  CsrMatrix<T> scaled_;
  DiagonalScaling<T> scaling_;
  std::unique_ptr<RowProduct<T>> product_;
  std::unique_ptr<ApproximateInverse<T>> inverse_;
  std::vector<double> weights_;  // of squares in norms
  BiCgStab<T> iteration_;
  std::vector<T> right_hand_side_;  // scaled
};

}  // namespace tetrawave::fem
