// A problem on a device: elements grouped by colour, node ids of neighbouring threads at neighbouring addresses.
//
// A backend provides, in addition to Buffer<T>, synchronize, record and replay, allocated_bytes and device
// (march/elements/element_system.hpp):
//   for_each(count, kernel)        kernel(thread, i) for i in [0, count), any order
//   sum(count, kernel)             kernel.finish(sum of kernel(thread, i)); the same bits every time
//   scan(counts, starts, count)    starts[0] = 0, starts[i + 1] = starts[i] + counts[i]
//   iterations_at_once             how many iterations one recording holds
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "statics/coloring.hpp"
#include "statics/kernels/triangle.hpp"
#include "statics/problem.hpp"

namespace tetrawave::fem {

template <class Backend>
class DeviceProblem {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  DeviceProblem(Backend& backend, const StaticProblem& problem, const Coloring& coloring)
      : first_(coloring.first),
        free_count_(problem.free_count),
        node_(backend, problem.elements.size()),
        region_(backend, problem.region.size()),
        coordinates_(backend, 2 * problem.nodes.size()),
        coefficient_(backend, problem.coefficient.size()),
        source_(backend, problem.source.size()),
        fixed_(backend, problem.fixed.size()) {
    node_.upload(list_nodes(problem, coloring));
    std::vector<std::int32_t> region(problem.region.size());
    for (std::size_t k = 0; k < region.size(); ++k)
      region[k] = problem.region[static_cast<std::size_t>(coloring.order[k])];
    region_.upload(region);
    const double* xy = problem.nodes.data()->data();
    coordinates_.upload(std::vector<double>(xy, xy + 2 * problem.nodes.size()));
    coefficient_.upload(problem.coefficient);
    source_.upload(problem.source);
    fixed_.upload(problem.fixed);
  }

  [[nodiscard]] kernels::TriangleView view() const {
    return {node_.data(),
            region_.data(),
            coordinates_.data(),
            coefficient_.data(),
            source_.data(),
            fixed_.data(),
            static_cast<std::int32_t>(region_.size()),
            free_count_};
  }

  /// work(first element, number of elements) for every colour.
  template <class Work>
  void for_groups(const Work& work) const {
    for (std::size_t k = 0; k + 1 < first_.size(); ++k) work(first_[k], first_[k + 1] - first_[k]);
  }

 private:
  /// [nodes of an element][elements], elements in the order of the colouring.
  static std::vector<std::int32_t> list_nodes(const StaticProblem& problem, const Coloring& coloring) {
    const std::size_t each = problem.nodes_per_element(), count = problem.element_count();
    std::vector<std::int32_t> nodes(problem.elements.size());
    for (std::size_t k = 0; k < count; ++k) {
      const auto element = static_cast<std::size_t>(coloring.order[k]);
      for (std::size_t i = 0; i < each; ++i) nodes[i * count + k] = problem.elements[element * each + i];
    }
    return nodes;
  }

  std::vector<std::int32_t> first_;
  std::int32_t free_count_;
  Buffer<std::int32_t> node_, region_;
  Buffer<double> coordinates_, coefficient_, source_, fixed_;
};

/// Peak of the memory allocated by a backend.
template <class Backend>
class PeakMemory {
 public:
  explicit PeakMemory(const Backend& backend) : backend_(backend) {}
  /// Call it after allocations.
  void note() { peak_ = std::max(peak_, backend_.allocated_bytes()); }
  [[nodiscard]] std::int64_t bytes() const { return peak_; }

 private:
  const Backend& backend_;
  std::int64_t peak_ = 0;
};

}  // namespace tetrawave::fem
