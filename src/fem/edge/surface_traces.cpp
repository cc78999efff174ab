#include "fem/edge/surface_traces.hpp"

#include <map>

#include "basis/mapped_element.hpp"

namespace tetrawave::fem {

SurfaceTraces::SurfaceTraces(const EdgeSpace& space, const ElementShapes& shapes, std::vector<ElementFace> faces)
    : faces_(std::move(faces)), number_(static_cast<std::size_t>(space.unknowns), -1) {
  const auto& reference = basis::reference_element(space.space);
  for (const auto& [element, face] : faces_)
    for (const std::size_t i : reference.on_face[face]) {
      const std::int32_t u = space.of(static_cast<std::size_t>(element))[i];
      if (u == EdgeSpace::fixed || has(u)) continue;
      number_[static_cast<std::size_t>(u)] = static_cast<std::int32_t>(unknowns_.size());
      unknowns_.push_back(u);
    }
  make_mass(space, shapes);
  SolverSpec spec;
  spec.method = has_direct_solver() ? SolverMethod::direct : SolverMethod::bicgstab;
  spec.preconditioner = Preconditioner::jacobi;
  spec.tolerance = 1e-12;
  solver_ = std::make_unique<LinearSolver<double>>(spec, SolverMachine(1), pattern_, MatrixKind::positive_definite);
}

void SurfaceTraces::make_mass(const EdgeSpace& space, const ElementShapes& shapes) {
  const auto& reference = basis::reference_element(space.space);
  std::vector<std::map<std::int32_t, double>> rows(unknowns_.size());
  for (const auto& [element, face] : faces_) {
    const auto e = static_cast<std::size_t>(element);
    const auto mass = shapes.map(space.space, e).face_mass(face);
    const auto own = space.of(e);
    for (const std::size_t a : reference.on_face[face])
      for (const std::size_t b : reference.on_face[face])
        if (has(own[a]) && has(own[b]))
          rows[static_cast<std::size_t>(number_[static_cast<std::size_t>(own[a])])]
              [number_[static_cast<std::size_t>(own[b])]] += mass(a, b);
  }
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      pattern_.column.push_back(column);
      mass_.values.emplace_back(value);
    }
    pattern_.first.push_back(static_cast<std::int64_t>(pattern_.column.size()));
  }
  mass_.pattern = &pattern_;
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
  if (is_factored_)
    solver_->solve_again(sides, values);
  else if (size > 0)
    solver_->solve(mass_, sides, values);
  is_factored_ = size > 0;
  std::vector<std::vector<Complex>> result(moments.size(), std::vector<Complex>(size));
  for (std::size_t k = 0; k < moments.size(); ++k)
    for (std::size_t i = 0; i < size; ++i) result[k][i] = {values[2 * k][i], values[2 * k + 1][i]};
  return result;
}

}  // namespace tetrawave::fem
