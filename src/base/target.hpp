// The only place that knows whether a function is compiled for the device.
#pragma once

#define TW_PRAGMA(text) _Pragma(#text)
#ifdef __CUDACC__
/// A function of the physics source: compiled for the host and for the device, always inlined.
#define TW_FN __host__ __device__ __forceinline__
/// The following loop is unrolled completely, so that its arrays stay in registers.
#define TW_UNROLL _Pragma("unroll")
/// The following loop is unrolled this many times (a plain number).
#define TW_UNROLL_BY(times) TW_PRAGMA(unroll times)
/// The same, on the device only.
#define TW_UNROLL_DEVICE_BY(times) TW_PRAGMA(unroll times)
/// The following loop is unrolled completely on the device if `small` is true (it may depend on the template).
#define TW_UNROLL_IF(small) TW_PRAGMA(unroll((small) ? 128 : 1))
#else
#define TW_FN [[gnu::always_inline]] inline
#define TW_UNROLL _Pragma("GCC unroll 64")
#define TW_UNROLL_BY(times) TW_PRAGMA(GCC unroll times)
#define TW_UNROLL_DEVICE_BY(times)
#define TW_UNROLL_IF(small)
#endif

/// Pointers of kernels never alias.
#define TW_RESTRICT __restrict__
