// The penalty on jumps of E in DGTD-Central on a device.
#pragma once

#include <cstdint>
#include <vector>

#include "schemes/central/penalised_update.hpp"
#include "schemes/central/penalty.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class PenaltyOnDevice {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// `sign`: of the gain in the update.
  PenaltyOnDevice(Backend& backend, const PenaltyFaces& faces, S sign)
      : kinds_(backend, faces.kinds), strength_(backend, [&] {
          std::vector<S> numbers;
          for (const double strength : faces.strength) numbers.push_back(sign * static_cast<S>(strength));
          return numbers;
        }()) {}

  /// The update of E without fields and media.
  [[nodiscard]] kernels::PenalisedUpdate<S> kernel() const {
    kernels::PenalisedUpdate<S> kernel;
    kernel.kinds = kinds_.data();
    kernel.penalty = strength_.data();
    kernel.mirror_code = kernels::mirror_code_of_magnetic;
    kernel.own_mirror_code = kernels::mirror_code_of_electric;
    return kernel;
  }

 private:
  Buffer<std::uint32_t> kinds_;
  Buffer<S> strength_;
};

}  // namespace tetrawave::march
