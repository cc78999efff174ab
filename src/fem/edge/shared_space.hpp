// Unknowns of conforming edge elements on the elements of several ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "fem/edge/edge_space.hpp"
#include "fem/sparse/shared_rows.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::fem {

/// The unknowns of a rank's elements, and their numbers among those of all ranks. An unknown on several ranks belongs
/// to the lowest one, whose unknowns come first.
struct SharedSpace {
  EdgeSpace own;
  SharedRows rows;  ///< of its unknowns
};

/// `metal`: faces of this rank's elements; a function is fixed if any rank has it on metal. `only`: if given, functions
/// without a trace on one of these faces of any rank are fixed too. Collective. Throws UserError (bad_case) for more
/// than 2^31 unknowns.
[[nodiscard]] SharedSpace number_shared_unknowns(Space space, const LocalMesh& mesh, std::span<const ElementFace> metal,
                                                 const comm::Communicator& ranks,
                                                 const std::vector<ElementFace>* only = nullptr, int threads = 1);

}  // namespace tetrawave::fem
