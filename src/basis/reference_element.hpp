// The reference element of each space: hierarchical bases and the constant matrices of the factored operators.
//
// A field is v = sum_a v_a(xi) G_a with covariant components v_a = v . t_a, G_a = grad L_a, t_a = x_a - x_0, a = 1..3.
// With vertices sorted by global id (det J may be negative, s = sgn det J) every operator of the scheme except the mass
// is a constant matrix (theory/elements):
//   curl  C_ij = int N_i . curl N_j              = s * curl[i][j]
//   face  D_ij = oint_f N_i . (n x N_j)          = s * face[f][i][k],  j = on_face[f][k]
//   mass  M    = sum_m d_m sum_ab q^ab U_am U_bm / 6,  q^ab = |det J| G_a . G_b,
// where U = components * dofs are the coefficients of v_a in orthogonal polynomials phi_m with mean square d_m.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/types.hpp"
#include "basis/polynomial.hpp"

namespace tetrawave::basis {

/// A dense row-major table of doubles.
struct Table {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> entries;

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }
};

/// All constants of one space. Built once with exact arithmetic; see `reference_element`.
struct ReferenceElement {
  std::size_t dofs = 0;                              ///< n, per field
  std::size_t face_dofs = 0;                         ///< functions with a tangential trace on a face
  int degree = 0;                                    ///< of the polynomials
  std::array<std::vector<std::size_t>, 4> on_face;   ///< numbers of the functions on face f
  std::vector<std::array<Polynomial, 3>> functions;  ///< covariant components of function i
  RoundedPolynomials values;                         ///< the same, component by component, for `evaluate`
  RoundedPolynomials curls;                          ///< (curl_xi N_i)_c, for `evaluate_curls`
  Table curl;                                        ///< n x n, for s = +1
  std::array<Table, 4> face;                         ///< n x face_dofs, for s = +1
  std::vector<double> modes;                         ///< d_m: mean squares of the orthogonal polynomials
  Table components;                                  ///< (3 modes) x n, row a*modes + m
  std::size_t curl_modes = 0;                        ///< the first of the orthogonal polynomials: of degree k - 1
  /// (3 curl_modes) x n, row c*curl_modes + m: curl N_j = 1/det J sum_c t_c sum_m curl_components[c, m][j] phi_m.
  Table curl_components;

  // Traces in the coordinates of a face with vertices a < b < c: components along x_b - x_a and x_c - x_a in
  // polynomials orthogonal on the face, the same for all four faces.
  std::vector<double> face_modes;        ///< mean squares of the orthogonal polynomials on a face
  Table face_components;                 ///< (2 face_modes) x face_dofs, row a*face_modes + m
  std::array<double, 4> face_sign = {};  ///< +1 if (x_b - x_a) x (x_c - x_a) points outward when det J > 0, else -1

  // The inverse of the mass, M^-1 = to_dofs * Minv(metric) * to_dofs^T: modes whose three components are all in the
  // space ("low", 3 low_modes rows) decouple; the rest ("top") needs one small symmetric solve.
  std::size_t low_modes = 0;
  std::size_t top = 0;
  Table to_dofs;                                 ///< n x n, columns: low (a*low_modes + m), then top
  std::array<std::array<Table, 3>, 3> top_mass;  ///< [a][b]: top x top; top mass = sum_ab q^ab top_mass[a][b] / 6

  /// Covariant components of all functions at a point given by barycentric coordinates.
  [[nodiscard]] std::vector<Vec3> evaluate(const std::array<double, 4>& barycentric) const;
  /// Their curls in reference coordinates: components c along t_c/det J = G_a x G_b.
  [[nodiscard]] std::vector<Vec3> evaluate_curls(const std::array<double, 4>& barycentric) const;
};

/// The constants of a space; built on first use, shared afterwards (thread-safe).
const ReferenceElement& reference_element(Space space);

}  // namespace tetrawave::basis
