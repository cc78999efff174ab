// The penalty on jumps of DGTD-Central on a device.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "march/interface/per_field.hpp"
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
      : kinds_(backend, faces.kinds), strength_(per_field([&](Field field) {
          const std::size_t f = field == Field::electric ? 0 : 1;
          std::vector<S> numbers;
          for (const auto& kind : faces.strength) numbers.push_back(static_cast<S>(sign[f] * kind[f]));
          return Buffer<S>(backend, numbers);
        })) {}

  /// The update of a field without fields and media.
  [[nodiscard]] kernels::PenalisedUpdate<S> kernel(Field target) const {
    const bool electric = target == Field::electric;
    kernels::PenalisedUpdate<S> kernel;
    kernel.kinds = kinds_.data();
    kernel.penalty = strength_[target].data();
    kernel.mirror_code = electric ? kernels::mirror_code_of_magnetic : kernels::mirror_code_of_electric;
    kernel.own_mirror_code = electric ? kernels::mirror_code_of_electric : kernels::mirror_code_of_magnetic;
    return kernel;
  }

 private:
  Buffer<std::uint32_t> kinds_;
  PerField<Buffer<S>> strength_;
};

}  // namespace tetrawave::march
