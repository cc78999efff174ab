// The only access to MUMPS: symmetric factors of a sparse matrix, real or complex.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem {

/// Predicted cost of the factors of a matrix, from MUMPS' analysis of its pattern.
struct FactorPlan {
  double operations = 0;   ///< floating-point operations of the factorisation
  double entries = 0;      ///< of the factors
  std::int64_t bytes = 0;  ///< on the rank with the largest need (whole megabytes)
};

/// A = L D L^T with pivoting (P. R. Amestoy et al., SIAM J. Matrix Anal. Appl. 23 (2001) 15; MUMPS Users' guide 5.5),
/// without pivoting if A is positive definite. T: double or Complex.
///
/// Of several ranks the first has the matrix, the right-hand sides and the solutions; the others share the factors and
/// the work: all calls, including the constructor and the destructor, are collective, in which the others pass an empty
/// pattern, an empty matrix and empty columns. Errors are the same on all ranks.
template <class T>
class DirectSolver {
 public:
  /// Does no work yet. Throws UserError (unavailable) in a build without MUMPS. The pattern must outlive the solver.
  DirectSolver(const CsrPattern& pattern, MatrixKind kind, const comm::Communicator& ranks);
  ~DirectSolver();
  DirectSolver(const DirectSolver&) = delete;
  DirectSolver& operator=(const DirectSolver&) = delete;

  /// Finds the order of elimination, once for all matrices of the pattern. Throws UserError (out_of_memory) if the host
  /// does not have the memory for the factors.
  FactorPlan analyse();

  /// Factors of this matrix; the order of elimination is found with the first. Throws UserError: unstable if the matrix
  /// is singular, or not positive definite though its kind says so; out_of_memory.
  void factorise(const CsrMatrix<T>& matrix);

  /// Replaces `count` consecutive right-hand sides by solutions.
  void solve(std::vector<T>& columns, std::int32_t count);

  /// Of a real matrix as last factorised: how many of its eigenvalues are negative (Sylvester).
  [[nodiscard]] std::int64_t negative_pivots() const;

  /// Memory of factors and workspace on the rank with the largest need, as reported by MUMPS (whole megabytes).
  [[nodiscard]] std::int64_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// MUMPS with its version, or "MUMPS not built in".
[[nodiscard]] std::string describe_direct_solver();

}  // namespace tetrawave::fem
