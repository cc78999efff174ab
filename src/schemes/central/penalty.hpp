// The faces of the penalty on jumps of E in DGTD-Central (theory/central).
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "march/elements/layout.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Kinds of faces by the strength of the penalty: pairs of media, walls; kind 0 has none.
struct PenaltyFaces {
  std::vector<std::uint32_t> kinds;  ///< as PenalisedUpdate has them
  std::vector<double> strength;      ///< per kind
};

/// alpha/(Z + Z+) between elements, at PEC of the mirrored field. None at other walls, sheets, ports and `undamped`
/// faces, between LTS levels, and where layers damp. Collective. Throws UserError if there are more pairs of media than
/// 16 bits count.
template <class S>
PenaltyFaces make_penalty_faces(const Problem& problem, const ElementLayout<S>& layout,
                                const comm::Communicator& ranks);

}  // namespace tetrawave::march
