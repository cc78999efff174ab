// Faces of a structure outside the surface of the far field.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"
#include "results/request/request.hpp"

namespace tetrawave::results {

/// Vertices of absorbing faces and of the elements of layers, of all ranks, ascending. `absorbing`: per boundary tag.
/// Collective.
std::vector<GlobalIndex> absorbing_vertices(const march::Problem& problem, const std::vector<bool>& absorbing,
                                            const comm::Communicator& ranks, int threads = 1);

/// Whether a face of the element with these corners lies in one of the planes.
bool lies_in_mirror(const std::array<Vec3, 4>& corners, std::size_t face, const std::vector<MirrorPlane>& mirrors);

/// Faces of one or several structures beyond a surface.
struct FacesBeyond {
  std::int64_t count = 0;
  std::int32_t tag = 0;  ///< boundary tag of that with the lowest element
  Vec3 centre_m{};       ///< its centre
};

/// Connected walls that are not in the far field's mirrors and do not extend to absorbing faces or layers form a
/// structure, which must be inside the surface: returns those of their faces whose elements are not `enclosed`, as
/// returned by choose_enclosed. None on ranks other than 0. If the case names the enclosed regions, a structure may be
/// outside as a whole. Collective.
std::optional<FacesBeyond> find_faces_beyond(const march::Problem& problem, const FarFieldRequest& spec, bool is_named,
                                             const std::vector<std::int32_t>& enclosed,
                                             const std::vector<bool>& absorbing, const comm::Communicator& ranks,
                                             int threads = 1);

}  // namespace tetrawave::results
