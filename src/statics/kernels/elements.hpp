// Element by element (EbE): products A p = sum_e Q_e^T A_e Q_e p without a global matrix, after Ren et al., "Research
// on EBE-FEM Parallel Algorithm Combined with Fast Color Marking Method Based on CUDA Platform", eqs. 3, 10 and 12,
// with r = b - A x. p . A p is summed over elements (eq. 10); r . M^-1 r over nodes, which equals the paper's sum over
// elements of unassembled times assembled residuals (eq. 7). Fixed nodes have p = 0 and take no part.
#pragma once

#include <cstdint>

#include "base/target.hpp"
#include "statics/kernels/iteration.hpp"
#include "statics/kernels/triangle.hpp"

namespace tetrawave::kernels {

/// Adds where other threads may add too (`shared`), or exclusively.
template <bool shared, class Thread>
TW_FN void add_to(const Thread& thread, double* place, double value) {
  if constexpr (shared)
    thread.add(place, value);
  else
    *place += value;
}

/// Index of K_ij, i <= j, among the upper triangle's numbers, row by row.
constexpr int upper_place(int i, int j, int nodes) { return i * nodes - i * (i - 1) / 2 + (j - i); }

/// One element per thread: adds its part of the diagonal (eq. 12) and of the right-hand side, and stores its matrix if
/// there is room for it, matrices[upper triangle][stride].
template <class T, bool shared>
struct BeginElement {
  TriangleView view;
  double* matrices = nullptr;  ///< or none
  double* diagonal = nullptr;
  double* rhs = nullptr;
  bool sources = false;
  std::int32_t first = 0;

  template <class Thread>
  TW_FN void operator()(const Thread& thread, std::int32_t index) const {
    const std::int32_t element = first + index;
    IntegratedElement<T> own(view, element, sources);
    const std::int32_t* node = own.corners.node;
    TW_UNROLL
    for (int i = 0; i < T::nodes; ++i) {
      TW_UNROLL
      for (int j = 0; j < T::nodes; ++j) {
        const std::int32_t fixed = node[j] - view.free_count;
        if (fixed >= 0) own.load[i] -= own.matrix[i * T::nodes + j] * view.fixed[fixed];
        if (j >= i && matrices != nullptr)
          matrices[static_cast<std::int64_t>(upper_place(i, j, T::nodes)) * view.stride + element] =
              own.matrix[i * T::nodes + j];
      }
    }
    TW_UNROLL
    for (int i = 0; i < T::nodes; ++i) {
      if (node[i] >= view.free_count) continue;
      add_to<shared>(thread, diagonal + node[i], own.matrix[i * T::nodes + i]);
      add_to<shared>(thread, rhs + node[i], own.load[i]);
    }
  }
};

/// The assembled diagonal becomes M^-1.
struct InvertDiagonal {
  double* diagonal = nullptr;
  bool jacobi = true;

  template <class Thread>
  TW_FN void operator()(const Thread&, std::int32_t i) const {
    diagonal[i] = jacobi ? 1 / diagonal[i] : 1;
  }
};

/// One element per thread: q += A_e p_e from the stored matrix (EbE-v1).
template <int nodes, bool shared>
struct StoredProduct {
  const std::int32_t* node = nullptr;  ///< [nodes][stride]
  const double* matrices = nullptr;    ///< [upper triangle][stride]
  IterationVectors v;
  std::int32_t stride = 0;
  std::int32_t free_count = 0;
  std::int32_t first = 0;

  template <class Thread>
  TW_FN double operator()(const Thread& thread, std::int32_t index) const {
    if (v.state->done != 0) return 0;
    const std::int64_t element = first + index;
    std::int32_t id[nodes];
    double p[nodes], product[nodes] = {};
    TW_UNROLL
    for (int i = 0; i < nodes; ++i) {
      id[i] = node[static_cast<std::int64_t>(i) * stride + element];
      p[i] = id[i] < free_count ? v.p[id[i]] : 0;
    }
    TW_UNROLL
    for (int i = 0; i < nodes; ++i) {
      TW_UNROLL
      for (int j = i; j < nodes; ++j) {
        const double k = matrices[static_cast<std::int64_t>(upper_place(i, j, nodes)) * stride + element];
        product[i] += k * p[j];
        if (j > i) product[j] += k * p[i];
      }
    }
    double curvature = 0;
    TW_UNROLL
    for (int i = 0; i < nodes; ++i) {
      if (id[i] < free_count) add_to<shared>(thread, v.q + id[i], product[i]);
      curvature += p[i] * product[i];
    }
    return curvature;
  }
  TW_FN void finish(double sum) const { v.state->curvature += sum; }
};

/// A thread for every node of every element: one row of A_e p_e, computed from the geometry (EbE-v2).
template <class T, bool shared>
struct ComputedProduct {
  TriangleView view;
  IterationVectors v;
  std::int32_t first = 0;

  template <class Thread>
  TW_FN double operator()(const Thread& thread, std::int32_t index) const {
    if (v.state->done != 0) return 0;
    const std::int32_t element = first + index / T::nodes, row = index % T::nodes;
    const typename T::Corners corners(view, element);
    double p[T::nodes], own = 0;
    std::int32_t id = 0;
    TW_UNROLL
    for (int j = 0; j < T::nodes; ++j) {
      p[j] = corners.node[j] < view.free_count ? v.p[corners.node[j]] : 0;
      own = j == row ? p[j] : own;
      id = j == row ? corners.node[j] : id;
    }
    const double product = T::row_product(corners, view.coefficient[view.region[element]], row, p);
    if (id < view.free_count) add_to<shared>(thread, v.q + id, product);
    return own * product;
  }
  TW_FN void finish(double sum) const { v.state->curvature += sum; }
};

}  // namespace tetrawave::kernels
