// The penalty on jumps of DGTD-Central on a device.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "schemes/central/penalised_update.hpp"
#include "schemes/central/penalty.hpp"

namespace tetrawave::march {

/// `sign`: of the gain in the update of E, and of H.
template <class Backend, class S>
class PenaltyOnDevice {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  PenaltyOnDevice(Backend& backend, const PenaltyFaces& faces, const std::array<double, 2>& sign)
      : kinds_(backend, faces.kinds.size()),
        strength_{Buffer<S>(backend, faces.strength.size()), Buffer<S>(backend, faces.strength.size())} {
    kinds_.upload(faces.kinds);
    for (std::size_t field = 0; field < 2; ++field) {
      std::vector<S> numbers;
      for (const auto& kind : faces.strength) numbers.push_back(static_cast<S>(sign[field] * kind[field]));
      strength_[field].upload(numbers);
    }
  }

  /// The update of a field without fields and media.
  [[nodiscard]] kernels::PenalisedUpdate<S> kernel(Field target) const {
    const bool electric = target == Field::electric;
    kernels::PenalisedUpdate<S> kernel;
    kernel.kinds = kinds_.data();
    kernel.penalty = strength_[electric ? 0 : 1].data();
    kernel.mirror_code = electric ? kernels::mirror_code_of_magnetic : kernels::mirror_code_of_electric;
    kernel.own_mirror_code = electric ? kernels::mirror_code_of_electric : kernels::mirror_code_of_magnetic;
    return kernel;
  }

 private:
  Buffer<std::uint32_t> kinds_;
  std::array<Buffer<S>, 2> strength_;
};

}  // namespace tetrawave::march
