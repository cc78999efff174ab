// The dense matrices of DGTD-Central in the `stored` layout (theory/stored-layout).
#pragma once

#include "march/interface/problem.hpp"
#include "schemes/stored/matrices.hpp"

namespace tetrawave::march {

/// An element's matrices (dissertation eq. 4.40, 4.41), with A0 and d_f of schemes/stored/equation.hpp:
///   u+ = A2 u + A1 v + sum_f P_f (v+ - v),  A1 = +-A0^-1 C,  P_f = A0^-1 (+-1/2 + d_f) D_f  (+ for E, - for H).
ElementMatrices central_matrices(const Problem& problem, LocalIndex element, double dt_m);

/// Those of all elements, for a step dt_m = c0 dt [m] of the coarsest LTS level. Keeps a reference to the problem.
MakeMatrices central_matrix_maker(const Problem& problem, double dt_m);

}  // namespace tetrawave::march
