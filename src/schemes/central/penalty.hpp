// The faces of the penalty on jumps of DGTD-Central (theory/central).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "march/elements/layout.hpp"
#include "march/interface/problem.hpp"

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

}  // namespace tetrawave::march
