#include "schemes/stored/equation.hpp"

#include <cmath>
#include <utility>

#include "base/scheme.hpp"
#include "basis/reference_element.hpp"
#include "schemes/leap_frog/elements/mass_weights.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

using basis::DenseMatrix;

std::array<schemes::WallFactors, 4> factors_of_walls(const Problem& problem, LocalIndex element, Field field,
                                                     double dt_m) {
  std::array<schemes::WallFactors, 4> factors;
  for (std::size_t f = 0; f < 4; ++f)
    if (const auto wall = wall_at(problem, element, f, dt_m))
      factors[f] =
          schemes::wall_factors(problem.scheme, *wall, problem.medium_of(element), field == Field::electric, dt_m);
  return factors;
}

}  // namespace

DenseMatrix gram(const DenseMatrix& root) {
  DenseMatrix result(root.columns(), root.columns());
  for (std::size_t r = 0; r < root.rows(); ++r)
    for (std::size_t i = 0; i < root.columns(); ++i)
      for (std::size_t j = 0; j < root.columns(); ++j) result(i, j) += root(r, i) * root(r, j);
  return result;
}

const Vec3& axes_of(const Problem& problem, LocalIndex element, Field field) {
  const Medium& medium = problem.medium_of(element);
  return field == Field::electric ? medium.eps_axes : medium.mu_axes;
}

EquationFactors equation_factors(const Problem& problem, LocalIndex element, Field field, double dt_m) {
  const Medium& medium = problem.medium_of(element);
  const bool electric = field == Field::electric;
  const auto factors = schemes::element_factors(problem.scheme, medium, electric, dt_m);
  const schemes::Law law = schemes::law_of(problem.scheme, medium, electric);
  const double loss = law.any() ? 0 : law.loss;
  if (law.is_projected()) return {factors.mass, factors.stiffness, 0, loss};
  return {factors.mass, factors.stiffness, loss / factors.mass, 0};
}

basis::QuadratureElement quadrature_of(const Problem& problem, LocalIndex element) {
  return {problem.space, problem.mesh->corners_of_shape(element)};
}

StoredEquation::StoredEquation(const Problem& problem, LocalIndex element, const basis::QuadratureElement& shape,
                               Field field, double dt_m)
    : dofs_(basis::reference_element(problem.space).dofs),
      factors_(equation_factors(problem, element, field, dt_m)),
      walls_(factors_of_walls(problem, element, field, dt_m)),
      walls_root_(make_walls_root(problem, shape)) {
  const Field other = field == Field::electric ? Field::magnetic : Field::electric;
  if (factors_.stiffness != 0) curl_root_ = shape.curl_root(mass_weights_of(problem, element, other, dt_m));
  if (factors_.lost_across != 0) loss_root_ = shape.mass_root();
  find_free_dofs(problem);
  inverse_.emplace(join_roots(shape.mass_root(mass_weights_of(problem, element, field, dt_m))));
}

/// No rows without lossy walls.
DenseMatrix StoredEquation::make_walls_root(const Problem& problem, const basis::QuadratureElement& shape) const {
  const auto& reference = basis::reference_element(problem.space);
  std::vector<std::pair<std::size_t, DenseMatrix>> parts;
  std::size_t rows = 0;
  for (std::size_t f = 0; f < 4; ++f) {
    if (walls_[f].face == 0) continue;
    parts.emplace_back(f, shape.face_mass_root(f));
    rows += parts.back().second.rows();
  }
  DenseMatrix root(rows, dofs_);
  std::size_t first = 0;
  for (const auto& [f, part] : parts) {
    const double scale = std::sqrt(walls_[f].face);
    for (std::size_t r = 0; r < part.rows(); ++r)
      for (std::size_t k = 0; k < part.columns(); ++k) root(first + r, reference.on_face[f][k]) = scale * part(r, k);
    first += part.rows();
  }
  return root;
}

void StoredEquation::find_free_dofs(const Problem& problem) {
  const auto& reference = basis::reference_element(problem.space);
  std::vector<bool> fixed(dofs_, false);
  for (std::size_t f = 0; f < 4; ++f)
    if (walls_[f].fixed)
      for (const std::size_t dof : reference.on_face[f]) fixed[dof] = true;
  for (std::size_t i = 0; i < dofs_; ++i)
    if (!fixed[i]) free_.push_back(i);
}

/// W of A0 = W^T W, free dofs only.
DenseMatrix StoredEquation::join_roots(const DenseMatrix& mass_root) const {
  DenseMatrix root(mass_root.rows() + curl_root_.rows() + walls_root_.rows(), free_.size());
  std::size_t first = 0;
  const auto add = [&](double factor, const DenseMatrix& part) {
    for (std::size_t r = 0; r < part.rows(); ++r)
      for (std::size_t j = 0; j < free_.size(); ++j) root(first + r, j) = std::sqrt(factor) * part(r, free_[j]);
    first += part.rows();
  };
  add(factors_.mass, mass_root);
  add(factors_.stiffness, curl_root_);
  add(1, walls_root_);
  return root;
}

void StoredEquation::solve(DenseMatrix& x) const {
  DenseMatrix chosen(free_.size(), x.columns());
  for (std::size_t i = 0; i < free_.size(); ++i)
    for (std::size_t j = 0; j < x.columns(); ++j) chosen(i, j) = x(free_[i], j);
  inverse_->apply(chosen);
  x = DenseMatrix(x.rows(), x.columns());
  for (std::size_t i = 0; i < free_.size(); ++i)
    for (std::size_t j = 0; j < x.columns(); ++j) x(free_[i], j) = chosen(i, j);
}

DenseMatrix StoredEquation::curl_curl() const {
  return curl_root_.columns() == 0 ? DenseMatrix(dofs_, dofs_) : gram(curl_root_);
}

DenseMatrix StoredEquation::solved_walls() const {
  DenseMatrix matrix = gram(walls_root_);
  if (walls_root_.rows() > 0) solve(matrix);
  return matrix;
}

DenseMatrix StoredEquation::first_block() const {
  DenseMatrix matrix(dofs_, dofs_);
  matrix.add_block(0, 0, factors_.lost - 2, solved_walls());
  for (const std::size_t i : free_) matrix(i, i) += 1 - factors_.lost;
  if (factors_.lost_across != 0) {
    DenseMatrix loss = gram(loss_root_);
    solve(loss);
    matrix.add_block(0, 0, -factors_.lost_across, loss);
  }
  return matrix;
}

bool keeps_field(const Problem& problem, LocalIndex element, Field field) {
  if (has_upwind_fluxes(problem.scheme)) return false;
  const bool electric = field == Field::electric;
  const auto law = schemes::law_of(problem.scheme, problem.medium_of(element), electric);
  const auto other = schemes::law_of(problem.scheme, problem.medium_of(element), !electric);
  const bool reaches = law.published || law.is_projected() || other.is_projected();
  const bool by_other = has_rates(problem.scheme) && reaches && other.any();
  if (!law.any() && !by_other) return false;
  for (const auto& factors : factors_of_walls(problem, element, field, 1))
    if (factors.face != 0) return true;
  return false;
}

std::vector<double> stored_wave(const Problem& problem, const DrivenFace& face, Field field, double dt_m) {
  const StoredEquation equation(problem, face.element, quadrature_of(problem, face.element), field, dt_m);
  const auto& moment = field == Field::electric ? face.direct : face.rotated;
  DenseMatrix x(moment.size(), 1);
  for (std::size_t i = 0; i < moment.size(); ++i) x(i, 0) = equation.wall(face.face).incident * moment[i];
  equation.solve(x);
  return {x.row(0), x.row(0) + moment.size()};
}

DenseMatrix stored_walls(const Problem& problem, LocalIndex element, Field field, double dt_m) {
  return StoredEquation(problem, element, quadrature_of(problem, element), field, dt_m).solved_walls();
}

basis::DenseMatrix StoredEquation::with_first_block(DenseMatrix coupled) const {
  solve(coupled);
  DenseMatrix matrix(dofs_, dofs_ + coupled.columns());
  matrix.add_block(0, 0, 1, first_block());
  matrix.add_block(0, dofs_, 1, coupled);
  return matrix;
}

}  // namespace tetrawave::march
