// The elements one rank owns after partitioning, with their neighbours and boundary conditions.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "mesh/curved_elements.hpp"

namespace tetrawave {

/// Values of a neighbour entry without an element on this rank.
inline constexpr LocalIndex no_neighbour = -1;      ///< an outer face
inline constexpr LocalIndex remote_neighbour = -2;  ///< the neighbour is on another rank

/// One face shared with another rank.
struct HaloFace {
  LocalIndex element = 0;  ///< owned element
  std::uint8_t face = 0;   ///< its face number (0..3)
};

/// All faces shared with one other rank. Both ranks hold them in the same order (ascending sorted vertex ids).
struct HaloPeer {
  int rank = 0;
  std::vector<HaloFace> faces;
};

/// One of the faces that this rank shares with others.
struct SharedFace {
  int rank = 0;  ///< the other one
  std::array<GlobalIndex, 3> vertices{};
  LocalIndex element = 0;  ///< as in HaloFace
  std::uint8_t face = 0;
  [[nodiscard]] auto operator<=>(const SharedFace& other) const = default;
};

/// Faces grouped by rank, those of a rank in ascending order of vertices: both sides know these, so both obtain the
/// same order without communication.
std::vector<HaloPeer> group_by_rank(std::vector<SharedFace> faces);

/// The part of the mesh owned by this rank.
///
/// The four vertices of every element are sorted by ascending global node id; face f is opposite vertex f. Both
/// elements of a face therefore have its vertices in the same order, and no orientation code is needed. Elements [0,
/// border_count) have at least one face on another rank; these and the others are each in the order described in
/// mesh/connect/order_elements.hpp.
struct LocalMesh {
  GlobalIndex global_element_count = 0;
  LocalIndex border_count = 0;
  std::vector<GlobalIndex> global_id;                ///< per element
  std::vector<std::array<GlobalIndex, 4>> vertices;  ///< sorted global node ids; periodic images have the same id
  std::vector<std::array<Vec3, 4>> corners;          ///< coordinates (m) in the order of `vertices`
  CurvedElements curved;                             ///< of second-order meshes
  std::vector<std::int32_t> region;                  ///< index into region_names
  std::vector<std::array<LocalIndex, 4>> neighbour;  ///< per face: local element, no_neighbour, remote_neighbour
  std::vector<std::array<std::uint8_t, 4>> neighbour_face;  ///< per face: face number in the neighbour (also if remote)
  std::vector<std::array<std::int32_t, 4>> boundary;        ///< per face: boundary tag, or -1 (see FaceTags)
  std::vector<HaloPeer> peers;                              ///< ascending rank
  std::vector<std::int32_t> shape;  ///< per element, in finite arrays: elements with the same number are copies of one
                                    ///< another, including region, walls and neighbours; else empty
  std::vector<std::array<Vec3, 4>> shape_corners;  ///< [m] per shape, in the order of vertices, at some position
  std::vector<std::string> region_names;
  std::vector<std::string> group_names;

  [[nodiscard]] LocalIndex element_count() const { return static_cast<LocalIndex>(global_id.size()); }
  /// Corners [m] of an element or of the shape that it is a copy of: bitwise the same for all copies.
  [[nodiscard]] const std::array<Vec3, 4>& corners_of_shape(LocalIndex element) const {
    const auto e = static_cast<std::size_t>(element);
    return shape.empty() ? corners[e] : shape_corners[static_cast<std::size_t>(shape[e])];
  }
};

/// How named face groups become boundary tags. Tags are chosen by the caller (an index into its own table).
struct FaceTags {
  std::vector<std::int32_t> of_group;         ///< per group of the mesh: tag, or -1 (transparent)
  std::optional<std::int32_t> outer_default;  ///< tag for outer faces without one; if absent, such a face is an error
  std::vector<bool> allowed_inside;  ///< per tag: whether it may be on a face between two elements (PEC, PMC sheets)
  std::vector<std::string> names;    ///< per tag, for messages ("pec group 'walls'", "port 'p1'")
  std::vector<std::string> name_places{};  ///< per tag, the place in the case that names its group; or empty
  std::string place{};                     ///< of the boundaries in the case, for messages; or empty
  /// Two groups of periodic faces.
  struct PeriodicGroups {
    std::int32_t first = 0;
    std::int32_t second = 0;
    std::string place{};  ///< in the case, for messages
  };
  std::vector<PeriodicGroups> periodic{};
};

}  // namespace tetrawave
