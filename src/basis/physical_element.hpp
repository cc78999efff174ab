// The element matrices of one straight tetrahedron in physical space, for set-up (not for marching).
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "base/types.hpp"
#include "basis/dense_matrix.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::basis {

/// A tetrahedron with vertices in ascending global order.
class PhysicalElement {
 public:
  /// `corners` in metres; the space stays referenced.
  PhysicalElement(Space space, const std::array<Vec3, 4>& corners);

  [[nodiscard]] double volume() const { return volume_; }
  /// sgn det J, the common sign of the factored operators.
  [[nodiscard]] double sign() const { return sign_; }
  /// q_ab = sum_i t_ai t_bi / axes_i / |det J| in the order 00 01 02 11 12 22 [1/m]; axes: diagonal of eps or mu.
  [[nodiscard]] std::array<double, 6> metric(const Vec3& axes = {1, 1, 1}) const;
  /// grad L_i [1/m].
  [[nodiscard]] const Vec3& gradient(std::size_t vertex) const { return gradients_[vertex]; }
  [[nodiscard]] Vec3 point(const std::array<double, 4>& barycentric) const;
  [[nodiscard]] std::array<double, 4> barycentric(const Vec3& point) const;
  /// Unit outward normal and area [m^2] of the face opposite vertex f.
  [[nodiscard]] Vec3 normal(std::size_t face) const;
  [[nodiscard]] double area(std::size_t face) const;

  /// Physical vectors of all functions at a point [1/m].
  [[nodiscard]] std::vector<Vec3> values(const std::array<double, 4>& barycentric) const;
  /// Their curls [1/m^2].
  [[nodiscard]] std::vector<Vec3> curls(const std::array<double, 4>& barycentric) const;
  /// int N_i . diag(axes) N_j [m].
  [[nodiscard]] SymmetricMatrix mass(const Vec3& axes = {1, 1, 1}) const;
  /// int curl N_i . diag(1/axes) curl N_j [1/m].
  [[nodiscard]] SymmetricMatrix stiffness(const Vec3& axes = {1, 1, 1}) const;
  /// oint_f N_it . N_jt [1], n x n.
  [[nodiscard]] SymmetricMatrix face_mass(std::size_t face) const;
  /// oint_f N_i . v and oint_f (n x N_i) . v, v given at the face's barycentric coordinates (ascending vertices).
  struct FaceMoments {
    std::vector<double> direct;
    std::vector<double> rotated;
  };
  [[nodiscard]] FaceMoments face_moments(std::size_t face, const std::function<Vec3(const std::array<double, 3>&)>& v,
                                         int degree) const;

 private:
  const ReferenceElement* reference_;
  std::array<Vec3, 4> corners_;
  std::array<Vec3, 4> gradients_{};  ///< grad L_i
  double volume_ = 0;
  double sign_ = 1;
};

/// Barycentric coordinates of the element from those on its face f (ascending vertices).
std::array<double, 4> from_face(std::size_t face, const std::array<double, 3>& on_face);

}  // namespace tetrawave::basis
