// The linear systems of mode fetd: unknowns of a mesh, walls, and one symmetric positive definite matrix, with one
// solution per step.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fem/assembly/edge_assembly.hpp"
#include "fem/device/resident_step.hpp"
#include "fem/edge/shared_space.hpp"
#include "fem/shared/shared_solver.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "march/interface/engine.hpp"

namespace tetrawave::modes {

/// Every rank has the unknowns of its elements and assembles their part of the matrix; ranks share out its rows and the
/// solution (fem/shared). All calls except const ones are collective.
class FetdSystem {
 public:
  /// The problem must outlive it. Throws UserError: unavailable without a direct solver requested by the case;
  /// bad_case, with the place of `boundaries`, if all edges are on metal.
  FetdSystem(const march::Problem& problem, const SolverOptions& solver, const Place& boundaries,
             const fem::SolverMachine& machine, const comm::Communicator& ranks);
  /// System of the functions with a trace on a surface, each of whose `faces` belongs to one element of one rank; those
  /// with a trace on `metal` are fixed. For masses of traces.
  FetdSystem(const march::Problem& problem, const std::vector<fem::ElementFace>& faces,
             const std::vector<fem::ElementFace>& metal, int threads, const comm::Communicator& ranks);

  /// Unknowns of this rank's elements.
  [[nodiscard]] const fem::EdgeSpace& space() const { return shared_.own; }
  /// Faces with terms in the matrix, sheets from one side, and their boundary tags.
  [[nodiscard]] const std::vector<fem::ElementFace>& walls() const { return walls_; }
  [[nodiscard]] const std::vector<std::int32_t>& tags() const { return tags_; }
  /// Outer and inner metal faces of this rank's elements.
  [[nodiscard]] const std::vector<fem::ElementFace>& metal() const { return metal_; }
  [[nodiscard]] std::size_t unknowns() const { return static_cast<std::size_t>(space().unknowns); }

  /// Sets the matrix: coefficients of kinds of elements, factors of walls [1/m].
  void set_matrix(const std::vector<fem::EdgeCoefficients<double>>& coefficients, const std::vector<std::int32_t>& kind,
                  const std::vector<double>& factors);
  /// The matrix of this rank's elements alone, without walls; of a device until the next call.
  [[nodiscard]] fem::CsrMatrix<double> assemble(const std::vector<fem::EdgeCoefficients<double>>& coefficients,
                                                const std::vector<std::int32_t>& kind);
  [[nodiscard]] bool iterates() const { return spec_.method == SolverMethod::bicgstab; }
  /// Of this rank's elements, as set.
  [[nodiscard]] const fem::CsrMatrix<double>& matrix() const { return matrix_; }
  /// Replaces x, the initial guess of an iteration, by the solution of this rank's unknowns for the sum of all ranks'
  /// right-hand sides. Throws UserError (unstable) if it does not converge.
  void solve(const std::vector<double>& side, std::vector<double>& x);

  /// Whether the solver takes vectors on its device, where steps are made, too: matrices that a device assembles stay
  /// there.
  [[nodiscard]] bool is_resident() const { return is_resident_; }
  void solve_resident(fem::ResidentStep& step);

  /// Dofs of an element, n.
  void gather(std::size_t element, const std::vector<double>& x, double* dofs) const;

  [[nodiscard]] const march::ImplicitFigures& figures() const { return figures_; }

 private:
  void make_solver(const fem::SolverMachine& machine);
  void assemble(const std::vector<fem::EdgeCoefficients<double>>& coefficients, const std::vector<std::int32_t>& kind,
                const std::vector<double>& factors, fem::CsrMatrix<double>& matrix) const;

  const march::Problem& problem_;
  SolverOptions spec_;
  comm::Communicator ranks_;
  fem::SharedSpace shared_;
  std::vector<fem::ElementFace> walls_;
  std::vector<std::int32_t> tags_;
  std::vector<fem::ElementFace> metal_;
  std::optional<fem::EdgeAssembly> assembly_;
  std::unique_ptr<fem::DeviceMatrix<double>> kept_;  ///< of `assemble`
  bool is_resident_ = false;
  std::optional<fem::LinearSolver<double>> alone_;
  std::optional<fem::SharedSolver<double>> shared_solver_;  ///< of several ranks
  fem::CsrMatrix<double> matrix_;                           ///< of this rank's elements
  march::ImplicitFigures figures_;
};

}  // namespace tetrawave::modes
