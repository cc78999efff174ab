// MUMPS' one door: complex symmetric factors of a sparse matrix, on this rank alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fem/csr_matrix.hpp"

namespace tetrawave::fem {

/// A = L D L^T with pivoting (P. R. Amestoy et al., SIAM J. Matrix Anal. Appl. 23 (2001) 15; MUMPS Users' guide 5.5).
class DirectSolver {
 public:
  /// Nothing is done yet. Throws UserError (unavailable) in a build without MUMPS. The pattern outlives the solver.
  explicit DirectSolver(const CsrPattern& pattern);
  ~DirectSolver();
  DirectSolver(const DirectSolver&) = delete;
  DirectSolver& operator=(const DirectSolver&) = delete;

  /// Factors of this matrix; the order of elimination is found with the first. Throws UserError: unstable when the
  /// matrix is singular, out_of_memory.
  void factorise(const CsrMatrix& matrix);

  /// Right-hand sides one after the other, `count` of them, become solutions.
  void solve(std::vector<Complex>& columns, std::int32_t count);

  /// Of the factors and their work space, as MUMPS has counted it (whole megabytes).
  [[nodiscard]] std::int64_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// MUMPS with its version, or "MUMPS not built in".
[[nodiscard]] std::string describe_direct_solver();

}  // namespace tetrawave::fem
