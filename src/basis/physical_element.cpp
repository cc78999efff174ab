#include "basis/physical_element.hpp"

#include <cmath>

#include "base/error.hpp"
#include "basis/quadrature.hpp"

namespace tetrawave::basis {

Weights Weights::inverse() const {
  if (is_diagonal()) return Vec3{1 / axes[0], 1 / axes[1], 1 / axes[2]};
  const auto& [x, y, z] = axes;
  const auto& [yz, zx, xy] = across;
  const Vec3 diagonal{y * z - yz * yz, z * x - zx * zx, x * y - xy * xy};
  const Vec3 others{zx * xy - x * yz, xy * yz - y * zx, yz * zx - z * xy};
  const double determinant = x * diagonal[0] + xy * others[2] + zx * others[1];
  Weights result((1 / determinant) * diagonal);
  result.across = (1 / determinant) * others;
  return result;
}

std::array<Vec3, 3> Weights::root() const {
  std::array<Vec3, 3> r{};
  r[0][0] = std::sqrt(axes[0]);
  r[0][1] = across[2] / r[0][0];
  r[0][2] = across[1] / r[0][0];
  r[1][1] = std::sqrt(axes[1] - r[0][1] * r[0][1]);
  r[1][2] = (across[0] - r[0][1] * r[0][2]) / r[1][1];
  r[2][2] = std::sqrt(axes[2] - r[0][2] * r[0][2] - r[1][2] * r[1][2]);
  return r;
}

PhysicalElement::PhysicalElement(Space space, const std::array<Vec3, 4>& corners)
    : reference_(&reference_element(space)), corners_(corners) {
  const Vec3 t1 = corners[1] - corners[0];
  const Vec3 t2 = corners[2] - corners[0];
  const Vec3 t3 = corners[3] - corners[0];
  const double determinant = dot(t1, cross(t2, t3));
  volume_ = std::abs(determinant) / 6;
  sign_ = determinant < 0 ? -1 : 1;
  gradients_[1] = (1 / determinant) * cross(t2, t3);
  gradients_[2] = (1 / determinant) * cross(t3, t1);
  gradients_[3] = (1 / determinant) * cross(t1, t2);
  gradients_[0] = -1.0 * (gradients_[1] + gradients_[2] + gradients_[3]);
}

std::array<double, 6> PhysicalElement::metric(const Weights& weights) const {
  const std::array<Vec3, 3> t{corners_[1] - corners_[0], corners_[2] - corners_[0], corners_[3] - corners_[0]};
  const Weights inverse = weights.inverse();
  const auto q = [this, &weights, &inverse, &t](std::size_t a, std::size_t b) {
    if (!weights.is_diagonal()) return dot(t[a], inverse * t[b]) / (6 * volume_);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += t[a][i] * t[b][i] / weights.axes[i];
    return sum / (6 * volume_);
  };
  return {q(0, 0), q(0, 1), q(0, 2), q(1, 1), q(1, 2), q(2, 2)};
}

Vec3 PhysicalElement::point(const std::array<double, 4>& barycentric) const {
  Vec3 sum{};
  for (std::size_t i = 0; i < 4; ++i) sum = sum + barycentric[i] * corners_[i];
  return sum;
}

std::array<double, 4> PhysicalElement::barycentric(const Vec3& point) const {
  std::array<double, 4> result{};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t other = (i + 1) % 4;  // L_i vanishes at every other vertex
    result[i] = dot(gradients_[i], point - corners_[other]);
  }
  return result;
}

Vec3 PhysicalElement::normal(std::size_t face) const { return (-1 / norm(gradients_[face])) * gradients_[face]; }

double PhysicalElement::area(std::size_t face) const { return 3 * volume_ * norm(gradients_[face]); }

std::vector<Vec3> PhysicalElement::values(const std::array<double, 4>& barycentric) const {
  std::vector<Vec3> result = reference_->evaluate(barycentric);
  for (Vec3& v : result) v = v[0] * gradients_[1] + v[1] * gradients_[2] + v[2] * gradients_[3];
  return result;
}

/// curl v = sum_c t_c (curl_xi v)_c / det J of the covariant components, t_c/det J = G_a x G_b.
std::vector<Vec3> PhysicalElement::curls(const std::array<double, 4>& barycentric) const {
  const std::array<Vec3, 3> along{cross(gradients_[2], gradients_[3]), cross(gradients_[3], gradients_[1]),
                                  cross(gradients_[1], gradients_[2])};
  std::vector<Vec3> result = reference_->evaluate_curls(barycentric);
  for (Vec3& v : result) v = v[0] * along[0] + v[1] * along[1] + v[2] * along[2];
  return result;
}

SymmetricMatrix PhysicalElement::mass(const Weights& weights) const {
  const std::size_t n = reference_->dofs;
  const std::size_t count = reference_->modes.size();
  SymmetricMatrix result(n);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      const double gram = volume_ * dot(gradients_[a + 1], weights * gradients_[b + 1]);
      for (std::size_t m = 0; m < count; ++m)
        for (std::size_t i = 0; i < n; ++i) {
          const double left = gram * reference_->modes[m] * reference_->components(a * count + m, i);
          if (left == 0) continue;
          for (std::size_t j = 0; j < n; ++j) result(i, j) += left * reference_->components(b * count + m, j);
        }
    }
  return result;
}

SymmetricMatrix PhysicalElement::stiffness(const Weights& weights) const {
  constexpr std::size_t pair[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const auto q = metric(weights);
  const std::size_t n = reference_->dofs;
  const std::size_t count = reference_->curl_modes;
  const Table& curl = reference_->curl_components;
  SymmetricMatrix result(n);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      for (std::size_t m = 0; m < count; ++m)
        for (std::size_t i = 0; i < n; ++i) {
          const double left = q[pair[a][b]] * reference_->modes[m] / 6 * curl(a * count + m, i);
          if (left == 0) continue;
          for (std::size_t j = 0; j < n; ++j) result(i, j) += left * curl(b * count + m, j);
        }
  return result;
}

SymmetricMatrix PhysicalElement::face_mass(std::size_t face) const {
  const Vec3 n = normal(face);
  const double face_area = area(face);
  SymmetricMatrix result(reference_->dofs);
  for (const TrianglePoint& q : triangle_rule(2 * reference_->degree)) {
    const auto at_point = values(from_face(face, q.barycentric));
    for (const std::size_t i : reference_->on_face[face])
      for (const std::size_t j : reference_->on_face[face])
        result(i, j) += q.weight * face_area * dot(cross(n, at_point[i]), cross(n, at_point[j]));
  }
  return result;
}

PhysicalElement::FaceMoments PhysicalElement::face_moments(std::size_t face,
                                                           const std::function<Vec3(const std::array<double, 3>&)>& v,
                                                           int degree) const {
  FaceMoments result{std::vector<double>(reference_->dofs, 0.0), std::vector<double>(reference_->dofs, 0.0)};
  const Vec3 n = normal(face);
  const double face_area = area(face);
  for (const TrianglePoint& q : triangle_rule(degree)) {
    const Vec3 value = v(q.barycentric);
    const auto at_point = values(from_face(face, q.barycentric));
    for (const std::size_t i : reference_->on_face[face]) {
      result.direct[i] += q.weight * face_area * dot(at_point[i], value);
      result.rotated[i] += q.weight * face_area * dot(cross(n, at_point[i]), value);
    }
  }
  return result;
}

std::array<double, 4> from_face(std::size_t face, const std::array<double, 3>& on_face) {
  std::array<double, 4> result{};
  std::size_t k = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (i != face) result[i] = on_face[k++];
  return result;
}

}  // namespace tetrawave::basis
