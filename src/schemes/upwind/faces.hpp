// The faces of DGTD-Upwind: factors of the traces of each, and the driven faces.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "march/elements/layout.hpp"
#include "schemes/upwind/coefficients.hpp"

namespace tetrawave::march {

/// Kinds of faces: pairs of media, walls, sheets.
struct UpwindFaces {
  std::vector<std::int32_t> kinds;                      ///< 4 rows of blocks: kind of face f
  std::vector<schemes::FaceCoefficients> coefficients;  ///< per kind; kind 0 has no effect (padding)
};

/// Collective: neighbours on other ranks send their media.
template <class S>
UpwindFaces make_upwind_faces(const Problem& problem, const ElementLayout<S>& layout, const comm::Communicator& ranks);

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
