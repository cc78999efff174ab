// The basis functions of each space as covariant polynomials: hierarchical ones, or Bernstein polynomials times
// gradients.
#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"
#include "basis/polynomial.hpp"

namespace tetrawave::basis {

/// One basis function: covariant components, and the vertices it belongs to (two for an edge, three for a face, or all
/// four if it has no trace on any face).
struct Function {
  std::array<Polynomial, 3> components;
  std::vector<int> vertices;
};

/// The functions of a space (theory/elements):
///   W_ij (6) | + grad(Li Lj) (6) | + La W_bc, Lb W_ac per face (8) | + grad(Li Lj (Li-Lj)) (6), grad(La Lb Lc) (4)
///   | + per face u_a - u_b, u_b - u_c, La^2 W_bc - Lb^2 W_ac + Lc^2 W_ab with u_a = La (Lb-Lc) W_bc, u_b = Lb (La-Lc)
///   W_ac, u_c = Lc (La-Lb) W_ab (12), L0 L1 W_23, L0 L2 W_13, L1 L2 W_03 (3)
///   | + grad(Li Lj (Li^2 - 3 Li Lj + Lj^2)) (6), grad(La Lb Lc (La-Lb)), grad(La Lb Lc (La+Lb-2 Lc)) (8),
///   grad(L0 L1 L2 L3) (1)                                                                      (nested_full_3),
/// and full_3 and full_4, whose curl and fluxes are sparse in these (theory/bernstein): B_alpha grad L_j, |alpha| = k,
/// alpha in descending lexicographic order, for the three j other than the lowest vertex with alpha_j > 0, ascending.
std::vector<Function> functions_of(Space space);
/// Whether these are Bernstein polynomials times gradients.
constexpr bool is_bernstein(Space space) { return space == Space::full_3 || space == Space::full_4; }

/// k!/(alpha_0! .. alpha_3!) L0^alpha_0 .. L3^alpha_3.
Polynomial bernstein(const std::array<int, 4>& alpha);
/// All alpha with |alpha| = degree, in descending lexicographic order.
std::vector<std::array<int, 4>> bernstein_indices(int degree);

/// Polynomial degree of the components.
int degree_of(Space space);

}  // namespace tetrawave::basis
