// The dense matrices of the `stored` layout, scheme by scheme (theory/stored-layout), for a step dt_m = c0 dt [m].
#pragma once

#include <array>

#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"
#include "schemes/stored/matrices.hpp"
#include "schemes/upwind/coefficients.hpp"

namespace tetrawave::march {

/// DGTD-Central (dissertation eq. 4.40, 4.41), with A0 and d_f of schemes/stored/equation.hpp:
///   u+ = A2 u + A1 v + sum_f P_f (v+ - v),  A1 = +-A0^-1 C,  P_f = A0^-1 (+-1/2 + d_f) D_f  (+ for E, - for H).
ElementMatrices central_matrices(const Problem& problem, LocalIndex element, double dt_m);

/// DFDD-ELD (eq. 4.26-4.32 for the rates): u+ = K1 u + K2 w + sum_f P_f v+, w the field whose rate is u, v the other
/// field's rate, K2 = -(dt/b) A0^-1 S0, P_f = +-dt A0^-1 D_f, zero at walls.
ElementMatrices dfdd_matrices(const Problem& problem, LocalIndex element, double dt_m);

/// DGTD-Upwind (eq. 4.42-4.46): dt u' = V u + W v + sum_f (P_f u+ + Q_f v+), the traces of the element itself in V and
/// W; `faces`: the factors of the traces of its four faces.
ElementMatrices upwind_matrices(const Problem& problem, LocalIndex element,
                                const std::array<schemes::FaceCoefficients, 4>& faces, double dt_m);

/// Computes an element's matrices for the problem's scheme; keeps references to its arguments. Collective: neighbours
/// on other ranks send their media.
using MakeMatrices = std::function<ElementMatrices(LocalIndex)>;
template <class S>
MakeMatrices maker_of_matrices(const Problem& problem, const ElementLayout<S>& layout, const comm::Communicator& ranks,
                               double dt_m);

extern template MakeMatrices maker_of_matrices(const Problem&, const ElementLayout<double>&, const comm::Communicator&,
                                               double);
extern template MakeMatrices maker_of_matrices(const Problem&, const ElementLayout<float>&, const comm::Communicator&,
                                               double);

}  // namespace tetrawave::march
