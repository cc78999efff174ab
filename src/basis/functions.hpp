// The hierarchical basis functions of each space as covariant polynomials.
#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"
#include "basis/polynomial.hpp"

namespace tetrawave::basis {

/// One basis function: covariant components, and the vertices it belongs to (an edge's two or a face's three).
struct Function {
  std::array<Polynomial, 3> components;
  std::vector<int> vertices;
};

/// The functions of a space (THEORY.md 2):
///   W_ij (6) | + grad(Li Lj) (6) | + La W_bc, Lb W_ac per face (8) | + grad(Li Lj (Li-Lj)) (6), grad(La Lb Lc) (4).
std::vector<Function> functions_of(Space space);

/// Polynomial degree of the components.
int degree_of(Space space);

}  // namespace tetrawave::basis
