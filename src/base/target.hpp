// The one place that knows whether a function is compiled for the device.
#pragma once

#ifdef __CUDACC__
/// A function of the physics source: compiled for the host and for the device, always inlined.
#define TW_FN __host__ __device__ __forceinline__
#else
#define TW_FN [[gnu::always_inline]] inline
#endif

/// Pointers of kernels never alias.
#define TW_RESTRICT __restrict__
