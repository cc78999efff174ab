// Rows of the element matrices of edge elements with curved edges, by quadrature (theory/curved-elements).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "basis/curved_map.hpp"
#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem {

/// Values and curls of a space's functions in reference coordinates at the points of the rule.
struct CurvedRule;

/// A_ij as in EdgeElement, real or complex, of one second-order element: at each point of a rule of degree 2 k + 2 the
/// metric numbers of the map multiply the functions of the reference element.
template <class T>
class CurvedEdgeElement {
 public:
  explicit CurvedEdgeElement(Space space);
  /// Sets the element with these corners and edge nodes [m] and the coefficients of curls and fields along x, y, z.
  void set(const std::array<Vec3, 4>& corners, const basis::Middles& middles, const std::array<T, 3>& stiffness,
           const std::array<T, 3>& mass);
  /// A_ij for j = 0 .. n - 1.
  void row(std::size_t i, T* out) const;

 private:
  using Metric = std::array<std::array<T, 3>, 3>;

  Space space_;
  const CurvedRule* rule_ = nullptr;  ///< if needed
  std::vector<Metric> of_curls_;      ///< per point, including its weight
  std::vector<Metric> of_fields_;
};

}  // namespace tetrawave::fem
