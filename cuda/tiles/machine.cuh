// What tiles (cuda/tiles/tile.cuh) ask of a GPU beyond C++: tensor cores, lanes of a warp and threads of a team in
// step, asynchronous copies. tests/emulated/cuda has the same for a CPU.
#pragma once

#include <cstdint>
#include <cstring>

namespace tetrawave::cuda {

inline constexpr int tile_warps = 4;
inline constexpr int tile_threads = 32 * tile_warps;

/// c += a b for 8 rows and 8 columns. Lane l, g = l / 4, t = l % 4: a is column t of row g, b is row t of column g, and
/// c are columns 2 t, 2 t + 1 of row g.
__device__ __forceinline__ void multiply_small_tile(double (&c)[2], double a, double b) {
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(a), "d"(b));
}

/// c += a b for 16 rows and 8 elements. Lane l, g = l / 4, t = l % 4: a0, a1 are rows g, g + 8 of column t, b is row t
/// of element g, and c are rows g, g, g + 8, g + 8 of elements 2 t, 2 t + 1, 2 t, 2 t + 1.
__device__ __forceinline__ void multiply_tile(double (&c)[4], double a0, double a1, double b) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a0), "d"(a1), "d"(b));
#else
  double upper[2] = {c[0], c[1]};
  double lower[2] = {c[2], c[3]};
  multiply_small_tile(upper, a0, b);
  multiply_small_tile(lower, a1, b);
  c[0] = upper[0], c[1] = upper[1], c[2] = lower[0], c[3] = lower[1];
#endif
}

/// A team of a thread block: warps, lanes, and a barrier of its own.
struct TileTeam {
  int number;  ///< in the thread block
  int warp;    ///< its part in the team
  int lane;

  __device__ __forceinline__ void sync() const {
    asm volatile("bar.sync %0, %1;" ::"r"(number + 1), "n"(tile_threads) : "memory");
  }
  /// For the lanes of the warp alone.
  __device__ __forceinline__ void sync_warp() const { __syncwarp(); }
  /// The value of another lane of the warp.
  __device__ __forceinline__ double from_lane(double value, int other) const {
    return __shfl_sync(0xffffffffu, value, other);
  }
};

/// Starts a number from global towards shared memory.
__device__ __forceinline__ void copy_later(double* to, const double* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from));
}
/// Likewise two; both places are multiples of 16 bytes.
__device__ __forceinline__ void copy_pair_later(double* to, const double* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from));
}
/// The same of single precision: in the place of each number of double precision its four first bytes, for
/// `copied` and `widen_pair`.
__device__ __forceinline__ void copy_later(double* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from));
}
__device__ __forceinline__ void copy_pair_later(double* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from));
}
/// A number of type S that has been copied to the place of one of double precision; read before what is written there
/// later, of whatever type.
template <class S>
__device__ __forceinline__ double copied(const double* place) {
  S number;
  memcpy(&number, place, sizeof(S));
  return number;
}
/// Two that have been copied in single precision become numbers of double precision in the same places.
__device__ __forceinline__ void widen_pair(double* place) {
  const float2 pair = *reinterpret_cast<const float2*>(place);
  *reinterpret_cast<double2*>(place) = make_double2(pair.x, pair.y);
}
/// What the thread has started is there.
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/// Starts a block of an array towards the L2 cache, by one bulk instruction; for one lane.
template <class T>
__device__ __forceinline__ void fetch_tile_rows([[maybe_unused]] const T* array, [[maybe_unused]] std::int64_t block,
                                                [[maybe_unused]] int rows) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(array + block * rows * 32),
               "r"(static_cast<int>(rows * 32 * sizeof(T))));
#endif
}

}  // namespace tetrawave::cuda
