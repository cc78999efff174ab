// 1/x in kernels.
#pragma once

#include "base/target.hpp"

namespace tetrawave::kernels {

/// 1/x to rounding. On a GPU without the branches for numbers that do not occur here (denormal, infinite).
template <class R>
TW_FN R reciprocal(const R& x) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(R) == sizeof(double)) {
    R y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));  // to 2^-20; each of the lines below squares the error
    y = fma(y, fma(-x, y, R(1)), y);
    return fma(y, fma(-x, y, R(1)), y);
  }
#endif
  return (R{} + 1) / x;
}

}  // namespace tetrawave::kernels
