// Rows of the element matrices of edge elements in diagonally anisotropic media.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/types.hpp"
#include "basis/reference_element.hpp"
#include "fem/edge/curved_edge_element.hpp"
#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem {

/// Coefficients of the curls and the fields of an element, along x, y, z: complex in the frequency domain.
template <class T>
struct EdgeCoefficients {
  std::array<T, 3> stiffness{1, 1, 1};  ///< 1/mu
  std::array<T, 3> mass{};              ///< -k0^2 eps [1/m^2]
  [[nodiscard]] bool operator==(const EdgeCoefficients&) const = default;
};

/// A_ij = int curl N_i . stiffness curl N_j + int N_i . mass N_j [1/m] of one element, of a straight one by the six
/// metric numbers of each (theory/elements, theory/frequency-domain):
///   1/6 sum_m d_m [ sum_cd (t_c . stiffness t_d)/|det J| C_cm,i C_dm,j + sum_ab |det J| G_a . mass G_b U_am,i U_bm,j
///   ].
template <class T>
class EdgeElement {
 public:
  explicit EdgeElement(Space space);
  /// Sets the element with these corners [m] and, if edges are curved, edge nodes.
  void set(const std::array<Vec3, 4>& corners, const EdgeCoefficients<T>& coefficients,
           const basis::Middles* middles = nullptr);
  /// A_ij for j = 0 .. n - 1.
  void row(std::size_t i, T* out) const;
  [[nodiscard]] std::size_t size() const { return reference_->dofs; }

 private:
  using Metric = std::array<std::array<T, 3>, 3>;
  void add(const basis::Table& table, std::size_t modes, const Metric& metric, std::size_t i, T* out) const;

  const basis::ReferenceElement* reference_;
  Metric of_curls_{};
  Metric of_fields_{};
  bool is_curved_ = false;
  CurvedEdgeElement<T> curved_;
};

}  // namespace tetrawave::fem
