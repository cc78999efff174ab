// Element matrices of one straight tetrahedron in physical space, for set-up (not for time stepping).
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "base/types.hpp"
#include "basis/dense_matrix.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::basis {

/// Weights of vector components in a mass: a symmetric matrix. A diagonal one is eps or mu along the axes.
struct Weights {
  Vec3 axes{1, 1, 1};  ///< xx, yy, zz
  Vec3 across{};       ///< yz, zx, xy

  Weights() = default;
  Weights(const Vec3& diagonal) : axes(diagonal) {}  // NOLINT(google-explicit-constructor): these are weights
  [[nodiscard]] bool is_diagonal() const { return across == Vec3{}; }
  [[nodiscard]] Vec3 operator*(const Vec3& v) const {
    return {axes[0] * v[0] + across[2] * v[1] + across[1] * v[2], across[2] * v[0] + axes[1] * v[1] + across[0] * v[2],
            across[1] * v[0] + across[0] * v[1] + axes[2] * v[2]};
  }
  [[nodiscard]] Weights inverse() const;
  /// Rows of the upper triangle R of R^T R.
  [[nodiscard]] std::array<Vec3, 3> root() const;
};

/// A tetrahedron with vertices in ascending global order.
class PhysicalElement {
 public:
  /// `corners` in metres; keeps a reference to the space.
  PhysicalElement(Space space, const std::array<Vec3, 4>& corners);

  [[nodiscard]] double volume() const { return volume_; }
  /// sgn det J, the common sign of the factored operators.
  [[nodiscard]] double sign() const { return sign_; }
  /// q_ab = t_a . weights^-1 t_b / |det J| in the order 00 01 02 11 12 22 [1/m].
  [[nodiscard]] std::array<double, 6> metric(const Weights& weights = {}) const;
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
  /// int N_i . weights N_j [m].
  [[nodiscard]] SymmetricMatrix mass(const Weights& weights = {}) const;
  /// int curl N_i . weights^-1 curl N_j [1/m].
  [[nodiscard]] SymmetricMatrix stiffness(const Weights& weights = {}) const;
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
