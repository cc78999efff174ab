// Fields of one straight element as polynomials along x, y, z, so that the laws of media act on their coefficients,
// axis by axis.
#pragma once

#include <array>
#include <cstddef>

#include "base/types.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::fem {

/// A vector field of an element is [axis][mode] coefficients of the orthogonal polynomials phi_m of
/// basis::ReferenceElement, whose mean squares are d_m:
///   v_x,m = sum_a G_a,x (U u)_am,     curl v_x,m = 1/det J sum_c t_c,x (C u)_cm.
/// Curls have the first `curl_modes` of the `modes` polynomials.
class CartesianElement {
 public:
  explicit CartesianElement(Space space);
  /// Sets the element with these corners [m].
  void set(const std::array<Vec3, 4>& corners);

  [[nodiscard]] std::size_t functions() const { return reference_->dofs; }
  [[nodiscard]] std::size_t modes() const { return reference_->modes.size(); }
  [[nodiscard]] std::size_t curl_modes() const { return reference_->curl_modes; }

  /// out [3][count]: the first `count` coefficients of the field with these dofs.
  void field(const double* dofs, std::size_t count, double* out) const;
  /// out [3][curl_modes]: of its curl.
  void curl(const double* dofs, double* out) const;
  /// out_i += int N_i . v, v [3][modes].
  void add_moments(const double* v, double* out) const;
  /// out_i += int curl N_i . v, v [3][curl_modes].
  void add_curl_moments(const double* v, double* out) const;
  /// dofs += those of v, [3][curl_modes].
  void add_dofs(const double* v, double* dofs) const;
  /// int u . v of two fields [3][count].
  [[nodiscard]] double product(const double* u, const double* v, std::size_t count) const;

 private:
  const basis::ReferenceElement* reference_;
  std::array<Vec3, 3> tangents_{};   ///< t_a [m]
  std::array<Vec3, 3> gradients_{};  ///< G_a [1/m]
  double det_ = 0;                   ///< signed [m^3]
};

}  // namespace tetrawave::fem
