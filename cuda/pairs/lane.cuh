// The GPU's lane for sums over pairs of points: a thread has a point.
#pragma once

#include <cstdint>

#include "kernels/half_turns.hpp"

namespace tetrawave::cuda {

template <class S>
struct PairLane;

template <>
struct PairLane<double> {
  using Number = double;
  using Scalar = double;
  std::int64_t point, stride;

  __device__ __forceinline__ double load(const double* array, int /*rows*/, int row) const {
    return __ldg(array + row * stride + point);
  }
  /// From 2^-20 to rounding by the first three terms of the series in 1 - x y^2.
  __device__ __forceinline__ double inverse_root(double x) const {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double rest = fma(-(x * y), y, 1.0);
    return fma(y * rest, fma(0.375, rest, 0.5), y);
  }
  __device__ __forceinline__ std::uint64_t bits(double x) const {
    return static_cast<std::uint64_t>(__double_as_longlong(x));
  }
  __device__ __forceinline__ double from_bits(std::uint64_t x) const {
    return __longlong_as_double(static_cast<long long>(x));
  }
  __device__ __forceinline__ kernels::Phase<PairLane> phase(double x) const {
    return kernels::phase_of_rest<PairLane>(x);
  }
};

template <>
struct PairLane<float> {
  using Number = float;
  using Scalar = float;
  std::int64_t point, stride;

  __device__ __forceinline__ float load(const float* array, int /*rows*/, int row) const {
    return __ldg(array + row * stride + point);
  }
  __device__ __forceinline__ float inverse_root(float x) const { return rsqrtf(x); }
  __device__ __forceinline__ std::uint32_t bits(float x) const { return __float_as_uint(x); }
  __device__ __forceinline__ float from_bits(std::uint32_t x) const { return __uint_as_float(x); }
  /// By the special function unit, to 2^-21 within +-pi.
  __device__ __forceinline__ kernels::Phase<PairLane> phase(float x) const {
    kernels::Phase<PairLane> to;
    __sincosf(3.14159265f * x, &to.sine, &to.cosine);
    return to;
  }
};

}  // namespace tetrawave::cuda
