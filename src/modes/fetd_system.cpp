#include "modes/fetd_system.hpp"

#include "base/error.hpp"
#include "fem/stopwatch.hpp"

namespace tetrawave::modes {

FetdSystem::FetdSystem(const march::Problem& problem, const SolverSpec& solver, int threads) : problem_(problem) {
  list_walls();
  assembly_.emplace(space_, problem.mesh->corners, walls_, solver.assembly, threads);
  solver_.emplace(solver, threads, assembly_->pattern(), fem::MatrixKind::positive_definite);
  figures_.unknowns = space_.unknowns;
  figures_.nonzeros = assembly_->pattern().nonzeros();
}

void FetdSystem::list_walls() {
  const LocalMesh& mesh = *problem_.mesh;
  std::vector<fem::ElementFace> metal;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f) {
      const auto k = static_cast<std::size_t>(e);
      const std::int32_t tag = mesh.boundary[k][f];
      if (tag < 0) continue;
      const march::Wall wall = problem_.walls[static_cast<std::size_t>(tag)];
      const bool seen = mesh.neighbour[k][f] >= 0 && mesh.neighbour[k][f] < e;  // from the other side
      if (wall == march::Wall::electric) metal.emplace_back(e, f);
      if (wall == march::Wall::electric || wall == march::Wall::magnetic || seen) continue;
      walls_.emplace_back(e, f);
      tags_.push_back(tag);
    }
  space_ = fem::number_unknowns(problem_.space, mesh.vertices, metal);
}

void FetdSystem::set_matrix(const std::vector<fem::EdgeCoefficients<double>>& coefficients,
                            const std::vector<std::int32_t>& kind, const std::vector<double>& factors) {
  fem::Stopwatch watch;
  assembly_->assemble<double>(coefficients, kind, factors, matrix_);
  figures_.seconds_assembly += watch.lap();
  std::vector<std::vector<double>> none;
  const fem::LinearFigures figures = solver_->solve(matrix_, none, none);
  figures_.seconds_preprocess += figures.seconds_preprocess;
  figures_.solver_bytes = figures.bytes;
}

void FetdSystem::solve(const std::vector<double>& side, std::vector<double>& x) {
  fem::Stopwatch watch;
  figures_.iterations += solver_->solve_once(side, x);
  ++figures_.solves;
  figures_.seconds_solve += watch.lap();
}

void FetdSystem::gather(std::size_t element, const std::vector<double>& x, double* dofs) const {
  for (const std::int32_t u : space_.of(element))
    *dofs++ = u == fem::EdgeSpace::fixed ? 0.0 : x[static_cast<std::size_t>(u)];
}

}  // namespace tetrawave::modes
