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

/// What a neighbour entry says when there is no element behind it on this rank.
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

/// The faces rank by rank, those of a rank by ascending vertices: both sides know these, so both get the same order
/// without asking.
std::vector<HaloPeer> group_by_rank(std::vector<SharedFace> faces);

/// The part of the mesh owned by this rank.
///
/// The four vertices of every element are sorted by ascending global node id; face f is opposite vertex f.
/// Both elements of a face therefore see its vertices in the same order, and no orientation code is needed.
/// Elements [0, border_count) have at least one face on another rank; these and the rest are each in the order that
/// mesh/connect/order_elements.hpp describes.
struct LocalMesh {
  GlobalIndex global_element_count = 0;
  LocalIndex border_count = 0;
  std::vector<GlobalIndex> global_id;                       ///< per element
  std::vector<std::array<GlobalIndex, 4>> vertices;         ///< sorted global node ids; periodic images have one
  std::vector<std::array<Vec3, 4>> corners;                 ///< coordinates (m) in the order of `vertices`
  CurvedElements curved;                                    ///< of second-order meshes
  std::vector<std::int32_t> region;                         ///< index into region_names
  std::vector<std::array<LocalIndex, 4>> neighbour;         ///< per face: local element, no_neighbour, remote_neighbour
  std::vector<std::array<std::uint8_t, 4>> neighbour_face;  ///< per face: face number in the neighbour (remote too)
  std::vector<std::array<std::int32_t, 4>> boundary;        ///< per face: boundary tag, or -1 (see FaceTags)
  std::vector<HaloPeer> peers;                              ///< ascending rank
  std::vector<std::int32_t> shape;                 ///< per element, in finite arrays: elements of one number are
                                                   ///< copies of one another, region, walls and neighbours
                                                   ///< included; else empty
  std::vector<std::array<Vec3, 4>> shape_corners;  ///< [m] per shape, in the order of vertices, somewhere
  std::vector<std::string> region_names;
  std::vector<std::string> group_names;

  [[nodiscard]] LocalIndex element_count() const { return static_cast<LocalIndex>(global_id.size()); }
  /// Corners [m] of an element or of the shape that it is a copy of: to the last bit the same for all copies.
  [[nodiscard]] const std::array<Vec3, 4>& corners_of_shape(LocalIndex element) const {
    const auto e = static_cast<std::size_t>(element);
    return shape.empty() ? corners[e] : shape_corners[static_cast<std::size_t>(shape[e])];
  }
};

/// How named face groups become boundary tags. Tags are chosen by the caller (an index into its own table).
struct FaceTags {
  std::vector<std::int32_t> of_group;         ///< per group of the mesh: tag, or -1 (transparent)
  std::optional<std::int32_t> outer_default;  ///< tag for outer faces without one; absent: such a face is an error
  std::vector<bool> allowed_inside;        ///< per tag: may it stand on a face between two elements (PEC, PMC sheets)?
  std::vector<std::string> names;          ///< per tag, for messages ("pec group 'walls'", "port 'p1'")
  std::vector<std::string> name_places{};  ///< per tag, where the case names its group; or none at all
  std::string place{};                     ///< of the boundaries in the case, for messages; or nothing
  /// Two groups whose faces lead to each other.
  struct PeriodicGroups {
    std::int32_t first = 0;
    std::int32_t second = 0;
    std::string place{};  ///< in the case, for messages
  };
  std::vector<PeriodicGroups> periodic{};
};

}  // namespace tetrawave
