#include "schemes/newmark/system.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "terms/walls/element_parts.hpp"

namespace tetrawave::modes {

FetdSystem::FetdSystem(const march::Problem& problem, const SolverOptions& solver, const Place& boundaries,
                       const fem::SolverMachine& machine, const comm::Communicator& ranks)
    : problem_(problem), spec_(solver), ranks_(ranks) {
  ElementWalls list = list_element_walls(problem, ranks.rank());
  metal_ = std::move(list.metal);
  walls_ = std::move(list.walls);
  tags_ = std::move(list.tags);
  shared_ = fem::number_shared_unknowns(problem.space, *problem.mesh, metal_, ranks);
  if (shared_.rows.total() == 0)
    fail(ExitCode::bad_case, "{}: error: no field is left to solve for: all edges of the mesh lie on metal",
         boundaries.text);
  make_solver(machine);
}

FetdSystem::FetdSystem(const march::Problem& problem, const std::vector<fem::ElementFace>& faces,
                       const std::vector<fem::ElementFace>& metal, int threads, const comm::Communicator& ranks)
    : problem_(problem), ranks_(ranks), walls_(faces) {
  spec_.method = fem::has_direct_solver() ? SolverMethod::direct : SolverMethod::bicgstab;
  spec_.preconditioner = Preconditioner::jacobi;
  spec_.tolerance = 1e-12;
  spec_.assembly = AssemblyMethod::by_row;
  shared_ = fem::number_shared_unknowns(problem.space, *problem.mesh, metal, ranks, &faces);
  ensure(shared_.rows.total() > 0, "a surface has functions with a trace on it");
  make_solver(fem::SolverMachine(threads));
}

void FetdSystem::make_solver(const fem::SolverMachine& machine) {
  ranks_.agree([&] {
    const fem::AssemblyDevice* device = space().unknowns > 0 ? machine.assembly_device.get() : nullptr;
    assembly_.emplace(space(), problem_.mesh->corners, walls_, spec_.assembly, machine.threads, device);
  });
  constexpr auto kind = fem::MatrixKind::positive_definite;
  if (ranks_.size() == 1)
    alone_.emplace(spec_, machine, assembly_->pattern(), kind);
  else
    shared_solver_.emplace(spec_, machine, assembly_->pattern(), kind, shared_.rows);
  is_resident_ =
      machine.iteration_device != nullptr && (alone_ ? alone_->is_resident() : shared_solver_->is_resident());
  figures_.unknowns = shared_.rows.total();
  figures_.nonzeros = alone_ ? assembly_->pattern().nonzeros() : shared_solver_->nonzeros();
}

void FetdSystem::set_matrix(const std::vector<fem::EdgeCoefficients<double>>& coefficients,
                            const std::vector<std::int32_t>& kind, const std::vector<double>& factors) {
  Stopwatch watch;
  assemble(coefficients, kind, factors, matrix_);
  figures_.seconds_assembly += watch.lap();
  std::vector<std::vector<double>> none;
  const fem::LinearFigures figures =
      alone_ ? alone_->solve(matrix_, none, none) : shared_solver_->solve(matrix_, none, none);
  figures_.seconds_preprocess += ranks_.max(figures.seconds_preprocess);
  figures_.solver_bytes = ranks_.max(figures.bytes);
}

fem::CsrMatrix<double> FetdSystem::assemble(const std::vector<fem::EdgeCoefficients<double>>& coefficients,
                                            const std::vector<std::int32_t>& kind) {
  fem::CsrMatrix<double> matrix;
  assemble(coefficients, kind, std::vector<double>(walls_.size(), 0.0), matrix);
  kept_ = is_resident_ ? assembly_->take_real() : nullptr;
  return matrix;
}

void FetdSystem::assemble(const std::vector<fem::EdgeCoefficients<double>>& coefficients,
                          const std::vector<std::int32_t>& kind, const std::vector<double>& factors,
                          fem::CsrMatrix<double>& matrix) const {
  ranks_.agree([&] {
    assembly_->assemble<double>(coefficients, kind, factors, matrix);
    if (!is_resident_) fem::bring_to_host(matrix);
  });
}

void FetdSystem::solve(const std::vector<double>& side, std::vector<double>& x) {
  Stopwatch watch;
  figures_.iterations += alone_ ? alone_->solve_once(side, x) : shared_solver_->solve_once(side, x);
  ++figures_.solves;
  figures_.seconds_solve += watch.lap();
}

void FetdSystem::solve_resident(fem::ResidentStep& step) {
  Stopwatch watch;
  figures_.iterations += alone_ ? alone_->solve_resident(step.side(), step.mid())
                                : shared_solver_->solve_resident(step.side(), step.mid());
  ++figures_.solves;
  figures_.seconds_solve += watch.lap();
}

void FetdSystem::gather(std::size_t element, const std::vector<double>& x, double* dofs) const {
  for (const std::int32_t u : space().of(element))
    *dofs++ = u == fem::EdgeSpace::fixed ? 0.0 : x[static_cast<std::size_t>(u)];
}

}  // namespace tetrawave::modes
