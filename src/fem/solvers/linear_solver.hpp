// Solves sparse symmetric systems, complex ones of the frequency domain and real ones, as the case says.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "case/spec/frequency_spec.hpp"
#include "comm/communicator.hpp"
#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem {

/// What the solution of one system took.
struct LinearFigures {
  std::vector<std::int64_t> iterations;  ///< per right-hand side; 0 with `direct`
  std::vector<double> residual;          ///< ||b - A x|| / ||b|| per right-hand side, computed from x; 0 for b = 0
  double seconds_preprocess = 0;         ///< scaling, preconditioner or factorisation, conversion of formats
  double seconds_solve = 0;
  std::int64_t bytes = 0;  ///< estimate: matrix, preconditioner or factors, and vectors
};

/// What the solution of systems of a matrix is expected to take.
struct LinearEstimate {
  double seconds_preprocess = 0;  ///< factorisation, by its operations; of an iteration, as it took
  double seconds_solve = 0;       ///< of a right-hand side with `direct`, else of one iteration for it
  double factor_entries = 0;      ///< with `direct`
  std::int64_t bytes = 0;         ///< as LinearFigures has it
};

/// Solves systems of one pattern. Not for several threads at a time; has threads of its own. T: double or Complex.
///
/// Of several ranks the first has the matrix, the right-hand sides, the solutions and the figures; with `direct` the
/// others share the factors and the work. All calls, the constructor's and the destructor's too, are collectives, in
/// which the others give an empty pattern, a matrix of it and as many vectors, empty ones. Errors are the same on all
/// ranks.
template <class T>
class LinearSolver {
 public:
  /// `pattern` outlives the solver. What depends on it alone is done once for all matrices. Throws UserError
  /// (unavailable) for method `direct` in a build without MUMPS.
  LinearSolver(const SolverSpec& spec, int threads, const CsrPattern& pattern, MatrixKind kind = MatrixKind::symmetric,
               const comm::Communicator& ranks = comm::Communicator::self());
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;

  /// A x = b for every right-hand side b; x: as many vectors, on entry where to start (may be zero), on return the
  /// solutions. Iterations stop at ||b - A x|| <= tolerance ||b||. Throws UserError: unstable (76) when an iteration
  /// does not converge or breaks down, or the matrix is singular or not of its kind; out_of_memory (71) from the
  /// factorisation. Without right-hand sides it only makes the solver ready for them.
  LinearFigures solve(const CsrMatrix<T>& matrix, const std::vector<std::vector<T>>& right_hand_sides,
                      std::vector<std::vector<T>>& x);
  /// Estimates the cost of solving with this matrix and as many right-hand sides like `b`, without solving: for factors
  /// only the analysis is made, and their time is that of a small system by operations; an iteration is tried some
  /// times. Throws as `solve`. On one rank.
  LinearEstimate estimate(const CsrMatrix<T>& matrix, const std::vector<T>& b, std::size_t right_hand_sides);
  /// The same with the matrix of the last `solve`, which still is there, and its factors or preconditioner.
  LinearFigures solve_again(const std::vector<std::vector<T>>& right_hand_sides, std::vector<std::vector<T>>& x);
  /// A x = b with the matrix of the last `solve`, for marches, which ask for it at every step: iterations from x as
  /// above, whose number is returned, or one substitution with the factors, without a look at the residual.
  std::int64_t solve_once(const std::vector<T>& b, std::vector<T>& x);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether MUMPS was built in.
[[nodiscard]] bool has_direct_solver();

}  // namespace tetrawave::fem
