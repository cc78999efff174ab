// Numbers that a direct solver takes from other places of its GPU. Free of CUDA's own headers.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

namespace tetrawave::cuda {

class Stream;

/// Entries of the upper triangles of symmetric rows, with the diagonal: the last upper[i + 1] - upper[i] of row i,
/// which ends at first[i + 1], to the places from upper[i] on. Queued. T: double or std::complex<double>; F: the same,
/// or in single precision.
template <class T, class F>
void take_upper(Stream& stream, std::int32_t rows, const std::int64_t* first, const std::int32_t* upper, const T* from,
                F* to);

/// to[i] = from[i] in the other precision. Queued.
template <class T, class F>
void convert(Stream& stream, std::size_t count, const T* from, F* to);

}  // namespace tetrawave::cuda
