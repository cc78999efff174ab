#include "fem/edge/surface_traces.hpp"

#include <span>
#include <utility>

#include "base/parallel.hpp"
#include "basis/mapped_element.hpp"
#include "fem/sparse/sparse_rows.hpp"

namespace tetrawave::fem {

SurfaceTraces::SurfaceTraces(const SharedSpace& space, const ElementShapes& shapes, std::vector<ElementFace> faces,
                             const SurfaceWork& work)
    : faces_(std::move(faces)), number_(static_cast<std::size_t>(space.own.unknowns), -1) {
  list_unknowns(space);
  make_mass(space.own, shapes, work.threads);
  SolverOptions spec;
  const bool factors = work.factors && has_direct_solver();
  spec.method = factors ? SolverMethod::direct : SolverMethod::bicgstab;
  spec.preconditioner = Preconditioner::jacobi;
  spec.tolerance = 1e-13;
  solver_ = std::make_unique<SharedSolver<double>>(spec, SolverMachine(factors ? 1 : work.threads), pattern_,
                                                   MatrixKind::positive_definite, rows_);
}

/// Those of S on any rank, numbered in the order of the space.
void SurfaceTraces::list_unknowns(const SharedSpace& space) {
  const auto& reference = basis::reference_element(space.own.space);
  const ElementRows all(space.rows);
  std::vector<double> marks(number_.size(), 0);
  for (const auto& [element, face] : faces_)
    for (const std::size_t i : reference.on_face[face])
      if (const std::int32_t u = space.own.of(static_cast<std::size_t>(element))[i]; u != EdgeSpace::fixed)
        marks[static_cast<std::size_t>(u)] = 1;
  std::vector<double> numbers = all.sum(marks);
  std::int32_t count = 0;
  for (const double mark : numbers) count += mark > 0 ? 1 : 0;
  rows_.ranks = space.rows.ranks;
  rows_.first = {0};
  for (const std::int32_t of_rank : rows_.ranks.all_gather(std::span<const std::int32_t>(&count, 1)))
    rows_.first.push_back(rows_.first.back() + of_rank);
  std::int32_t next = rows_.begin();
  for (double& number : numbers) number = number > 0 ? next++ : -1;
  all.spread(numbers, marks);
  for (std::size_t u = 0; u < number_.size(); ++u) {
    if (marks[u] < 0) continue;
    number_[u] = static_cast<std::int32_t>(unknowns_.size());
    unknowns_.push_back(static_cast<std::int32_t>(u));
    rows_.number.push_back(static_cast<std::int32_t>(marks[u]));
  }
}

void SurfaceTraces::make_mass(const EdgeSpace& space, const ElementShapes& shapes, int threads) {
  const auto& reference = basis::reference_element(space.space);
  const auto products = collect<MatrixTerm<double>>(faces_.size(), threads, [&](std::size_t f, auto& list) {
    const auto& [element, face] = faces_[f];
    const auto e = static_cast<std::size_t>(element);
    const auto mass = shapes.map(space.space, e).face_mass(face);
    const auto own = space.of(e);
    for (const std::size_t a : reference.on_face[face])
      for (const std::size_t b : reference.on_face[face])
        if (has(own[a]) && has(own[b])) list.push_back({number_of(own[a]), number_of(own[b]), mass(a, b)});
  });
  SparseRowsOf<double> rows = add_up(products, unknowns_.size(), threads);
  pattern_.first = std::move(rows.first);
  pattern_.column = std::move(rows.column);
  mass_ = {&pattern_, std::move(rows.value)};
}

void SurfaceTraces::prepare() {
  if (is_factored_ || rows_.total() == 0) return;
  std::vector<std::vector<double>> none;
  solver_->solve(mass_, none, none);
  is_factored_ = true;
}

std::vector<std::vector<Complex>> SurfaceTraces::solve(const std::vector<std::vector<Complex>>& moments) {
  const std::size_t size = unknowns_.size();
  std::vector<std::vector<double>> sides, values;  // real and imaginary parts
  for (const auto& b : moments)
    for (const bool imaginary : {false, true}) {
      auto& side = sides.emplace_back();
      for (const Complex& moment : b) side.push_back(imaginary ? moment.imag() : moment.real());
      values.emplace_back(size, 0.0);
    }
  prepare();
  if (is_factored_) solver_->solve_again(sides, values);
  std::vector<std::vector<Complex>> result(moments.size(), std::vector<Complex>(size));
  for (std::size_t k = 0; k < moments.size(); ++k)
    for (std::size_t i = 0; i < size; ++i) result[k][i] = {values[2 * k][i], values[2 * k + 1][i]};
  return result;
}

}  // namespace tetrawave::fem
