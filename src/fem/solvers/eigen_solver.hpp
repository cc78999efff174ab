// Eigenvalues of a sparse symmetric matrix that depends on a complex number, nearest a real one: resonances of
// finite-element systems (theory/eigenmodes).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fem/solvers/direct_solver.hpp"
#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/solver_options.hpp"

namespace tetrawave::fem {

/// A(u) = sum_q weights(u)[q] terms[q], A = A^T, analytic in u for Re u > 0.
struct MatrixFunction {
  std::vector<CsrMatrix<Complex>> terms;
  std::function<std::vector<Complex>(Complex u)> weights;
  /// The part of A(u), at some u, that all curl-free fields are in the kernel of. These are no resonances: without
  /// losses they are solutions at u = 0.
  CsrMatrix<Complex> curls;
  bool is_real = false;       ///< A(u) for real u
  bool is_quadratic = false;  ///< A = K - u^2 M
};

struct EigenOptions {
  std::size_t count = 1;
  double target = 1;
  double shift = 1;         ///< where A is factorised, near the target; no eigenvalue
  double tolerance = 1e-8;  ///< of residuals
  int max_steps = 100;
  SolverMachine machine{1};
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
  double counted_within = 0;      ///< this distance from the target
  std::int64_t counted = 0;       ///< eigenvalues there, as counted; inertia: on the real axis
  std::int64_t found_within = 0;  ///< of those found, as many as counted if none is missing
};

/// Rayleigh-Ritz on a growing space: block Krylov of A(shift)^-1, extended by A(shift)^-1 A(u) x of Ritz pairs whose
/// residual is too large. Throws UserError: as LinearSolver; unstable (76) where residuals stay above the tolerance.
[[nodiscard]] EigenOutcome find_eigenpairs(const MatrixFunction& function, const SolverOptions& solver,
                                           const EigenOptions& options);

}  // namespace tetrawave::fem
