// The penalty on jumps of DGTD-Central: its faces, and the old values of both fields (theory/central).
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "march/elements/element_system.hpp"
#include "schemes/central/penalised_update.hpp"

namespace tetrawave::march {

/// Kinds of faces by the strength of the penalty: pairs of media, walls; kind 0 has none.
struct PenaltyFaces {
  std::vector<std::uint32_t> kinds;             ///< as PenalisedUpdate has them
  std::vector<std::array<double, 2>> strength;  ///< per kind, of jumps of E and of H
};

/// alpha/(Z + Z+) and alpha/(Y + Y+) between elements, at PEC and PMC of the mirrored field. None at sheets, open
/// walls, ports and `undamped` faces, between LTS levels, and where layers damp. Collective. Throws UserError if there
/// are more pairs of media than 16 bits count.
template <class S>
PenaltyFaces make_penalty_faces(const Problem& problem, const ElementLayout<S>& layout,
                                const comm::Communicator& ranks);

/// On a device. `sign`: of the gain in the update of E, and of H.
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

#define TW_DECLARE(S) \
  extern template PenaltyFaces make_penalty_faces(const Problem&, const ElementLayout<S>&, const comm::Communicator&);
TW_DECLARE(double)
TW_DECLARE(float)
#undef TW_DECLARE

}  // namespace tetrawave::march
