// The faces of DGTD-Upwind: factors of the traces of each, and the driven faces.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "comm/communicator.hpp"
#include "march/elements/layout.hpp"
#include "mesh/neighbour_values.hpp"
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

/// The moments by which the incident waves of driven faces are multiplied.
class IncidentMoments {
 public:
  /// Collective, as `make_upwind_faces`.
  IncidentMoments(const Problem& problem, const comm::Communicator& ranks);
  /// dt M^-1 of the incident moments of E and of H, n each.
  [[nodiscard]] std::array<std::vector<double>, 2> of(const DrivenFace& face, double dt_m) const;

 private:
  const Problem& problem_;
  NeighbourValues regions_;
  std::map<std::int32_t, double> admittances_;  ///< of ports of one mode, by wave
};

}  // namespace tetrawave::march
