// exp(j pi x) in kernels, without library functions.
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// 1/pi is the sum of the two.
template <class S>
inline constexpr S inverse_pi = static_cast<S>(0.31830988618379069);
template <class S>
inline constexpr S inverse_pi_rest = static_cast<S>(0.31830988618379069 - static_cast<double>(inverse_pi<S>));
template <>
inline constexpr double inverse_pi_rest<double> = -1.9678676675182486e-17;

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

/// |x| < 2^50, of single precision 2^21. x - whole is exact, and lies in [-1/2, 1/2].
template <class Lane>
TW_FN WholeTurns<Lane> whole_turns(const typename Lane::Number& x) {
  using S = typename Lane::Scalar;
  constexpr S shift = sizeof(S) == 8 ? static_cast<S>(6755399441055744)
                                     : static_cast<S>(12582912);  // 3 2^51, 3 2^22: added, all behind the point is lost
  const typename Lane::Number shifted = x + shift;
  return {shifted - shift, shifted};
}

/// x (-1)^whole.
template <class Lane>
TW_FN typename Lane::Number turned(const Lane& lane, const typename Lane::Number& x, const WholeTurns<Lane>& turns) {
  constexpr int sign = 8 * static_cast<int>(sizeof(typename Lane::Scalar)) - 1;
  return lane.from_bits(lane.bits(x) ^ (lane.bits(turns.shifted) << sign));
}

/// cos(pi x), sin(pi x) for |x| <= 1/2: polynomials in x^2 with the least error there, 4e-18 and 2e-16, in single
/// precision 2e-10 and 3e-9; with rounding 5e-16 and 2e-7.
template <class Lane>
TW_FN Phase<Lane> phase_of_rest(const typename Lane::Number& x) {
  using R = typename Lane::Number;
  using S = typename Lane::Scalar;
  constexpr bool is_double = sizeof(S) == 8;
  constexpr int terms = is_double ? 8 : 5;
  constexpr double of_cosine[2][8] = {
      {-0.024420700098143674, 0.2349539257368844, -1.3352161048911668, 4.058709599761355, -4.9348021560877795},
      {4.1495643539425857e-06, -0.00010456655338748738, 0.0019295562724817132, -0.025806888737002202,
       0.23533063012953284, -1.3352627688434471, 4.0587121264164967, -4.9348022005446763}};
  constexpr double of_sine[2][8] = {
      {0.07722012924002378, -0.5980451742938583, 2.5500313773145025, -5.16770687892881, 3.1415925800447617},
      {-2.1133627352052969e-05, 0.00046598701580433777, -0.0073703643265304155, 0.082145878816310428,
       -0.59926452882522396, 2.5501640398618677, -5.1677127800497855, 3.1415926535897927}};
  const R square = x * x;
  R cosine = R{} + static_cast<S>(of_cosine[is_double][0]);
  R sine = R{} + static_cast<S>(of_sine[is_double][0]);
  TW_UNROLL
  for (int i = 1; i < terms; ++i) {
    cosine = cosine * square + static_cast<S>(of_cosine[is_double][i]);
    sine = sine * square + static_cast<S>(of_sine[is_double][i]);
  }
  return {cosine * square + static_cast<S>(1), sine * x};
}

}  // namespace tetrawave::kernels
