// Quadrature of the nonlinear update: the basis at the points of a rule with positive weights.
#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"

namespace tetrawave::basis {

/// Points of a symmetric rule with positive weights: of degree 5 (14 points) for mixed-1 and full-1, whose energy
/// |E|^4 has degree 4; of degree 6 (24 points) for mixed-2 and full-2, exact for N . eps E up to |E|^2 of degree 2. The
/// scheme conserves the energy evaluated with this rule.
struct KerrRule {
  std::vector<double> shape;   ///< per point 3 n: covariant component a of function i at 3 i + a
  std::vector<double> weight;  ///< per point; their sum is 1/6
  std::vector<std::array<double, 4>> barycentric;
};

KerrRule kerr_rule(Space space);

}  // namespace tetrawave::basis
