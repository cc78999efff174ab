#include <algorithm>
#include <map>

#include "catch.hpp"
#include "mesh/array/array_elements.hpp"
#include "mesh/array/array_mesh.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "unit_cell_meshes.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

using Face = std::array<GlobalIndex, 3>;

/// Per peer, the shared faces by their vertices with the ids of the elements.
std::map<int, std::vector<std::pair<Face, GlobalIndex>>> shared_faces(const LocalMesh& mesh) {
  std::map<int, std::vector<std::pair<Face, GlobalIndex>>> all;
  for (const HaloPeer& peer : mesh.peers)
    for (const HaloFace& face : peer.faces) {
      const auto e = static_cast<std::size_t>(face.element);
      const auto& [a, b, c] = face_corners[face.face];
      const auto& v = mesh.vertices[e];
      all[peer.rank].push_back({{v[a], v[b], v[c]}, mesh.global_id[e]});
    }
  return all;
}

}  // namespace

TEST_CASE("every rank makes its part of an array as it would come from the slabs of all") {
  const Communicator world = Communicator::world();
  const UnitCells cells = make_unit_cells(make_cell_mesh());
  const FaceTags tags = make_tags({3, 1, 2});
  for (const std::array<std::int64_t, 2> size : {std::array<std::int64_t, 2>{1, 1}, {4, 3}}) {
    const ArrayGrid grid = make_grid(cells, size);
    const LocalMesh plain = build_local_mesh(make_array_slab(cells, grid, world.rank(), world.size(), 1), tags, world);
    const LocalMesh repeated = build_array_mesh(cells, grid, tags, Ordering::blocks, 1, world);
    std::map<GlobalIndex, std::size_t> place;
    for (std::size_t e = 0; e < plain.global_id.size(); ++e) place[plain.global_id[e]] = e;
    REQUIRE(repeated.global_id.size() == place.size());
    CHECK(repeated.border_count == plain.border_count);
    std::size_t differing = 0;
    for (std::size_t e = 0; e < repeated.global_id.size(); ++e) {
      const std::size_t p = place.at(repeated.global_id[e]);
      const auto ids = [](const LocalMesh& mesh, std::size_t k) {
        std::array<GlobalIndex, 4> behind{};
        for (std::size_t f = 0; f < 4; ++f) {
          const LocalIndex n = mesh.neighbour[k][f];
          behind[f] = n < 0 ? n : mesh.global_id[static_cast<std::size_t>(n)];
        }
        return behind;
      };
      const bool same =
          repeated.vertices[e] == plain.vertices[p] && repeated.corners[e] == plain.corners[p] &&
          repeated.region[e] == plain.region[p] && repeated.boundary[e] == plain.boundary[p] &&
          repeated.neighbour_face[e] == plain.neighbour_face[p] && ids(repeated, e) == ids(plain, p) &&
          (static_cast<LocalIndex>(e) < repeated.border_count) == (static_cast<LocalIndex>(p) < plain.border_count);
      differing += same ? 0 : 1;
    }
    CHECK(differing == 0);
    CHECK((shared_faces(repeated) == shared_faces(plain)));
  }
}
