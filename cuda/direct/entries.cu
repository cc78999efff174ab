#include "cuda/direct/entries.hpp"

#include <algorithm>

#include "cuda/check.hpp"
#include "cuda/cuda_backend.hpp"

namespace tetrawave::cuda {

namespace {

constexpr int threads = 256, threads_of_row = 8;

/// Real numbers; complex ones are two of them.
template <class T>
struct Parts {
  using Real = T;
  static constexpr int count = 1;
};
template <class R>
struct Parts<std::complex<R>> {
  using Real = R;
  static constexpr int count = 2;
};

template <int parts, class From, class To>
__global__ void __launch_bounds__(threads)
    take_rows(std::int32_t rows, const std::int64_t* first, const std::int32_t* upper, const From* from, To* to) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  const std::int64_t row = thread / threads_of_row;
  if (row >= rows) return;
  const std::int64_t begin = upper[row], count = parts * (upper[row + 1] - begin);
  const From* const source = from + parts * first[row + 1] - count;
  for (std::int64_t k = thread % threads_of_row; k < count; k += threads_of_row)
    to[parts * begin + k] = static_cast<To>(source[k]);
}

template <class From, class To>
__global__ void __launch_bounds__(threads) convert_numbers(std::int64_t count, const From* from, To* to) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < count; i += stride)
    to[i] = static_cast<To>(from[i]);
}

}  // namespace

template <class T, class F>
void take_upper(Stream& stream, std::int32_t rows, const std::int64_t* first, const std::int32_t* upper, const T* from,
                F* to) {
  using From = typename Parts<T>::Real;
  using To = typename Parts<F>::Real;
  const auto blocks = static_cast<unsigned>((static_cast<std::int64_t>(rows) * threads_of_row + threads - 1) / threads);
  if (blocks == 0) return;
  take_rows<Parts<T>::count><<<blocks, threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(
      rows, first, upper, reinterpret_cast<const From*>(from), reinterpret_cast<To*>(to));
  check(cudaGetLastError(), "the launch that takes an upper triangle");
}

template <class T, class F>
void convert(Stream& stream, std::size_t count, const T* from, F* to) {
  using From = typename Parts<T>::Real;
  using To = typename Parts<F>::Real;
  constexpr std::size_t most_blocks = 4096;
  const std::size_t numbers = count * Parts<T>::count;
  if (numbers == 0) return;
  const auto blocks = static_cast<unsigned>(std::min(most_blocks, (numbers + threads - 1) / threads));
  convert_numbers<<<blocks, threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(
      static_cast<std::int64_t>(numbers), reinterpret_cast<const From*>(from), reinterpret_cast<To*>(to));
  check(cudaGetLastError(), "the launch that converts numbers");
}

#define TW_ENTRIES(T, F)                                                                                   \
  template void take_upper(Stream&, std::int32_t, const std::int64_t*, const std::int32_t*, const T*, F*); \
  template void convert(Stream&, std::size_t, const T*, F*);
TW_ENTRIES(double, double)
TW_ENTRIES(double, float)
TW_ENTRIES(std::complex<double>, std::complex<double>)
TW_ENTRIES(std::complex<double>, std::complex<float>)
template void convert(Stream&, std::size_t, const float*, double*);
template void convert(Stream&, std::size_t, const std::complex<float>*, std::complex<double>*);

}  // namespace tetrawave::cuda
