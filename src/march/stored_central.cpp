#include "march/stored_central.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "basis/quadrature_element.hpp"
#include "basis/reference_element.hpp"
#include "march/wall_corrections.hpp"
#include "schemes/poles.hpp"

namespace tetrawave::march {

namespace {

using basis::DenseMatrix;

const Medium& medium_of(const Problem& problem, LocalIndex element) {
  return problem.media[static_cast<std::size_t>(problem.mesh->region[static_cast<std::size_t>(element)])];
}

basis::QuadratureElement shape_of(const Problem& problem, LocalIndex element) {
  return {problem.space, problem.mesh->corners[static_cast<std::size_t>(element)]};
}

using FaceFactors = std::array<schemes::WallFactors, 4>;

FaceFactors factors_of_faces(const Problem& problem, LocalIndex element, Field field, double dt_m) {
  FaceFactors factors;
  for (std::size_t f = 0; f < 4; ++f)
    if (const auto wall = wall_at(problem, element, f))
      factors[f] =
          schemes::wall_factors(problem.scheme, *wall, medium_of(problem, element), field == Field::electric, dt_m);
  return factors;
}

/// W of F = sum_f b_f F_f = W^T W: no rows without lossy walls.
DenseMatrix walls_root(Space space, const FaceFactors& factors, const basis::QuadratureElement& shape) {
  const auto& reference = basis::reference_element(space);
  std::vector<std::pair<std::size_t, DenseMatrix>> parts;
  std::size_t rows = 0;
  for (std::size_t f = 0; f < 4; ++f) {
    if (factors[f].face == 0) continue;
    parts.emplace_back(f, shape.face_mass_root(f));
    rows += parts.back().second.rows();
  }
  DenseMatrix root(rows, reference.dofs);
  std::size_t first = 0;
  for (const auto& [f, part] : parts) {
    const double scale = std::sqrt(factors[f].face);
    for (std::size_t r = 0; r < part.rows(); ++r)
      for (std::size_t k = 0; k < part.columns(); ++k) root(first + r, reference.on_face[f][k]) = scale * part(r, k);
    first += part.rows();
  }
  return root;
}

/// The first columns of `to` += factor W^T W.
void add_gram(double factor, const DenseMatrix& root, DenseMatrix& to) {
  for (std::size_t r = 0; r < root.rows(); ++r)
    for (std::size_t i = 0; i < root.columns(); ++i)
      for (std::size_t j = 0; j < root.columns(); ++j) to(i, j) += factor * root(r, i) * root(r, j);
}

/// s/a: what u loses in a step that is no wall's and no term's.
double lost_part(const Problem& problem, LocalIndex element, Field field, double a) {
  const schemes::Law law = schemes::law_of(problem.scheme, medium_of(problem, element), field == Field::electric);
  return law.any() ? 0 : law.loss / a;
}

double mass_factor(const Problem& problem, LocalIndex element, Field field, double dt_m) {
  return schemes::element_factors(problem.scheme, medium_of(problem, element), field == Field::electric, dt_m).mass;
}

/// A0 = a M + F of one field on one element.
struct FieldTerms {
  double a;
  double lost;
  FaceFactors faces;
  DenseMatrix walls;  ///< W of F
  basis::GramInverse inverse;

  FieldTerms(const Problem& problem, LocalIndex element, const basis::QuadratureElement& shape, Field field,
             double dt_m)
      : a(mass_factor(problem, element, field, dt_m)),
        lost(lost_part(problem, element, field, a)),
        faces(factors_of_faces(problem, element, field, dt_m)),
        walls(walls_root(problem.space, faces, shape)),
        inverse(join_roots(a, shape.mass_root(axes_of(problem, element, field)), walls)) {}

 private:
  static const Vec3& axes_of(const Problem& problem, LocalIndex element, Field field) {
    const Medium& medium = medium_of(problem, element);
    return field == Field::electric ? medium.eps_axes : medium.mu_axes;
  }
  static DenseMatrix join_roots(double factor, const DenseMatrix& mass, const DenseMatrix& walls) {
    DenseMatrix root(mass.rows() + walls.rows(), mass.columns());
    root.add_block(0, 0, std::sqrt(factor), mass);
    root.add_block(mass.rows(), 0, 1, walls);
    return root;
  }
};

/// C | +-(1/2 +- d_0) D_0 | .. : the curl with its central fluxes and what walls add to them.
DenseMatrix curl_and_flux(Space space, const basis::QuadratureElement& shape, const FaceFactors& factors, double sign) {
  const auto& reference = basis::reference_element(space);
  const std::size_t n = reference.dofs;
  const std::size_t nf = reference.face_dofs;
  DenseMatrix result(n, n + 4 * nf);
  result.add_block(0, 0, sign, shape.curl());
  for (std::size_t f = 0; f < 4; ++f) {
    const DenseMatrix coupling = shape.coupling(f);
    for (std::size_t k = 0; k < nf; ++k)
      for (std::size_t l = 0; l < nf; ++l)
        result(reference.on_face[f][k], n + f * nf + l) += (sign / 2 + factors[f].turned) * coupling(k, l);
  }
  return result;
}

/// Whether A0 is a M with the same M for both fields, so that one solution serves both.
bool is_plain(const Problem& problem, LocalIndex element) {
  for (std::size_t f = 0; f < 4; ++f)
    if (const auto wall = wall_at(problem, element, f))
      if (wall->kind == schemes::WallSpec::Kind::open || wall->kind == schemes::WallSpec::Kind::sheet) return false;
  return medium_of(problem, element).is_isotropic();
}

DenseMatrix field_matrix(const Problem& problem, const basis::QuadratureElement& shape, const FieldTerms& terms,
                         double sign) {
  const DenseMatrix coupled = curl_and_flux(problem.space, shape, terms.faces, sign);
  const std::size_t n = coupled.rows();
  DenseMatrix matrix(n, n + coupled.columns());
  add_gram(terms.lost - 2, terms.walls, matrix);
  matrix.add_block(0, n, 1, coupled);
  terms.inverse.apply(matrix);
  for (std::size_t i = 0; i < n; ++i) matrix(i, i) += 1 - terms.lost;
  return matrix;
}

/// H's matrix from E's, whose A0 differs by a factor: A1 and P change sign and scale.
DenseMatrix turn_into_magnetic(DenseMatrix matrix, double electric_a, double magnetic_a, double lost) {
  const std::size_t n = matrix.rows();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = n; j < matrix.columns(); ++j) matrix(i, j) *= -electric_a / magnetic_a;
    matrix(i, i) = 1 - lost;
  }
  return matrix;
}

}  // namespace

ElementMatrices central_matrices(const Problem& problem, LocalIndex element, double dt_m) {
  const basis::QuadratureElement shape = shape_of(problem, element);
  const FieldTerms electric(problem, element, shape, Field::electric, dt_m);
  ElementMatrices result{field_matrix(problem, shape, electric, 1), {}};
  if (is_plain(problem, element)) {
    const double a = mass_factor(problem, element, Field::magnetic, dt_m);
    result[1] = turn_into_magnetic(result[0], electric.a, a, lost_part(problem, element, Field::magnetic, a));
  } else {
    result[1] = field_matrix(problem, shape, FieldTerms(problem, element, shape, Field::magnetic, dt_m), -1);
  }
  return result;
}

std::vector<double> central_wave(const Problem& problem, const DrivenFace& face, Field field, double dt_m) {
  const basis::QuadratureElement shape = shape_of(problem, face.element);
  const FieldTerms terms(problem, face.element, shape, field, dt_m);
  const auto& moment = field == Field::electric ? face.direct : face.rotated;
  DenseMatrix x(moment.size(), 1);
  for (std::size_t i = 0; i < moment.size(); ++i) x(i, 0) = terms.faces[face.face].incident * moment[i];
  terms.inverse.apply(x);
  return {x.row(0), x.row(0) + moment.size()};
}

bool keeps_field(const Problem& problem, LocalIndex element, Field field) {
  if (!schemes::law_of(problem.scheme, medium_of(problem, element), field == Field::electric).any()) return false;
  for (const auto& factors : factors_of_faces(problem, element, field, 1))
    if (factors.face != 0) return true;
  return false;
}

DenseMatrix central_wall(const Problem& problem, LocalIndex element, Field field, double dt_m) {
  const FieldTerms terms(problem, element, shape_of(problem, element), field, dt_m);
  DenseMatrix matrix(terms.walls.columns(), terms.walls.columns());
  add_gram(1, terms.walls, matrix);
  terms.inverse.apply(matrix);
  return matrix;
}

}  // namespace tetrawave::march
