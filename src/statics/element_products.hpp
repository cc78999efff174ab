// Element by element on a device: right-hand side, diagonal and products without a global matrix
// (statics/kernels/elements.hpp).
#pragma once

#include <cstdint>

#include "statics/device_problem.hpp"
#include "statics/kernels/elements.hpp"
#include "statics/with_triangle.hpp"

namespace tetrawave::fem {

template <class Backend>
class ElementProducts {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// `stored`: store the upper triangle of every element's matrix (EbE-v1), or recompute it in each product (EbE-v2).
  ElementProducts(Backend& backend, const StaticProblem& problem, const DeviceProblem<Backend>& device, bool stored)
      : backend_(backend),
        problem_(problem),
        device_(device),
        matrices_(backend, stored ? problem.element_count() * upper_size(problem) : 0),
        rhs_(backend, static_cast<std::size_t>(problem.free_count)),
        inverse_diagonal_(backend, static_cast<std::size_t>(problem.free_count)) {}

  [[nodiscard]] const Buffer<double>& rhs() const { return rhs_; }
  [[nodiscard]] const Buffer<double>& inverse_diagonal() const { return inverse_diagonal_; }

  /// Right-hand side, preconditioner and stored matrices. `shared`: elements of a group may share nodes.
  void begin(bool shared, bool jacobi) {
    with_triangle(problem_, [&]<class T>() {
      if (shared)
        begin_groups<kernels::BeginElement<T, true>>();
      else
        begin_groups<kernels::BeginElement<T, false>>();
    });
    backend_.for_each(problem_.free_count, kernels::InvertDiagonal{inverse_diagonal_.data(), jacobi});
  }

  /// q += A p.
  void multiply(const kernels::IterationVectors& vectors, bool shared) {
    with_triangle(problem_, [&]<class T>() {
      if (shared)
        multiply_groups<T, true>(vectors);
      else
        multiply_groups<T, false>(vectors);
    });
  }

 private:
  static std::size_t upper_size(const StaticProblem& problem) {
    const std::size_t nodes = problem.nodes_per_element();
    return nodes * (nodes + 1) / 2;
  }

  template <class Kernel>
  void begin_groups() {
    double* matrices = matrices_.size() > 0 ? matrices_.data() : nullptr;
    device_.for_groups([&](std::int32_t first, std::int32_t count) {
      backend_.for_each(
          count, Kernel{device_.view(), matrices, inverse_diagonal_.data(), rhs_.data(), problem_.has_sources, first});
    });
  }

  template <class T, bool shared>
  void multiply_groups(const kernels::IterationVectors& vectors) {
    const kernels::TriangleView view = device_.view();
    device_.for_groups([&](std::int32_t first, std::int32_t count) {
      if (matrices_.size() > 0)
        backend_.sum(count, kernels::StoredProduct<T::nodes, shared>{view.node, matrices_.data(), vectors, view.stride,
                                                                     view.free_count, first});
      else
        backend_.sum(count * T::nodes, kernels::ComputedProduct<T, shared>{view, vectors, first});
    });
  }

  Backend& backend_;
  const StaticProblem& problem_;
  const DeviceProblem<Backend>& device_;
  Buffer<double> matrices_, rhs_, inverse_diagonal_;
};

}  // namespace tetrawave::fem
