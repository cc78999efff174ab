// DGTD-Central with dense matrices (dissertation eq. 4.40, 4.41; THEORY.md 14): u+ = A2 u + A1 v + sum_f P_f (v+ - v).
//
// Everything is integrated by quadrature and inverted densely; the tables of the factored layout are not used.
#pragma once

#include "march/problem.hpp"
#include "march/stored_matrices.hpp"

namespace tetrawave::march {

/// The matrices of an element over a step dt_m = c0 dt [m]. With a = eps/dt + sigma_e/2 (mu, sigma_m for H; eps with
/// the present part of its terms), s = sigma_e (0 beside terms of dispersion, which take it), the factors b_f, d_f of a
/// wall (schemes/walls.hpp), A0 = a M + F, F = sum_f b_f F_f:
///   A2 = A0^-1 ((a - s) M - F),  A1 = +-A0^-1 C,  P_f = A0^-1 (+-1/2 + d_f) D_f  (+ for E, - for H).
/// A2 is computed as (1 - s/a) I - (2 - s/a) A0^-1 F: exact without walls.
ElementMatrices central_matrices(const Problem& problem, LocalIndex element, double dt_m);

/// A0^-1 g of one driven face: what its wave adds to u+, per unit of w (THEORY.md 7).
std::vector<double> central_wave(const Problem& problem, const DrivenFace& face, Field field, double dt_m);

/// Whether an element has walls with losses of this field and terms of dispersion, which change u before the update:
/// then A0^-1 F (u - u_old) belongs to u+ too, u_old being u before that change.
bool keeps_field(const Problem& problem, LocalIndex element, Field field);
/// A0^-1 F, n x n.
basis::DenseMatrix central_wall(const Problem& problem, LocalIndex element, Field field, double dt_m);

}  // namespace tetrawave::march
