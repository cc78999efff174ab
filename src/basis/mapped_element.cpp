#include "basis/mapped_element.hpp"

#include <cmath>

#include "basis/quadrature.hpp"

namespace tetrawave::basis {

/// Prefactors of functions and curls at one point.
struct MappedElement::Frame {
  std::array<Vec3, 3> tangents{};   ///< t_a
  std::array<Vec3, 4> gradients{};  ///< grad L_v
  double determinant = 0;
};

MappedElement::MappedElement(Space space, const std::array<Vec3, 4>& corners, const Middles* middles)
    : reference_(&reference_element(space)), straight_(space, corners) {
  if (middles != nullptr) map_.emplace(corners, *middles);
}

MappedElement::Frame MappedElement::frame(const std::array<double, 4>& barycentric) const {
  Frame frame;
  frame.tangents = map_->tangents(barycentric);
  const auto& t = frame.tangents;
  const std::array<Vec3, 3> across{cross(t[1], t[2]), cross(t[2], t[0]), cross(t[0], t[1])};
  frame.determinant = dot(t[0], across[0]);
  for (std::size_t a = 0; a < 3; ++a) frame.gradients[a + 1] = (1 / frame.determinant) * across[a];
  frame.gradients[0] = -1.0 * (frame.gradients[1] + frame.gradients[2] + frame.gradients[3]);
  return frame;
}

Vec3 MappedElement::point(const std::array<double, 4>& barycentric) const {
  return map_ ? map_->point(barycentric) : straight_.point(barycentric);
}

std::optional<std::array<double, 4>> MappedElement::barycentric(const Vec3& place) const {
  return map_ ? map_->barycentric(place) : straight_.barycentric(place);
}

double MappedElement::volume(const std::array<double, 4>& barycentric) const {
  return map_ ? std::abs(map_->determinant(barycentric)) / 6 : straight_.volume();
}

std::vector<Vec3> MappedElement::values(const std::array<double, 4>& barycentric) const {
  if (!map_) return straight_.values(barycentric);
  const auto& g = frame(barycentric).gradients;
  std::vector<Vec3> result = reference_->evaluate(barycentric);
  for (Vec3& v : result) v = v[0] * g[1] + v[1] * g[2] + v[2] * g[3];
  return result;
}

std::vector<Vec3> MappedElement::curls(const std::array<double, 4>& barycentric) const {
  if (!map_) return straight_.curls(barycentric);
  const Frame at = frame(barycentric);
  std::vector<Vec3> result = reference_->evaluate_curls(barycentric);
  for (Vec3& v : result)
    v = (1 / at.determinant) * (v[0] * at.tangents[0] + v[1] * at.tangents[1] + v[2] * at.tangents[2]);
  return result;
}

/// As for a straight element, 3 V |grad L_f|, with the gradient and the volume of the point.
MappedElement::FacePoint MappedElement::on_face(std::size_t face, const std::array<double, 3>& barycentric) const {
  const auto in_element = from_face(face, barycentric);
  if (!map_) return {in_element, straight_.normal(face), straight_.area(face)};
  const Frame at = frame(in_element);
  const double slope = norm(at.gradients[face]);
  return {in_element, (-1 / slope) * at.gradients[face], std::abs(at.determinant) / 2 * slope};
}

SymmetricMatrix MappedElement::mass() const {
  if (!map_) return straight_.mass();
  const std::size_t n = reference_->dofs;
  SymmetricMatrix result(n);
  for (const TetrahedronPoint& q : symmetric_tetrahedron_rule(degree_of_rule(2 * reference_->degree))) {
    const auto at_point = values(q.barycentric);
    const double weight = q.weight * volume(q.barycentric);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) result(i, j) += weight * dot(at_point[i], at_point[j]);
  }
  return result;
}

SymmetricMatrix MappedElement::face_mass(std::size_t face) const {
  if (!map_) return straight_.face_mass(face);
  SymmetricMatrix result(reference_->dofs);
  for (const TrianglePoint& q : triangle_rule(degree_of_rule(2 * reference_->degree))) {
    const FacePoint at = on_face(face, q.barycentric);
    const auto at_point = values(at.barycentric);
    for (const std::size_t i : reference_->on_face[face])
      for (const std::size_t j : reference_->on_face[face])
        result(i, j) += q.weight * at.area * dot(cross(at.normal, at_point[i]), cross(at.normal, at_point[j]));
  }
  return result;
}

PhysicalElement::FaceMoments MappedElement::face_moments(std::size_t face,
                                                         const std::function<Vec3(const std::array<double, 3>&)>& v,
                                                         int degree) const {
  if (!map_) return straight_.face_moments(face, v, degree);
  PhysicalElement::FaceMoments result{std::vector<double>(reference_->dofs, 0.0),
                                      std::vector<double>(reference_->dofs, 0.0)};
  for (const TrianglePoint& q : triangle_rule(degree_of_rule(degree))) {
    const FacePoint at = on_face(face, q.barycentric);
    const Vec3 value = v(q.barycentric);
    const auto at_point = values(at.barycentric);
    for (const std::size_t i : reference_->on_face[face]) {
      result.direct[i] += q.weight * at.area * dot(at_point[i], value);
      result.rotated[i] += q.weight * at.area * dot(cross(at.normal, at_point[i]), value);
    }
  }
  return result;
}

}  // namespace tetrawave::basis
