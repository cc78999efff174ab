// Eigenvalues of a sparse symmetric matrix that depends on a complex number, nearest a real one: resonances of
// finite-element systems (theory/eigenmodes).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fem/solvers/direct_solver.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/shared_rows.hpp"
#include "fem/sparse/solver_options.hpp"

namespace tetrawave::fem {

/// A(u) = sum_q weights(u)[q] terms[q], A = A^T, analytic in u for Re u > 0. Of several ranks each has the matrices of
/// its own elements; `weights` are the same on all, and collective.
struct MatrixFunction {
  std::vector<CsrMatrix<Complex>> terms;
  std::function<std::vector<Complex>(Complex u)> weights;
  /// The part of A(u), at some u, that all curl-free fields are in the kernel of. These are no resonances: without
  /// losses they are solutions at u = 0.
  CsrMatrix<Complex> curls;
  std::vector<double> branches;  ///< real u where A has a branch point: a count stays away from them
  bool is_real = false;          ///< A(u) for real u
  bool is_quadratic = false;     ///< A = K - u^2 M
};

/// Solves with the matrix given, or with that of the last call (nullptr): LinearSolver, or ranks that share out rows.
template <class T>
using FixedSolver = std::function<LinearFigures(const CsrMatrix<T>* matrix, const std::vector<std::vector<T>>& sides,
                                                std::vector<std::vector<T>>& x)>;
template <class T, class Solver>
[[nodiscard]] FixedSolver<T> fixed_solver(std::shared_ptr<Solver> solver) {
  return [solver](const auto* matrix, const auto& sides, auto& x) {
    return matrix == nullptr ? solver->solve_again(sides, x) : solver->solve(*matrix, sides, x);
  };
}

struct EigenOptions {
  std::size_t count = 1;
  double target = 1;
  double shift = 1;         ///< where A is factorised, near the target; no eigenvalue
  double tolerance = 1e-8;  ///< of residuals
  int max_steps = 100;
  SolverMachine machine{1};
  const SharedRows* shared = nullptr;  ///< of the rows of `terms`, where ranks share them out
  std::function<FixedSolver<double>()> make_real{};
  std::function<FixedSolver<Complex>()> make_complex{};
};

struct EigenPair {
  Complex value;                ///< u
  double residual = 0;          ///< ||A(u) x|| / ||K x||, K the part of curls
  std::vector<Complex> vector;  ///< x, of unit length
};

/// How it was found that none is missing.
enum class EigenCount { inertia, contour };

struct EigenOutcome {
  std::vector<EigenPair> pairs;  ///< by distance from the target, as many as were asked for if there are so many
  int steps = 0;
  std::int64_t solutions = 0;  ///< of systems with A(shift)
  std::int64_t vectors = 0;    ///< of the basis
  std::int64_t bytes = 0;      ///< of matrices, factors and basis
  EigenCount counted_by{};
  double counted_within = 0;      ///< this distance from the target; 0: could not be counted
  std::int64_t counted = 0;       ///< eigenvalues there, as counted; inertia: on the real axis
  std::int64_t found_within = 0;  ///< of those found, as many as counted if none is missing
};

/// Rayleigh-Ritz on a growing space: block Krylov of A(shift)^-1, extended by A(shift)^-1 A(u) x of Ritz pairs whose
/// residual is too large. Throws UserError: as LinearSolver; unstable (76) where residuals stay above the tolerance.
/// Collective, with the same outcome on all ranks: of vectors the rows of a rank's elements.
[[nodiscard]] EigenOutcome find_eigenpairs(const MatrixFunction& function, const EigenOptions& options);

}  // namespace tetrawave::fem
