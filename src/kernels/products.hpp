// Products of vectors with the constant matrices of a space (generated/kernel_terms.hpp).
#pragma once

#include <cmath>
#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// The terms of a space: straight-line code, loops over tables, straight-line code in multiply-adds, or the sparse
/// operators of Bernstein polynomials (kernels/bernstein.hpp).
enum class ProductStyle { straight, rolled, fused, sparse };

/// a b + c, on a GPU always as one operation.
template <class S, class R>
TW_FN R multiply_add(S a, const R& b, const R& c) {
#ifdef __CUDA_ARCH__
  return fma(a, b, c);
#else
  return c + a * b;
#endif
}

/// to[i] (add ? += : =) sum of value[k] from[column[k]], k from first[i] up to first[i + 1], i < rows.
template <int rows, bool add, class S, class R>
TW_FN void multiply_sparse(const std::uint16_t* first, const std::uint8_t* column, const S* value,
                           const R* TW_RESTRICT from, R* TW_RESTRICT to) {
#ifdef __CUDA_ARCH__
  // Both arrays are in use here: nvcc 13.0 overlaid them in a thread's memory (DFDD-ELD, decision 022).
  asm volatile("" ::"l"(from), "l"(to) : "memory");
#endif
  TW_UNROLL_BY(1)
  for (int i = 0; i < rows; ++i) {
    R sum = R{};
    if constexpr (add) sum = to[i];
    TW_UNROLL_BY(2)
    for (int k = first[i]; k < first[i + 1]; ++k) sum += value[k] * from[column[k]];
    to[i] = sum;
  }
}

}  // namespace tetrawave::kernels
