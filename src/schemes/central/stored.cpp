#include "schemes/central/stored.hpp"

#include "basis/reference_element.hpp"
#include "schemes/stored/equation.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

using basis::DenseMatrix;

/// +-C | (+-1/2 + d_0) D_0 | .. : the curl with its central fluxes and the contributions of walls.
DenseMatrix curl_and_flux(Space space, const basis::QuadratureElement& shape, const StoredEquation& equation,
                          double sign) {
  const auto& reference = basis::reference_element(space);
  const std::size_t n = reference.dofs;
  const std::size_t nf = reference.face_dofs;
  DenseMatrix result(n, n + 4 * nf);
  result.add_block(0, 0, sign, shape.curl());
  for (std::size_t f = 0; f < 4; ++f) {
    const DenseMatrix coupling = shape.coupling(f);
    for (std::size_t k = 0; k < nf; ++k)
      for (std::size_t l = 0; l < nf; ++l)
        result(reference.on_face[f][k], n + f * nf + l) += (sign / 2 + equation.wall(f).turned) * coupling(k, l);
  }
  return result;
}

/// Whether A0 is a M with the same M for both fields, so that one solution serves both.
bool is_plain(const Problem& problem, LocalIndex element) {
  for (std::size_t f = 0; f < 4; ++f)
    if (const auto wall = wall_at(problem, element, f))
      if (wall->is_held || wall->kind == schemes::WallSpec::Kind::open || wall->kind == schemes::WallSpec::Kind::sheet)
        return false;
  for (const bool electric : {true, false})
    if (schemes::law_of(problem.scheme, problem.medium_of(element), electric).is_projected()) return false;
  return axes_of(problem, element, Field::electric) == axes_of(problem, element, Field::magnetic);
}

DenseMatrix field_matrix(Space space, const basis::QuadratureElement& shape, const StoredEquation& equation,
                         double sign) {
  return equation.with_first_block(curl_and_flux(space, shape, equation, sign));
}

/// H's matrix from E's, whose A0 differs by a factor: A1 and P change sign and scale.
DenseMatrix turn_into_magnetic(DenseMatrix matrix, const EquationFactors& electric, const EquationFactors& magnetic) {
  const std::size_t n = matrix.rows();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = n; j < matrix.columns(); ++j) matrix(i, j) *= -electric.mass / magnetic.mass;
    matrix(i, i) = 1 - magnetic.lost;
  }
  return matrix;
}

}  // namespace

ElementMatrices central_matrices(const Problem& problem, LocalIndex element, double dt_m) {
  const basis::QuadratureElement shape = quadrature_of(problem, element);
  const StoredEquation electric(problem, element, shape, Field::electric, dt_m);
  ElementMatrices result{field_matrix(problem.space, shape, electric, 1), {}};
  if (is_plain(problem, element))
    result[1] =
        turn_into_magnetic(result[0], electric.factors(), equation_factors(problem, element, Field::magnetic, dt_m));
  else
    result[1] = field_matrix(problem.space, shape, {problem, element, shape, Field::magnetic, dt_m}, -1);
  return result;
}

MakeMatrices central_matrix_maker(const Problem& problem, double dt_m) {
  return [&problem, dt_m](LocalIndex element) {
    return central_matrices(problem, element, problem.classes.step_of(problem.classes.of(element), dt_m));
  };
}

}  // namespace tetrawave::march
