// Faces of a structure that the surface of the far field leaves outside.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "case/spec/case.hpp"
#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::results {

/// Vertices of absorbing faces and of the elements of layers, of all ranks, ascending. `absorbing`: per boundary tag. A
/// collective.
std::vector<GlobalIndex> absorbing_vertices(const march::Problem& problem, const std::vector<bool>& absorbing,
                                            const comm::Communicator& ranks);

/// Faces of one or several structures beyond a surface.
struct FacesBeyond {
  std::int64_t count = 0;
  std::int32_t tag = 0;  ///< boundary tag of that with the lowest element
  Vec3 centre_m{};       ///< its centre
};

/// Walls that hang together, do not lie in the far field's mirrors and do not go on to absorbing faces or layers are a
/// structure, which the surface must have inside: those of their faces that elements have that are not `enclosed`,
/// as choose_enclosed returns it. None on ranks but 0. Where the case names what is enclosed a structure may lie beyond
/// as a whole. A collective.
std::optional<FacesBeyond> find_faces_beyond(const march::Problem& problem, const FarFieldSpec& spec, bool is_named,
                                             const std::vector<std::int32_t>& enclosed,
                                             const std::vector<bool>& absorbing, const comm::Communicator& ranks);

}  // namespace tetrawave::results
