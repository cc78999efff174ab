// Solves one sparse symmetric system whose rows, vectors and right-hand sides ranks share out (theory/ranks).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fem/shared/shared_product.hpp"
#include "fem/solvers/linear_solver.hpp"

namespace tetrawave::fem {

/// The share of a rank in a system.
struct RankShareFigures {
  std::int64_t rows = 0;      ///< that it owns
  std::int64_t ghosts = 0;    ///< rows of other ranks whose values it takes for a product
  std::int64_t nonzeros = 0;  ///< of its rows
  std::int64_t bytes = 0;     ///< estimate: matrices, factors or preconditioner, vectors
};

/// Whether ranks that share out a system iterate on devices: BiCGStab with none, jacobi and ssor-ai.
[[nodiscard]] bool is_on_device(const SolverOptions& spec, const SolverMachine& machine);

/// As LinearSolver, for systems that ranks assemble from their elements: each passes the pattern and the matrix of its
/// own elements, its contributions to right-hand sides, and gets the solution in all rows of its elements. All calls
/// are collective, with errors that are the same on all ranks.
///
/// `direct`: one factorisation by MUMPS over all ranks. Iterations: GMRES with restarts, or BiCGStab, of each rank's
/// rows on its device where `is_on_device`.
template <class T>
class SharedSolver {
 public:
  /// A preconditioner of the case's own: the matrix given to `set_matrix` is that of this rank's elements, vectors have
  /// own rows; all its calls are collective. `rows` and `elements` must outlive the solver, and are not moved.
  SharedSolver(const SolverOptions& spec, const SolverMachine& machine, const CsrPattern& elements, MatrixKind kind,
               const SharedRows& rows, std::unique_ptr<ApproximateInverse<T>> preconditioner = nullptr);
  ~SharedSolver();
  SharedSolver(SharedSolver&&) noexcept;
  SharedSolver& operator=(SharedSolver&&) noexcept;

  LinearFigures solve(const CsrMatrix<T>& matrix, const std::vector<std::vector<T>>& contributions,
                      std::vector<std::vector<T>>& x);
  LinearFigures solve_again(const std::vector<std::vector<T>>& contributions, std::vector<std::vector<T>>& x);
  /// As LinearSolver::solve_once.
  std::int64_t solve_once(const std::vector<T>& contributions, std::vector<T>& x);
  /// Whether `solve_resident` takes vectors that are on the device of an iteration.
  [[nodiscard]] bool is_resident() const;
  /// As `solve_once`, with vectors there.
  std::int64_t solve_resident(const T* contributions, T* x);
  /// As LinearSolver::estimate; bytes are those of the rank with the largest need.
  LinearEstimate estimate(const CsrMatrix<T>& matrix, const std::vector<T>& contributions,
                          std::size_t right_hand_sides);

  /// Nonzeros of the whole matrix.
  [[nodiscard]] std::int64_t nonzeros() const;
  /// The share of this rank, after a solution.
  [[nodiscard]] RankShareFigures share() const;
  /// Parts of the time of all iterations so far.
  [[nodiscard]] const SharedSeconds& seconds() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tetrawave::fem
