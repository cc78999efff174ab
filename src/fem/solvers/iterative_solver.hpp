// BiCGStab with the scaling, the preconditioner and the format given in the case.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fem/solvers/bicgstab.hpp"
#include "fem/sparse/diagonal_scaling.hpp"

namespace tetrawave::fem {

template <class T>
class IterativeSolver {
 public:
  /// The pattern, the subspace and the team must outlive the solver.
  IterativeSolver(const SolverSpec& spec, const CsrPattern& pattern, const Subspace& coarse, ThreadTeam& team);
  IterativeSolver(const IterativeSolver&) = delete;
  IterativeSolver& operator=(const IterativeSolver&) = delete;

  /// Scales and converts the matrix, which must outlive its use, and makes the preconditioner, or keeps what is dear of
  /// that of another matrix as long as it serves. Throws UserError (unstable) if there is none.
  void prepare(const CsrMatrix<T>& matrix);

  /// A x = b from x; returns the number of iterations. Throws UserError (unstable) if it does not converge.
  std::int64_t solve(const std::vector<T>& b, std::vector<T>& x);
  /// Of the last `solve`.
  [[nodiscard]] const ResidualHistory& history() const { return history_; }
  /// Whether the preconditioner is that of the last matrix, not of one before it.
  [[nodiscard]] bool is_fresh() const { return is_fresh_; }

  /// A few iterations from x, without a check of convergence.
  void iterate(const std::vector<T>& b, std::vector<T>& x, std::int64_t count);

  [[nodiscard]] std::int64_t bytes() const;

 private:
  [[nodiscard]] IterationOutcome run(const std::vector<T>& b, std::vector<T>& x);
  void judge(const IterationOutcome& outcome);

  SolverSpec spec_;
  std::vector<std::int64_t> diagonal_;
  CsrMatrix<T> scaled_;
  DiagonalScaling<T> scaling_;
  std::unique_ptr<RowProduct<T>> product_;
  std::unique_ptr<ApproximateInverse<T>> inverse_;
  std::vector<double> weights_;  // of squares in norms
  BiCgStab<T> iteration_;
  std::vector<T> right_hand_side_;  // scaled
  const CsrMatrix<T>* solved_ = nullptr;
  ResidualHistory history_;
  bool is_fresh_ = false;
  bool serves_ = false;    // for the next matrix
  double fresh_pace_ = 0;  // iterations for each digit of the residual, with the matrix that it was made for
};

}  // namespace tetrawave::fem
