// A-FEM on a device: lists of contributions per row, merged, then CSR (statics/kernels/rows.hpp).
#pragma once

#include <cstdint>

#include "base/error.hpp"
#include "statics/device_problem.hpp"
#include "statics/kernels/rows.hpp"
#include "statics/with_triangle.hpp"

namespace tetrawave::fem {

/// The global matrix, its right-hand side and the preconditioner on a device.
template <class Backend>
struct DeviceSystem {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  Buffer<std::int32_t> starts, columns;
  Buffer<double> values, rhs, inverse_diagonal;
};

template <class Backend>
class RowAssembly {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  RowAssembly(Backend& backend, const StaticProblem& problem)
      : backend_(backend),
        row_items_(static_cast<std::int32_t>(problem.nodes_per_element()) + (problem.has_sources ? 1 : 0)),
        items_(backend, checked_count(problem, row_items_)),
        heads_(backend, problem.nodes.size()) {}

  /// Adds every element's contributions to the lists of its nodes. `shared`: elements of a group may share nodes.
  void insert(const StaticProblem& problem, const DeviceProblem<Backend>& device, bool shared) {
    with_triangle(problem, [&]<class T>() {
      if (shared)
        insert_groups<kernels::InsertElement<T, true>>(device);
      else
        insert_groups<kernels::InsertElement<T, false>>(device);
    });
  }

  /// Sorts and merges the rows, eliminates fixed nodes, and copies the rows into CSR.
  DeviceSystem<Backend> convert(const StaticProblem& problem, const DeviceProblem<Backend>& device, bool jacobi,
                                PeakMemory<Backend>& memory) {
    const auto rows = static_cast<std::size_t>(problem.free_count);
    Buffer<std::int32_t> counts(backend_, rows);
    DeviceSystem<Backend> system{Buffer<std::int32_t>(backend_, rows + 1), Buffer<std::int32_t>(backend_, 0),
                                 Buffer<double>(backend_, 0), Buffer<double>(backend_, rows),
                                 Buffer<double>(backend_, rows)};
    backend_.for_each(problem.free_count, kernels::MergeRow{items_.data(), heads_.data(), device.view().fixed,
                                                            system.rhs.data(), counts.data(), problem.free_count});
    backend_.scan(counts.data(), system.starts.data(), problem.free_count);
    const auto nonzeros = static_cast<std::size_t>(backend_.value_at(system.starts.data() + rows));
    system.columns = Buffer<std::int32_t>(backend_, nonzeros);
    system.values = Buffer<double>(backend_, nonzeros);
    memory.note();
    backend_.for_each(problem.free_count,
                      kernels::FillRow{items_.data(), heads_.data(), system.starts.data(), system.columns.data(),
                                       system.values.data(), system.inverse_diagonal.data(), jacobi});
    return system;
  }

 private:
  /// Indices of items are 32 bit.
  static std::size_t checked_count(const StaticProblem& problem, std::int32_t row_items) {
    const std::size_t count = problem.elements.size() * static_cast<std::size_t>(row_items);
    if (count >= std::size_t{0x7fffffff})
      fail(
          ExitCode::bad_case,
          "a mesh of {} triangles of order {} is too large for algorithm a-fem: its lists would have {} items, at most "
          "2^31 - 2 are possible; use ebe-v1 or ebe-v2",
          problem.element_count(), problem.order, count);
    return count;
  }

  template <class Kernel>
  void insert_groups(const DeviceProblem<Backend>& device) {
    device.for_groups([&](std::int32_t first, std::int32_t count) {
      backend_.for_each(count, Kernel{device.view(), items_.data(), heads_.data(), row_items_, first});
    });
  }

  Backend& backend_;
  std::int32_t row_items_;
  Buffer<kernels::RowItem> items_;
  Buffer<std::int32_t> heads_;
};

}  // namespace tetrawave::fem
