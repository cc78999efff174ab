// The element matrices of one straight tetrahedron as sums over quadrature points: values and curls of the functions
// in physical space, multiplied point by point. Slow, for set-up; shares no table with the factored operators.
#pragma once

#include <array>
#include <vector>

#include "basis/dense_matrix.hpp"
#include "basis/physical_element.hpp"

namespace tetrawave::basis {

/// A tetrahedron with vertices in ascending global order.
class QuadratureElement {
 public:
  /// `corners` in metres.
  QuadratureElement(Space space, const std::array<Vec3, 4>& corners);

  /// W of the mass int N_i . weights N_j = W^T W [m]: a row per point and component, n columns.
  [[nodiscard]] DenseMatrix mass_root(const Weights& weights = {}) const;
  /// W of int curl N_i . weights^-1 curl N_j = W^T W [1/m], in the same form.
  [[nodiscard]] DenseMatrix curl_root(const Weights& weights = {}) const;
  /// int N_i . curl N_j [1], n x n.
  [[nodiscard]] DenseMatrix curl() const;
  /// oint_f N_i . (n x N_j) [1] of the functions i, j = on_face[f] with a tangential trace there.
  [[nodiscard]] DenseMatrix coupling(std::size_t face) const;
  /// W of oint_f N_it . N_jt = W^T W [1] of the same functions.
  [[nodiscard]] DenseMatrix face_mass_root(std::size_t face) const;

 private:
  struct Rules;
  static const Rules& rules_of(Space space);
  /// Rows 3 q + x: component x of every function at point q, from components along three vectors.
  [[nodiscard]] DenseMatrix combine(const DenseMatrix& components, const std::array<Vec3, 3>& along) const;
  [[nodiscard]] DenseMatrix curls() const;
  [[nodiscard]] DenseMatrix values_on_face(std::size_t face) const;

  const Rules* rules_;
  PhysicalElement shape_;
};

}  // namespace tetrawave::basis
