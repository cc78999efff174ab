// The GPU's thread for index and sum kernels (statics/kernels/rows.hpp).
#pragma once

#include <cstdint>

#include "cuda/check.hpp"
#include "cuda/statics/static_backend.hpp"
#include "statics/kernels/list.hpp"

namespace tetrawave::cuda {

struct AtomicThread {
  __device__ __forceinline__ static std::int32_t exchange(std::int32_t* place, std::int32_t value) {
    return atomicExch(place, value);
  }
  __device__ __forceinline__ static void add(double* place, double value) { atomicAdd(place, value); }
};

inline constexpr int static_threads = 256;

}  // namespace tetrawave::cuda
