// The faces of DGTD-Upwind on a device.
#pragma once

#include <cstdint>
#include <vector>

#include "schemes/upwind/faces.hpp"
#include "schemes/upwind/stage.hpp"

namespace tetrawave::march {

template <class Backend, class S>
struct UpwindFacesOnDevice {
  typename Backend::template Buffer<std::int32_t> kinds;
  typename Backend::template Buffer<S> coefficients;

  UpwindFacesOnDevice(Backend& backend, const UpwindFaces& faces)
      : kinds(backend, faces.kinds.size()), coefficients(backend, 8 * faces.coefficients.size()) {
    kinds.upload(faces.kinds);
    std::vector<S> numbers;
    for (const auto& face : faces.coefficients)
      for (const double c : face) numbers.push_back(static_cast<S>(c));
    coefficients.upload(numbers);
  }
};

/// Such a list on a device.
template <class Backend, class S>
struct UpwindWavesOnDevice {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  std::int64_t blocks;
  Part part;
  Buffer<std::int32_t> element;
  Buffer<std::int32_t> wave;
  Buffer<S> electric;
  Buffer<S> magnetic;

  UpwindWavesOnDevice(Backend& backend, const UpwindWaveList<S>& list)
      : blocks(list.blocks),
        part(list.part),
        element(backend, list.element.size()),
        wave(backend, list.wave.size()),
        electric(backend, list.electric.size()),
        magnetic(backend, list.magnetic.size()) {
    element.upload(list.element);
    wave.upload(list.wave);
    electric.upload(list.electric);
    magnetic.upload(list.magnetic);
  }

  /// The kernel of this list, without fields and waves.
  [[nodiscard]] kernels::UpwindWaves<S> kernel() const {
    kernels::UpwindWaves<S> kernel;
    kernel.element = element.data();
    kernel.wave = wave.data();
    kernel.electric = electric.data();
    kernel.magnetic = magnetic.data();
    return kernel;
  }
};

}  // namespace tetrawave::march
