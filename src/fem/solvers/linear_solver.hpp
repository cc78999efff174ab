// Solves sparse symmetric systems, complex ones of the frequency domain and real ones, by the method given in the case.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/bicgstab.hpp"
#include "fem/solvers/direct_solver.hpp"
#include "fem/sparse/device_matrix.hpp"
#include "fem/sparse/solver_options.hpp"
#include "fem/sparse/subspace.hpp"

namespace tetrawave::fem {

/// Statistics of the solution of one system.
struct LinearFigures {
  std::vector<std::int64_t> iterations;  ///< per right-hand side; 0 with `direct`
  std::vector<double> residual;          ///< ||b - A x|| / ||b|| per right-hand side, computed from x; 0 for b = 0
  std::vector<ResidualHistory> history;  ///< per right-hand side; empty with `direct`
  bool made_preconditioner = true;       ///< or factors, for this matrix; else those of another one have served
  double seconds_preprocess = 0;         ///< scaling, preconditioner or factorisation, conversion of formats
  double seconds_solve = 0;
  std::int64_t bytes = 0;  ///< estimate: matrix, preconditioner or factors, and vectors
};

/// Predicted cost of solving systems with a matrix.
struct LinearEstimate {
  double seconds_preprocess = 0;  ///< factorisation, from its operations; for an iteration, as measured
  double seconds_solve = 0;       ///< of a right-hand side with `direct`, else of one iteration for it
  double factor_entries = 0;      ///< with `direct`
  std::int64_t bytes = 0;         ///< as in LinearFigures
};

/// Solves systems of one pattern. Not for several threads at a time; has its own threads. T: double or Complex.
///
/// Factors in double precision are followed by one step of iterative refinement, those in single precision
/// (`solver.precision: mixed`) by as many as reach the accuracy of double ones (theory/direct-solvers). With a matrix
/// on a device the residuals are found there, and factors and iterations of that device take the values where they are.
///
/// Of several ranks the first has the matrix, the right-hand sides, the solutions and the figures; with `direct` the
/// others share the factors and the work. All calls, including the constructor and the destructor, are collective, in
/// which the others pass an empty pattern, a matrix of it and as many empty vectors. Errors are the same on all ranks.
template <class T>
class LinearSolver {
 public:
  /// `pattern` must outlive the solver. Work that depends on it alone is done once for all matrices. Throws UserError
  /// (unavailable) for method `direct` in a build without MUMPS. `coarse` is that of p-multigrid; `inverse`: of an
  /// iteration on the host, in place of the preconditioner that the options name.
  LinearSolver(const SolverOptions& spec, const SolverMachine& machine, const CsrPattern& pattern,
               MatrixKind kind = MatrixKind::symmetric, const comm::Communicator& ranks = comm::Communicator::self(),
               Subspace coarse = {}, std::unique_ptr<ApproximateInverse<T>> inverse = nullptr);
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;

  /// Begins with the work that depends on the pattern alone beside the caller's, where the solver can.
  void begin_analysis();
  /// Seconds of the parts of the work of a direct solver, by name, where it knows them.
  [[nodiscard]] std::vector<std::pair<std::string, double>> parts() const;

  /// A x = b for every right-hand side b; x: as many vectors, on entry the initial guess (may be zero), on return the
  /// solutions. Iterations stop at ||b - A x|| <= tolerance ||b||. Throws UserError: unstable (76) if an iteration does
  /// not converge or breaks down, or the matrix is singular or not of its kind; out_of_memory (71) from the
  /// factorisation. Without right-hand sides it only prepares the solver.
  LinearFigures solve(const CsrMatrix<T>& matrix, const std::vector<std::vector<T>>& right_hand_sides,
                      std::vector<std::vector<T>>& x);
  /// Estimates the cost of solving with this matrix and as many right-hand sides like `b`, without solving: for factors
  /// only the analysis is done, and their time is scaled from a small system by operations; an iteration is run for a
  /// few steps. Throws like `solve`. On one rank.
  LinearEstimate estimate(const CsrMatrix<T>& matrix, const std::vector<T>& b, std::size_t right_hand_sides);
  /// The same with the matrix of the last `solve`, which still exists, and its factors or preconditioner.
  LinearFigures solve_again(const std::vector<std::vector<T>>& right_hand_sides, std::vector<std::vector<T>>& x);
  /// A x = b with the matrix of the last `solve`, for time stepping: iterations from x as above, whose number is
  /// returned, or one substitution with the factors; factors in single precision are refined.
  std::int64_t solve_once(const std::vector<T>& b, std::vector<T>& x);
  /// Whether an iteration, or factors that alone are enough, are on a device that takes vectors there.
  [[nodiscard]] bool is_resident() const;
  /// `solve_once` with both vectors on the device; x holds the first guess of an iteration.
  std::int64_t solve_resident(const T* b, T* x);
  /// Whether factors take columns on their device.
  [[nodiscard]] bool has_resident_factors() const;
  /// `solve_again` of those, refined unless all their residuals are `enough`. Throws like it.
  LinearFigures solve_resident(const ResidentColumns<T>& columns, double enough);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether MUMPS was built in.
[[nodiscard]] bool has_direct_solver();

}  // namespace tetrawave::fem
