#include "schemes/dfdd/stored.hpp"

#include "basis/reference_element.hpp"
#include "schemes/stored/equation.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

using basis::DenseMatrix;

/// Whether there is coupling to another element through a face.
bool is_coupled(const Problem& problem, LocalIndex element, std::size_t face) {
  const auto wall = wall_at(problem, element, face);
  return !wall || wall->kind == schemes::WallSpec::Kind::sheet;
}

/// -(dt/b) S0 | +-dt D_0 | .. ; dt/b = 4 c/dt.
DenseMatrix pull_and_coupling(const Problem& problem, LocalIndex element, const basis::QuadratureElement& shape,
                              const StoredEquation& equation, double dt_m, double sign) {
  const auto& reference = basis::reference_element(problem.space);
  const std::size_t n = reference.dofs;
  const std::size_t nf = reference.face_dofs;
  DenseMatrix result(n, n + 4 * nf);
  result.add_block(0, 0, -4 * equation.factors().stiffness / dt_m, equation.curl_curl());
  for (std::size_t f = 0; f < 4; ++f) {
    if (!is_coupled(problem, element, f)) continue;
    const DenseMatrix coupling = shape.coupling(f);
    for (std::size_t k = 0; k < nf; ++k)
      for (std::size_t l = 0; l < nf; ++l)
        result(reference.on_face[f][k], n + f * nf + l) += sign * dt_m * coupling(k, l);
  }
  return result;
}

DenseMatrix field_matrix(const Problem& problem, LocalIndex element, const basis::QuadratureElement& shape, Field field,
                         double dt_m) {
  const StoredEquation equation(problem, element, shape, field, dt_m);
  return equation.with_first_block(
      pull_and_coupling(problem, element, shape, equation, dt_m, field == Field::electric ? 1 : -1));
}

}  // namespace

ElementMatrices dfdd_matrices(const Problem& problem, LocalIndex element, double dt_m) {
  const basis::QuadratureElement shape = quadrature_of(problem, element);
  return {field_matrix(problem, element, shape, Field::electric, dt_m),
          field_matrix(problem, element, shape, Field::magnetic, dt_m)};
}

MakeMatrices dfdd_matrix_maker(const Problem& problem, double dt_m) {
  return [&problem, dt_m](LocalIndex element) {
    return dfdd_matrices(problem, element, problem.classes.step_of(problem.classes.of(element), dt_m));
  };
}

}  // namespace tetrawave::march
