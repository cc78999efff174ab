#include "schemes/newmark/system.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "terms/walls/element_parts.hpp"

namespace tetrawave::modes {

FetdSystem::FetdSystem(const march::Problem& problem, const SolverSpec& solver, const Place& boundaries,
                       const fem::SolverMachine& machine, const comm::Communicator& ranks)
    : problem_(problem), spec_(solver), ranks_(ranks) {
  ElementWalls list = list_element_walls(problem, ranks.rank());
  metal_ = std::move(list.metal);
  walls_ = std::move(list.walls);
  tags_ = std::move(list.tags);
  shared_ = fem::number_shared_unknowns(problem.space, *problem.mesh, metal_, ranks);
  if (shared_.unknowns == 0)
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
  ensure(shared_.unknowns > 0, "a surface has functions with a trace on it");
  make_solver(fem::SolverMachine(threads));
}

void FetdSystem::make_solver(const fem::SolverMachine& machine) {
  assembly_.emplace(space(), problem_.mesh->corners, walls_, spec_.assembly, machine.threads);
  if (ranks_.size() > 1) join_patterns();
  const fem::CsrPattern& pattern = ranks_.size() > 1 ? pattern_of_all_ : assembly_->pattern();
  solver_.emplace(spec_, machine, pattern, fem::MatrixKind::positive_definite, ranks_);
  figures_.unknowns = shared_.unknowns;
  figures_.nonzeros = ranks_.max(pattern.nonzeros());
}

void FetdSystem::join_patterns() {
  const fem::CsrPattern& own = assembly_->pattern();
  std::vector<std::int32_t> rows, columns;
  for (std::int32_t r = 0; r < own.rows(); ++r)
    for (auto k = own.first[static_cast<std::size_t>(r)]; k < own.first[static_cast<std::size_t>(r) + 1]; ++k) {
      rows.push_back(shared_.number[static_cast<std::size_t>(r)]);
      columns.push_back(shared_.number[static_cast<std::size_t>(own.column[static_cast<std::size_t>(k)])]);
    }
  number_of_all_ = ranks_.gather(std::span<const std::int32_t>(shared_.number));
  rows = ranks_.gather(std::span<const std::int32_t>(rows));
  columns = ranks_.gather(std::span<const std::int32_t>(columns));
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    std::vector<std::int64_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto entry = [&](std::int64_t k) {
      return std::pair(rows[static_cast<std::size_t>(k)], columns[static_cast<std::size_t>(k)]);
    };
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return entry(a) < entry(b); });
    entry_of_all_.resize(rows.size());
    pattern_of_all_.first.assign(static_cast<std::size_t>(shared_.unknowns) + 1, 0);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto [row, column] = entry(order[k]);
      if (k == 0 || entry(order[k - 1]) != entry(order[k])) {
        pattern_of_all_.column.push_back(column);
        ++pattern_of_all_.first[static_cast<std::size_t>(row) + 1];
      }
      entry_of_all_[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(pattern_of_all_.column.size()) - 1;
    }
    std::partial_sum(pattern_of_all_.first.begin(), pattern_of_all_.first.end(), pattern_of_all_.first.begin());
  });
}

void FetdSystem::set_matrix(const std::vector<fem::EdgeCoefficients<double>>& coefficients,
                            const std::vector<std::int32_t>& kind, const std::vector<double>& factors) {
  fem::Stopwatch watch;
  assembly_->assemble<double>(coefficients, kind, factors, matrix_);
  if (ranks_.size() > 1) {
    const auto values = ranks_.gather(std::span<const double>(matrix_.values));
    matrix_of_all_.pattern = &pattern_of_all_;
    matrix_of_all_.values.assign(pattern_of_all_.column.size(), 0.0);
    for (std::size_t k = 0; k < values.size(); ++k)
      matrix_of_all_.values[static_cast<std::size_t>(entry_of_all_[k])] += values[k];
  }
  figures_.seconds_assembly += watch.lap();
  std::vector<std::vector<double>> none;
  const fem::LinearFigures figures = solver_->solve(ranks_.size() > 1 ? matrix_of_all_ : matrix_, none, none);
  figures_.seconds_preprocess += ranks_.max(figures.seconds_preprocess);
  figures_.solver_bytes = ranks_.max(figures.bytes);
}

fem::CsrMatrix<double> FetdSystem::assemble(const std::vector<fem::EdgeCoefficients<double>>& coefficients,
                                            const std::vector<std::int32_t>& kind) const {
  fem::CsrMatrix<double> matrix;
  assembly_->assemble<double>(coefficients, kind, std::vector<double>(walls_.size(), 0.0), matrix);
  return matrix;
}

void FetdSystem::solve(const std::vector<double>& side, std::vector<double>& x) {
  fem::Stopwatch watch;
  if (ranks_.size() == 1) {
    figures_.iterations += solver_->solve_once(side, x);
  } else {
    const auto sides = ranks_.gather(std::span<const double>(side));
    const auto starts = iterates() ? ranks_.gather(std::span<const double>(x)) : std::vector<double>{};
    const std::size_t count = ranks_.rank() == 0 ? static_cast<std::size_t>(shared_.unknowns) : 0;
    std::vector<double> sum(count, 0.0), all(count, 0.0);
    for (std::size_t k = 0; k < sides.size(); ++k) sum[static_cast<std::size_t>(number_of_all_[k])] += sides[k];
    for (std::size_t k = 0; k < starts.size(); ++k) all[static_cast<std::size_t>(number_of_all_[k])] = starts[k];
    figures_.iterations += solver_->solve_once(sum, all);
    ranks_.broadcast(all);
    for (std::size_t u = 0; u < x.size(); ++u) x[u] = all[static_cast<std::size_t>(shared_.number[u])];
  }
  ++figures_.solves;
  figures_.seconds_solve += watch.lap();
}

void FetdSystem::solve_resident(fem::ResidentStep& step) {
  fem::Stopwatch watch;
  solver_->solve_resident(step.side(), step.mid());
  ++figures_.solves;
  figures_.seconds_solve += watch.lap();
}

void FetdSystem::gather(std::size_t element, const std::vector<double>& x, double* dofs) const {
  for (const std::int32_t u : space().of(element))
    *dofs++ = u == fem::EdgeSpace::fixed ? 0.0 : x[static_cast<std::size_t>(u)];
}

}  // namespace tetrawave::modes
