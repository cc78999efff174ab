// exp(j pi x) in kernels, without library functions.
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// 1/pi is the sum of the two.
inline constexpr double inverse_pi = 0.31830988618379069;
inline constexpr double inverse_pi_rest = -1.9678676675182486e-17;

/// x in half turns, split into a whole number and a remainder.
template <class Lane>
struct WholeTurns {
  typename Lane::Number whole{};
  typename Lane::Number shifted{};  ///< its lowest bit: whether `whole` is odd
};

template <class Lane>
struct Phase {
  typename Lane::Number cosine{};
  typename Lane::Number sine{};
};

/// |x| < 2^50. x - whole is exact, and lies in [-1/2, 1/2].
template <class Lane>
TW_FN WholeTurns<Lane> whole_turns(const typename Lane::Number& x) {
  constexpr double shift = 6755399441055744;  // 3 2^51: what is added to it loses all behind the point
  const typename Lane::Number shifted = x + shift;
  return {shifted - shift, shifted};
}

/// x (-1)^whole.
template <class Lane>
TW_FN typename Lane::Number turned(const Lane& lane, const typename Lane::Number& x, const WholeTurns<Lane>& turns) {
  return lane.from_bits(lane.bits(x) ^ (lane.bits(turns.shifted) << 63));
}

/// cos(pi x), sin(pi x) for |x| <= 1/2 to 5e-16: polynomials in x^2 with the least error there, 4e-18 and 2e-16.
template <class Lane>
TW_FN Phase<Lane> phase_of_rest(const typename Lane::Number& x) {
  using R = typename Lane::Number;
  constexpr double of_cosine[] = {4.1495643539425857e-06, -0.00010456655338748738, 0.0019295562724817132,
                                  -0.025806888737002202,  0.23533063012953284,     -1.3352627688434471,
                                  4.0587121264164967,     -4.9348022005446763};
  constexpr double of_sine[] = {-2.1133627352052969e-05, 0.00046598701580433777, -0.0073703643265304155,
                                0.082145878816310428,    -0.59926452882522396,   2.5501640398618677,
                                -5.1677127800497855,     3.1415926535897927};
  const R square = x * x;
  R cosine = R{} + of_cosine[0];
  R sine = R{} + of_sine[0];
  TW_UNROLL
  for (int i = 1; i < 8; ++i) {
    cosine = cosine * square + of_cosine[i];
    sine = sine * square + of_sine[i];
  }
  return {cosine * square + 1.0, sine * x};
}

}  // namespace tetrawave::kernels
