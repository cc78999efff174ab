// The dense matrices of DGTD-Upwind in the `stored` layout (theory/stored-layout).
#pragma once

#include "comm/communicator.hpp"
#include "march/elements/layout.hpp"
#include "march/interface/problem.hpp"
#include "schemes/stored/matrices.hpp"

namespace tetrawave::march {

/// Those of all elements, for a step dt_m = c0 dt [m] (dissertation eq. 4.42-4.46): dt u' = V u + W v + sum_f (P_f u+ +
/// Q_f v+), the traces of the element itself in V and W. Keeps references to the problem and the layout. Collective:
/// neighbours on other ranks send their media.
template <class S>
MakeMatrices upwind_matrix_maker(const Problem& problem, const ElementLayout<S>& layout,
                                 const comm::Communicator& ranks, double dt_m);

}  // namespace tetrawave::march
