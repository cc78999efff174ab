#include "mesh/slab_elements.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "base/copy_on_threads.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "mesh/look_up.hpp"

namespace tetrawave {

namespace {

/// Below this fraction of the longest edge cubed, the sign of the volume is determined by rounding.
constexpr double smallest_relative_volume = 1e-14;
/// Height over longest edge. Entries of an element's matrices differ by the square of its inverse: in flatter elements
/// less than two of the sixteen digits are left.
constexpr double smallest_height = 1e-7;

void check_node_ids(const MeshSlab& slab) {
  for (std::size_t e = 0; e < slab.elements.size(); ++e) {
    for (const GlobalIndex node : slab.elements[e]) {
      if (node >= 0 && node < slab.node_count) continue;
      fail(ExitCode::bad_mesh, "{}: element {} names node {}, but the mesh has only {} nodes: regenerate the mesh",
           slab.source, slab.first_element + static_cast<GlobalIndex>(e), node, slab.node_count);
    }
  }
}

void check_height(const MeshSlab& slab, GlobalIndex id, const Corners& corners, double volume, double longest) {
  double area = 0;
  for (std::size_t face = 0; face < 4; ++face) area = std::max(area, face_area(corners, face));
  const double height = 3 * volume / area;
  if (height < smallest_height * longest)
    fail(ExitCode::bad_mesh,
         "{}: element {} near {} is too flat for its matrices: its longest edge, {:.3g} m, is {:.2g} times its height "
         "(at most {:.0e}): make it thicker, refine it, or describe a thin layer as a boundary",
         slab.source, id, describe_place(centroid(corners)), longest, longest / height, 1 / smallest_height);
}

void check_element(const MeshSlab& slab, std::size_t e, const Corners& corners) {
  const GlobalIndex id = slab.first_element + static_cast<GlobalIndex>(e);
  const Vec3 place = centroid(corners);
  if (!std::isfinite(place[0]) || !std::isfinite(place[1]) || !std::isfinite(place[2])) {
    fail(ExitCode::bad_mesh, "{}: element {} has a corner that is not finite: regenerate the mesh", slab.source, id);
  }
  const double longest = edge_range(corners)[1];
  const double volume = std::abs(signed_volume(corners));
  if (!(volume > smallest_relative_volume * longest * longest * longest)) {
    fail(ExitCode::bad_mesh,
         "{}: element {} near {} has no volume ({:.3g} m^3, longest edge {:.3g} m): regenerate the mesh", slab.source,
         id, describe_place(place), volume, longest);
  }
  if (volume < smallest_height * longest * longest * longest) check_height(slab, id, corners, volume, longest);
  if (slab.region[e] < 0 || slab.region[e] >= static_cast<std::int32_t>(slab.region_names.size())) {
    fail(ExitCode::bad_mesh, "{}: element {} near {} is in no region: put every volume into a physical volume",
         slab.source, id, describe_place(place));
  }
}

}  // namespace

std::string describe_place(const Vec3& place) {
  // Adding 0 turns -0 into 0.
  return tetrawave::format("({:.6g}, {:.6g}, {:.6g}) m", place[0] + 0., place[1] + 0., place[2] + 0.);
}

SlabElements collect_elements(MeshSlab& slab, const SameNodes& same, int threads, const comm::Communicator& ranks) {
  ranks.agree([&] { check_node_ids(slab); });
  SlabElements result;
  result.vertices = std::move(slab.elements);
  const auto own_nodes = static_cast<GlobalIndex>(slab.nodes.size());
  std::vector<GlobalIndex> wanted;
  for (const auto& element : result.vertices)
    for (const GlobalIndex node : element)
      if (node < slab.first_node || node >= slab.first_node + own_nodes) wanted.push_back(node);
  LookUp<Vec3> places(std::move(wanted), std::move(slab.nodes), slab.node_count, ranks);

  ranks.agree([&] {
    ensure(places.values().size() < static_cast<std::size_t>(std::numeric_limits<LocalIndex>::max()),
           "a rank's nodes are counted in 32 bits");
    resize_on_threads(result.corner, result.vertices.size(), threads);
    for_each_index(result.vertices.size(), threads, [&](std::size_t e) {
      auto& vertices = result.vertices[e];
      if (same.empty()) {
        std::sort(vertices.begin(), vertices.end());
        for (std::size_t v = 0; v < 4; ++v) result.corner[e][v] = static_cast<LocalIndex>(places.place_of(vertices[v]));
      } else {
        std::array<std::pair<GlobalIndex, LocalIndex>, 4> both;
        for (std::size_t v = 0; v < 4; ++v)
          both[v] = {same(vertices[v]), static_cast<LocalIndex>(places.place_of(vertices[v]))};
        std::sort(both.begin(), both.end());
        for (std::size_t v = 0; v < 4; ++v) std::tie(vertices[v], result.corner[e][v]) = both[v];
      }
    });
    result.nodes = places.take_values();
    result.is_positive.resize(result.size());
    for_each_index(result.size(), threads, [&](std::size_t e) {
      const Corners corners = result.corners(e);
      check_element(slab, e, corners);
      const auto& vertices = result.vertices[e];
      if (std::adjacent_find(vertices.begin(), vertices.end()) != vertices.end())
        fail(ExitCode::bad_case,
             "{}: error: boundaries.periodic: element {} near {} reaches from one face to the other: mesh three "
             "layers of elements or more between periodic faces",
             same.place(), slab.first_element + static_cast<GlobalIndex>(e), describe_place(centroid(corners)));
      result.is_positive[e] = signed_volume(corners) > 0 ? 1 : 0;
    });
  });
  return result;
}

}  // namespace tetrawave
