// The dense matrices of DFDD-ELD in the `stored` layout (theory/stored-layout).
#pragma once

#include "march/interface/problem.hpp"
#include "schemes/stored/matrices.hpp"

namespace tetrawave::march {

/// An element's matrices (eq. 4.26-4.32 for the rates): u+ = K1 u + K2 w + sum_f P_f v+, w the field whose rate is u, v
/// the other field's rate, K2 = -(dt/b) A0^-1 S0, P_f = +-dt A0^-1 D_f, zero at walls.
ElementMatrices dfdd_matrices(const Problem& problem, LocalIndex element, double dt_m);

/// Those of all elements, for a step dt_m = c0 dt [m] of the coarsest LTS level. Keeps a reference to the problem.
MakeMatrices dfdd_matrix_maker(const Problem& problem, double dt_m);

}  // namespace tetrawave::march
