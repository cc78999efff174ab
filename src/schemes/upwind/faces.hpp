// The faces of DGTD-Upwind: factors of the traces of each, and the driven faces.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "march/elements/layout.hpp"
#include "schemes/upwind/coefficients.hpp"
#include "schemes/upwind/stage.hpp"

namespace tetrawave::march {

/// Kinds of faces: pairs of media, walls, sheets.
struct UpwindFaces {
  std::vector<std::int32_t> kinds;                      ///< 4 rows of blocks: kind of face f
  std::vector<schemes::FaceCoefficients> coefficients;  ///< per kind; kind 0 has no effect (padding)
};

/// Collective: neighbours on other ranks send their media.
template <class S>
UpwindFaces make_upwind_faces(const Problem& problem, const ElementLayout<S>& layout, const comm::Communicator& ranks);

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

/// Driven faces, an element at most once in a list; vectors are dt M^-1 of the incident moments.
template <class S>
struct UpwindWaveList {
  Part part{};
  std::int64_t blocks = 0;
  std::vector<std::int32_t> element;  ///< 1 row: slot
  std::vector<std::int32_t> wave;     ///< 1 row
  std::vector<S> electric;            ///< n rows
  std::vector<S> magnetic;            ///< n rows
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

template <class S>
std::vector<UpwindWaveList<S>> make_upwind_waves(const Problem& problem, const ElementLayout<S>& layout, double dt_m,
                                                 const comm::Communicator& ranks, int threads);

#define TW_DECLARE(S)                                                                                                \
  extern template UpwindFaces make_upwind_faces(const Problem&, const ElementLayout<S>&, const comm::Communicator&); \
  extern template std::vector<UpwindWaveList<S>> make_upwind_waves(const Problem&, const ElementLayout<S>&, double,  \
                                                                   const comm::Communicator&, int);
TW_DECLARE(double)
TW_DECLARE(float)
#undef TW_DECLARE

}  // namespace tetrawave::march
