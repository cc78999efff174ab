// Lists of anisotropic elements with losses or dispersion on a device: their shapes, the sums of their list kernels,
// and the product of these with the inverse mass of the element (terms/dispersion/axes.hpp, theory/dispersion).
#pragma once

#include <vector>

#include "kernels/frame.hpp"
#include "terms/dispersion/axes.hpp"
#include "terms/dispersion/device/law_on_device.hpp"
#include "terms/pml/layers.hpp"

namespace tetrawave::march {

/// The shapes of a list's elements.
template <class Backend, class S>
struct ShapeOnDevice {
  typename Backend::template Buffer<S> frame;   ///< kernels::frame_numbers rows
  typename Backend::template Buffer<S> length;  ///< 1 row: |det J|^(1/3) [m]

  ShapeOnDevice(Backend& backend, const Problem& problem, const ElementList<Backend, S>& list)
      : frame(backend, list.numbers(kernels::frame_numbers)), length(backend, list.numbers(1)) {
    fill_list(list, frame, kernels::frame_numbers, {1, 0, 0, 0, 1, 0, 0, 0, 1},
              [&](LocalIndex e) { return layer_frame(problem, e); });
    fill_list(list, length, 1, {0}, [&](LocalIndex e) { return std::vector<double>{element_length(problem, e)}; });
  }
};

template <class Backend, class S>
class AxesOnDevice {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// Keeps references to the list and its shapes.
  AxesOnDevice(Backend& backend, Space space, const ElementList<Backend, S>& list,
               const ShapeOnDevice<Backend, S>& shape, int dofs)
      : backend_(backend), list_(list), shape_(shape), space_(space), sums_(backend, list.numbers(dofs)) {}

  /// n rows of the list, for a kernel that accumulates.
  [[nodiscard]] S* sums() { return sums_.data(); }

  /// field <- field - M_A^-1 M sums, second <- second - share M_A^-1 M sums (unless it is null), A = constant axes.
  void subtract(const schemes::MassConstant& mass, S* field, S share = 1) {
    auto kernel = make_kernel(mass);
    kernel.from = sums_.data();
    kernel.field = field;
    kernel.share = share;
    backend_.for_blocks(space_, kernel, 0, list_.blocks);
  }
  /// to <- M_A^-1 M from, n rows of the list each.
  void project(const schemes::MassConstant& mass, const S* from, S* to) {
    auto kernel = make_kernel(mass);
    kernel.from = from;
    kernel.to = to;
    backend_.for_blocks(space_, kernel, 0, list_.blocks);
  }

 private:
  kernels::AxesProjection<S> make_kernel(const schemes::MassConstant& mass) {
    kernels::AxesProjection<S> kernel;
    kernel.element = list_.element.data();
    kernel.frame = shape_.frame.data();
    for (std::size_t i = 0; i < 3; ++i) kernel.weight[i] = static_cast<S>(mass.mean * mass.axes[i]);
    return kernel;
  }

  Backend& backend_;
  const ElementList<Backend, S>& list_;
  const ShapeOnDevice<Backend, S>& shape_;
  Space space_;
  Buffer<S> sums_;
};

}  // namespace tetrawave::march
