// Kernels of what mode fe-iiee does between solutions and sums over pairs of points (theory/fe-iiee): vectors of
// boundary values, sources of the sums, and what the sums give. Kernels: fem/device/kernels.hpp.
#pragma once

#include <cstdint>

#include "fem/device/kernel_list.hpp"

namespace tetrawave::fem::device {

inline constexpr int vectors_at_once = 8;  ///< of the same place, read by one thread

/// (a_k, b) = sum w conj(a_k) b, to `to`. A weight stands for `run` numbers; without weights 1.
struct WeightedProducts {
  static constexpr int width = 1, sums = 2 * vectors_at_once;
  const ComplexNumber* a[vectors_at_once] = {};
  const ComplexNumber* b = nullptr;
  const double* weights = nullptr;
  std::int32_t run = 1;
  std::int32_t count = 0;
  ComplexNumber* to = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double* partial) const {
    const ComplexNumber value = weights == nullptr ? b[i] : times(weights[i / run], b[i]);
    for (int k = 0; k < vectors_at_once; ++k)
      if (k < count) put_parts(times_conjugate(a[k][i], value), partial + 2 * k);
  }
  TW_FN void finish(const double* totals) const {
    for (int k = 0; k < count; ++k) join(totals + 2 * k, to[k]);
  }
};

/// y += sum_k factor_k x_k
struct AddMultiples {
  static constexpr int width = 1, sums = 0;
  ComplexNumber factor[vectors_at_once] = {};
  const ComplexNumber* x[vectors_at_once] = {};
  std::int32_t count = 0;
  ComplexNumber* y = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    ComplexNumber sum = y[i];
    for (int k = 0; k < vectors_at_once; ++k)
      if (k < count) add_product(sum, factor[k], x[k][i]);
    y[i] = sum;
  }
};

/// Place and currents e J +- M of source i, the latter of one set, as the sums have them
/// (kernels::BoundaryRadiation).
struct PutSources {
  static constexpr int width = 1, sums = 0;
  const double* places = nullptr;           ///< [source][3]
  const ComplexNumber* electric = nullptr;  ///< J [source][3]
  const ComplexNumber* magnetic = nullptr;  ///< M
  double factor = 1;                        ///< e
  std::int32_t set = 0, sets = 1;
  double* to = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    double* const own = to + static_cast<std::int64_t>(i) * (3 + 12 * sets);
    double* const plus = own + 3 + 12 * set;
    double* const minus = plus + 6;
    for (int x = 0; x < 3; ++x) {
      const std::int64_t at = static_cast<std::int64_t>(i) * 3 + x;
      if (set == 0) own[x] = places[at];
      const ComplexNumber j = times(factor, electric[at]), m = magnetic[at];
      plus[2 * x] = j.re + m.re;
      plus[2 * x + 1] = j.im + m.im;
      minus[2 * x] = j.re - m.re;
      minus[2 * x + 1] = j.im - m.im;
    }
  }
};

/// Psi along e1 and e2 at point i: -j scale (S+ + S-), -scale (S+ - S-).
struct TakeSums {
  static constexpr int width = 1, sums = 0;
  const double* from = nullptr;  ///< [point][set][4]
  std::int32_t set = 0, sets = 1;
  double scale = 1;
  ComplexNumber* to = nullptr;  ///< [point][2]

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    const double* const own = from + (static_cast<std::int64_t>(i) * sets + set) * 4;
    const std::int64_t at = 2 * static_cast<std::int64_t>(i);
    to[at] = {scale * (own[1] + own[3]), -scale * (own[0] + own[2])};
    to[at + 1] = {-scale * (own[0] - own[2]), -scale * (own[1] - own[3])};
  }
};

/// Rows of a real matrix, by which complex vectors are multiplied as two real right-hand sides.
using RealRows = WholeRows<double>;
using ProductOfParts = SweepRows<double, 2, RealRows>;

}  // namespace tetrawave::fem::device

#define TW_BOUNDARY_KERNELS(X)                  \
  X(::tetrawave::fem::device::WeightedProducts) \
  X(::tetrawave::fem::device::AddMultiples)     \
  X(::tetrawave::fem::device::PutSources)       \
  X(::tetrawave::fem::device::TakeSums)         \
  X(::tetrawave::fem::device::ProductOfParts)
