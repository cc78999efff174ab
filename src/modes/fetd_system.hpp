// The linear systems of mode fetd: unknowns of a mesh, walls, and one symmetric positive definite matrix, of which a
// march solves a system a step.
#pragma once

#include <optional>
#include <vector>

#include "fem/edge_assembly.hpp"
#include "fem/linear_solver.hpp"
#include "march/problem.hpp"

namespace tetrawave::modes {

/// What the systems have taken so far.
struct FetdFigures {
  std::int64_t unknowns = 0;
  std::int64_t nonzeros = 0;
  std::int64_t solves = 0;
  std::int64_t iterations = 0;  ///< of all solves; 0 with the direct solver
  double seconds_assembly = 0;
  double seconds_preprocess = 0;
  double seconds_solve = 0;
  std::int64_t solver_bytes = 0;
};

class FetdSystem {
 public:
  /// The problem outlives it. Throws UserError: unavailable without a direct solver that the case asks for, bad_case
  /// where all edges lie on metal.
  FetdSystem(const march::Problem& problem, const SolverSpec& solver, int threads);

  [[nodiscard]] const fem::EdgeSpace& space() const { return space_; }
  /// Faces with terms in the matrix, sheets from one of their sides, and their boundary tags.
  [[nodiscard]] const std::vector<fem::ElementFace>& walls() const { return walls_; }
  [[nodiscard]] const std::vector<std::int32_t>& tags() const { return tags_; }
  [[nodiscard]] std::size_t unknowns() const { return static_cast<std::size_t>(space_.unknowns); }

  /// Takes up a matrix: coefficients of kinds of elements, factors of walls [1/m].
  void set_matrix(const std::vector<fem::EdgeCoefficients<double>>& coefficients, const std::vector<std::int32_t>& kind,
                  const std::vector<double>& factors);
  /// x, which is where an iteration starts, becomes the solution. Throws UserError (unstable) without convergence.
  void solve(const std::vector<double>& side, std::vector<double>& x);

  /// Dofs of an element, n.
  void gather(std::size_t element, const std::vector<double>& x, double* dofs) const;

  [[nodiscard]] const FetdFigures& figures() const { return figures_; }

 private:
  void list_walls();

  const march::Problem& problem_;
  fem::EdgeSpace space_;
  std::vector<fem::ElementFace> walls_;
  std::vector<std::int32_t> tags_;
  std::optional<fem::EdgeAssembly> assembly_;
  std::optional<fem::LinearSolver<double>> solver_;
  fem::CsrMatrix<double> matrix_;
  FetdFigures figures_;
};

}  // namespace tetrawave::modes
