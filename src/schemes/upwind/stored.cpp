#include "schemes/upwind/stored.hpp"

#include <memory>

#include "basis/reference_element.hpp"
#include "schemes/stored/equation.hpp"
#include "schemes/upwind/faces.hpp"

namespace tetrawave::march {

namespace {

using basis::DenseMatrix;

/// The residual of one field's equation, before the mass is inverted:
///   -sum_f c_3 F_f | +-(C - sum_f c_1 D_f) | c_2 F_0 .. c_2 F_3 | +-c_0 D_0 .. +-c_0 D_3,
/// c_0 .. c_3 the coefficients of the field's equation on a face.
DenseMatrix fluxes(Space space, const basis::QuadratureElement& shape,
                   const std::array<schemes::FaceCoefficients, 4>& faces, bool electric) {
  const auto& reference = basis::reference_element(space);
  const std::size_t n = reference.dofs;
  const std::size_t nf = reference.face_dofs;
  const double sign = electric ? 1 : -1;
  DenseMatrix result(n, 2 * n + 8 * nf);
  result.add_block(0, n, sign, shape.curl());
  for (std::size_t f = 0; f < 4; ++f) {
    const double* c = &faces[f][electric ? 0 : 4];
    const DenseMatrix turned = shape.coupling(f);
    const DenseMatrix straight = gram(shape.face_mass_root(f));
    for (std::size_t k = 0; k < nf; ++k)
      for (std::size_t l = 0; l < nf; ++l) {
        const std::size_t row = reference.on_face[f][k];
        const std::size_t column = reference.on_face[f][l];
        result(row, column) -= c[3] * straight(k, l);
        result(row, n + column) -= sign * c[1] * turned(k, l);
        result(row, 2 * n + f * nf + l) += c[2] * straight(k, l);
        result(row, 2 * n + (4 + f) * nf + l) += sign * c[0] * turned(k, l);
      }
  }
  return result;
}

/// `faces`: the factors of the traces of its four faces.
ElementMatrices upwind_matrices(const Problem& problem, LocalIndex element,
                                const std::array<schemes::FaceCoefficients, 4>& faces, double dt_m) {
  const Medium& medium = problem.medium_of(element);
  const basis::QuadratureElement shape = quadrature_of(problem, element);
  ElementMatrices result;
  for (const Field field : {Field::electric, Field::magnetic}) {
    const bool electric = field == Field::electric;
    const double constant = electric ? medium.eps_r : medium.mu_r;
    const double sigma = electric ? medium.sigma_e : medium.sigma_m;
    const Vec3& axes = axes_of(problem, element, field);
    const bool has_axes = axes != Vec3{1, 1, 1};  // sigma M does not go with eps M
    const double loss = has_axes ? 0 : dt_m * sigma / constant;
    DenseMatrix solved = fluxes(problem.space, shape, faces, electric);
    if (has_axes) solved.add_block(0, 0, -sigma, gram(shape.mass_root()));
    basis::GramInverse(shape.mass_root(axes)).apply(solved);
    DenseMatrix& matrix = result[electric ? 0 : 1];
    matrix = DenseMatrix(solved.rows(), solved.columns());
    matrix.add_block(0, 0, dt_m / constant, solved);
    for (std::size_t i = 0; i < matrix.rows(); ++i) matrix(i, i) -= loss;
  }
  return result;
}

}  // namespace

template <class S>
MakeMatrices upwind_matrix_maker(const Problem& problem, const ElementLayout<S>& layout,
                                 const comm::Communicator& ranks, double dt_m) {
  const auto faces = std::make_shared<const UpwindFaces>(make_upwind_faces(problem, layout, ranks));
  return [&problem, &layout, faces, dt_m](LocalIndex element) {
    std::array<schemes::FaceCoefficients, 4> own;
    for (int f = 0; f < 4; ++f)
      own[static_cast<std::size_t>(f)] =
          faces->coefficients[static_cast<std::size_t>(faces->kinds[layout.at(layout.slot(element), 4, f)])];
    return upwind_matrices(problem, element, own, dt_m);
  };
}

template MakeMatrices upwind_matrix_maker(const Problem&, const ElementLayout<double>&, const comm::Communicator&,
                                          double);
template MakeMatrices upwind_matrix_maker(const Problem&, const ElementLayout<float>&, const comm::Communicator&,
                                          double);

}  // namespace tetrawave::march
