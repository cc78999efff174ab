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
      : kinds(backend, faces.kinds), coefficients(backend, 8 * faces.coefficients.size()) {
    std::vector<S> numbers;
    for (const auto& face : faces.coefficients)
      for (const double c : face) numbers.push_back(static_cast<S>(c));
    coefficients.upload(numbers);
  }
};

}  // namespace tetrawave::march
