#include "schemes/leap_frog/elements/element_walls.hpp"

#include <algorithm>

#include "schemes/leap_frog/elements/mass_weights.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

/// Null where there is no conductor.
const std::vector<WallBranch>* branches_at(const Problem& problem, LocalIndex e, std::size_t face) {
  const std::int32_t tag = problem.mesh->boundary[static_cast<std::size_t>(e)][face];
  if (const auto wall = problem.wall_of(tag); !wall || !is_conductor(*wall)) return nullptr;
  return &problem.wall_branches[static_cast<std::size_t>(tag)];
}

}  // namespace

std::vector<WallFace> wall_faces(const Problem& problem, LocalIndex e, Field field, double dt_m,
                                 const DrivenFaceMap& driven) {
  std::vector<WallFace> faces;
  for (std::size_t f = 0; f < 4; ++f) {
    const auto wall = wall_at(problem, e, f, dt_m);
    if (!wall) continue;
    const auto factors_of = [&](double step_m) {
      return schemes::wall_factors(problem.scheme, *wall, problem.medium_of(e), field == Field::electric, step_m);
    };
    auto factors = factors_of(dt_m);
    const auto found = driven.find({e, f});
    if (dt_m == 0 && found != driven.end()) factors.incident = factors_of(1).incident;
    if (!factors.any()) continue;
    faces.push_back({f, factors, found == driven.end() ? nullptr : found->second, branches_at(problem, e, f)});
  }
  return faces;
}

ElementWalls::ElementWalls(const Problem& problem, const WallElement& wall, Field field, double dt_m,
                           double border_dt_m)
    : reference_(basis::reference_element(problem.space)),
      element_(problem.space, problem.mesh->corners_of_shape(wall.element)),
      faces_(wall.faces),
      inverse_(reference_.dofs),
      field_(field) {
  const bool electric = field == Field::electric;
  const Medium& medium = problem.medium_of(wall.element);
  const auto factors = schemes::element_factors(problem.scheme, medium, electric, dt_m);
  add(factors.mass, element_.mass(mass_weights_of(problem, wall.element, field, dt_m, border_dt_m)));
  const Field other = electric ? Field::magnetic : Field::electric;
  if (factors.stiffness != 0)
    add(factors.stiffness, element_.stiffness(mass_weights_of(problem, wall.element, other, dt_m, border_dt_m)));
  for (const WallFace& face : faces_) {
    face_mass_.push_back(element_.face_mass(face.face));
    add(face.factors.face, face_mass_.back());
  }
  if (medium.exact_steps && electric && dt_m > 0)
    begin_second_order(medium, element_.mass(mass_weights_of(problem, wall.element, field, dt_m)), dt_m);
  inverse_.factor();
  hold_fixed_dofs();
}

/// With z = dt L, L = sigma/eps + M^-1 F of the losses of medium and walls (M with eps), the step with H fixed is by
/// Pade's approximation exp(-z) = (1 + z/2 + z^2/12)^-1 (1 - z/2 + z^2/12). The part of z^2/12 that is of walls, over
/// dt: dt/12 (2 sigma/eps F + F M^-1 F).
void ElementWalls::begin_second_order(const Medium& medium, const basis::SymmetricMatrix& mass, double dt_m) {
  const std::size_t n = reference_.dofs;
  basis::SymmetricMatrix of_walls(n);
  basis::SymmetricMatrix inverse(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      inverse(i, j) = medium.eps_r * mass(i, j);
      for (std::size_t f = 0; f < faces_.size(); ++f)
        of_walls(i, j) += 2 * faces_[f].factors.face * face_mass_[f](i, j);
    }
  std::vector<bool> held(n, false);
  for (const WallFace& face : faces_)
    if (face.factors.fixed)
      for (const std::size_t dof : reference_.on_face[face.face]) held[dof] = true;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (held[i] || held[j]) inverse(i, j) = i == j ? 1.0 : 0.0;
  inverse.factor();
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    std::vector<Vector>& columns = second_order_.emplace_back();
    for (const std::size_t dof : reference_.on_face[faces_[f].face]) {
      Vector of_face(n);
      for (std::size_t i = 0; i < n; ++i) of_face[i] = 2 * faces_[f].factors.face * face_mass_[f](i, dof);
      Vector x = of_face;
      for (std::size_t i = 0; i < n; ++i) x[i] = held[i] ? 0.0 : x[i];
      inverse.solve(x.data());
      Vector& column = columns.emplace_back(n);
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 2 * medium.sigma_e / medium.eps_r * of_face[i];
        for (std::size_t j = 0; j < n; ++j) sum += of_walls(i, j) * x[j];
        column[i] = dt_m / 12 * sum;
        inverse_(i, dof) += column[i];
      }
    }
  }
}

ElementWalls::Vector ElementWalls::own(std::size_t j, std::size_t k) const {
  const std::size_t dof = reference_.on_face[faces_[j].face][k];
  Vector x(reference_.dofs, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = faces_[j].factors.face * face_mass_[j](i, dof);
  if (!second_order_.empty())
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += second_order_[j][k][i];
  inverse_.solve(x.data());
  release(x);
  for (std::size_t c = 0; c < fixed_.dofs.size(); ++c)
    if (fixed_.dofs[c] == dof && fixed_by_[c] == j)
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += fixed_.columns[c][i];
  return x;
}

ElementWalls::Vector ElementWalls::old(std::size_t j, std::size_t k) const {
  if (second_order_.empty()) return Vector(reference_.dofs, 0.0);
  Vector x = second_order_[j][k];
  for (double& entry : x) entry *= -2;
  return response(std::move(x));
}

ElementWalls::Vector ElementWalls::other(std::size_t j, std::size_t k) const {
  Vector x(reference_.dofs, 0.0);
  const double scale = faces_[j].factors.turned * element_.sign();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = scale * reference_.face[faces_[j].face](i, k);
  return response(std::move(x));
}

ElementWalls::Vector ElementWalls::wave(std::size_t j) const {
  Vector x(reference_.dofs, 0.0);
  const DrivenFace* driven = faces_[j].driven;
  if (driven == nullptr) return x;
  const auto& moment = field_ == Field::electric ? driven->direct : driven->rotated;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = faces_[j].factors.incident * moment[i];
  return response(std::move(x));
}

void ElementWalls::hold(double* u) const {
  Vector x(u, u + reference_.dofs);
  release(x);
  std::copy(x.begin(), x.end(), u);
}

ElementWalls::Vector ElementWalls::response(Vector moment) const {
  inverse_.solve(moment.data());
  release(moment);
  return moment;
}

HeldTrace ElementWalls::hold_face(std::size_t face) const {
  std::vector<std::size_t> dofs;
  for (const std::size_t dof : reference_.on_face[face])
    if (std::find(fixed_.dofs.begin(), fixed_.dofs.end(), dof) == fixed_.dofs.end()) dofs.push_back(dof);
  return hold_trace(std::move(dofs));
}

void ElementWalls::add(double factor, const basis::SymmetricMatrix& matrix) {
  for (std::size_t i = 0; i < reference_.dofs; ++i)
    for (std::size_t j = 0; j < reference_.dofs; ++j) inverse_(i, j) += factor * matrix(i, j);
}

void ElementWalls::hold_fixed_dofs() {
  std::vector<bool> seen(reference_.dofs, false);
  std::vector<std::size_t> dofs;
  for (std::size_t j = 0; j < faces_.size(); ++j) {
    if (!faces_[j].factors.fixed) continue;
    for (const std::size_t dof : reference_.on_face[faces_[j].face]) {
      if (seen[dof]) continue;
      seen[dof] = true;
      dofs.push_back(dof);
      fixed_by_.push_back(j);
    }
  }
  fixed_ = hold_trace(std::move(dofs));
}

HeldTrace ElementWalls::hold_trace(std::vector<std::size_t> dofs) const {
  const std::size_t n = reference_.dofs;
  const std::size_t count = dofs.size();
  std::vector<Vector> inverse;
  for (const std::size_t dof : dofs) {
    Vector unit(n, 0.0);
    unit[dof] = 1;
    inverse.push_back(response(std::move(unit)));
  }
  HeldTrace held{std::move(dofs), basis::SymmetricMatrix(count), {}};
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t d = 0; d < count; ++d) held.trace_of_inverse(c, d) = inverse[c][held.dofs[d]];
  if (count > 0) held.trace_of_inverse.factor();
  for (std::size_t c = 0; c < count; ++c) {
    Vector unit(count, 0.0);
    unit[c] = 1;
    held.trace_of_inverse.solve(unit.data());
    Vector& column = held.columns.emplace_back(n, 0.0);
    for (std::size_t d = 0; d < count; ++d)
      for (std::size_t i = 0; i < n; ++i) column[i] += inverse[d][i] * unit[d];
    for (std::size_t d = 0; d < count; ++d) column[held.dofs[d]] = d == c ? 1 : 0;
  }
  return held;
}

void ElementWalls::release(Vector& x) const {
  Vector values;
  for (const std::size_t dof : fixed_.dofs) values.push_back(x[dof]);
  for (std::size_t c = 0; c < fixed_.dofs.size(); ++c)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= fixed_.columns[c][i] * values[c];
  for (const std::size_t dof : fixed_.dofs) x[dof] = 0;
}

}  // namespace tetrawave::march
