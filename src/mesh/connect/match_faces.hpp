// The neighbour at each face of a slab's elements, and the boundary tag of the face.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/mesh_slab.hpp"
#include "mesh/slab_elements.hpp"

namespace tetrawave {

/// Problems of a face, the worst first.
enum class FaceProblem : std::uint8_t {
  duplicate_element,  ///< two elements have the same corners
  many_elements,      ///< more than two elements share the face
  same_side,          ///< its two elements are on the same side
  stray_name,         ///< a named face that is not a face of any element
  two_tags,           ///< two groups give it different tags
  inner_tag,          ///< between two elements, where its tag is not allowed
  no_tag,             ///< an outer face without a tag
  none,
};

/// The result for one face of an element.
struct FaceMatch {
  GlobalIndex neighbour = -1;  ///< global id of the neighbour (of the other one, in a problem), or -1
  std::int32_t tag = -1;
  std::uint8_t neighbour_face = 0;  ///< its number in the neighbour
};

/// A face of an element of the slab with a problem.
struct FaceFault {
  std::size_t element = 0;  ///< in the slab
  std::uint8_t face = 0;
  FaceProblem problem = FaceProblem::none;
  std::int32_t other_tag = -1;  ///< the second tag of two_tags
};

/// A named face that no element has.
struct StrayFace {
  std::int32_t group = 0;
  std::array<GlobalIndex, 3> vertices{};
};

struct FaceMatches {
  std::vector<std::array<FaceMatch, 4>> of_element;  ///< per element of the slab; face f is opposite sorted vertex f
  std::vector<FaceFault> faults;                     ///< of elements of this slab, in any order
  std::vector<StrayFace> strays;                     ///< found by this rank, each on one rank only
};

/// Messages between ranks for a face: an element's sighting, and the answer.
inline constexpr std::int64_t posted_face_bytes = 48;
inline constexpr std::int64_t face_answer_bytes = 32;

/// Matches the faces of all slabs, each at the rank given by the hash of its vertices. Collective; linear in the number
/// of faces. Problems are recorded, not thrown: check_faces reports them.
FaceMatches match_faces(const MeshSlab& slab, const SlabElements& elements, const FaceTags& tags, int threads,
                        const comm::Communicator& ranks);

}  // namespace tetrawave
