#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "catch.hpp"
#include "comm/communicator.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/connect/partition.hpp"
#include "mesh/connect/space_curve.hpp"
#include "mesh/report/mesh_summary.hpp"
#include "mesh/tetrahedron.hpp"
#include "mesh_slabs.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

/// A jittered box with a PEC sheet inside (the Kuhn triangles of the plane x = 0.5), and its tags.
MeshSlab make_whole(FaceTags& tags) {
  MeshSlab whole = make_box_slab(make_box({1, 1, 1.5}, {4, 5, 6}, 0.2), 0, 1);
  whole.group_names.push_back("sheet");
  const auto node = [](GlobalIndex j, GlobalIndex k) { return (2 * 6 + j) * 7 + k; };
  for (GlobalIndex j = 0; j < 5; ++j) {
    for (GlobalIndex k = 0; k < 6; ++k) {
      whole.faces.push_back({node(j + 1, k + 1), node(j, k), node(j, k + 1)});
      whole.faces.push_back({node(j, k), node(j + 1, k), node(j + 1, k + 1)});
      whole.face_group.insert(whole.face_group.end(), 2, 6);
    }
  }
  tags = make_tags({2, 3, 0, 1, -1, -1, 0}, 1);
  return whole;
}

struct Meshes {
  Communicator world = Communicator::world();
  FaceTags tags;
  LocalMesh mine;   ///< this rank's part
  LocalMesh whole;  ///< the mesh built by one rank alone
  std::map<GlobalIndex, std::size_t> number_in_whole;

  Meshes() {
    const MeshSlab slab = make_whole(tags);
    mine = build_local_mesh(cut_slab(slab, world.rank(), world.size()), tags, world);
    whole = build_local_mesh(cut_slab(slab, 0, 1), tags, Communicator::self());
    for (std::size_t e = 0; e < whole.global_id.size(); ++e) number_in_whole[whole.global_id[e]] = e;
  }

  [[nodiscard]] std::size_t in_whole(std::size_t e) const { return number_in_whole.at(mine.global_id[e]); }
};

GlobalIndex neighbour_id(const LocalMesh& mesh, std::size_t e, std::size_t f) {
  const LocalIndex n = mesh.neighbour[e][f];
  return n < 0 ? n : mesh.global_id[static_cast<std::size_t>(n)];
}

std::array<GlobalIndex, 3> face_of(const LocalMesh& mesh, const HaloFace& face) {
  const auto& v = mesh.vertices[static_cast<std::size_t>(face.element)];
  const auto& [a, b, c] = face_corners[face.face];
  return {v[a], v[b], v[c]};
}

}  // namespace

TEST_CASE("the parts together are the mesh of one rank") {
  const Meshes meshes;
  const LocalMesh& mine = meshes.mine;
  const LocalMesh& whole = meshes.whole;
  CHECK(mine.global_element_count == 720);
  CHECK(mine.element_count() > 0);
  std::vector<GlobalIndex> ids = meshes.world.all_gather<GlobalIndex>(mine.global_id);
  std::sort(ids.begin(), ids.end());
  std::vector<GlobalIndex> all(720);
  std::iota(all.begin(), all.end(), 0);
  CHECK(ids == all);
  for (std::size_t e = 0; e < mine.global_id.size(); ++e) {
    const std::size_t w = meshes.in_whole(e);
    CHECK(mine.vertices[e] == whole.vertices[w]);
    CHECK(mine.corners[e] == whole.corners[w]);
    CHECK(mine.region[e] == whole.region[w]);
    CHECK(mine.boundary[e] == whole.boundary[w]);
    for (std::size_t f = 0; f < 4; ++f) {
      const GlobalIndex expected = neighbour_id(whole, w, f), found = neighbour_id(mine, e, f);
      CHECK((found == expected || (found == remote_neighbour && expected >= 0)));
      if (expected >= 0) CHECK(mine.neighbour_face[e][f] == whole.neighbour_face[w][f]);
    }
  }
}

TEST_CASE("the mesh of one rank is right about neighbours, faces and tags") {
  const Meshes meshes;
  const LocalMesh& mesh = meshes.whole;
  CHECK(mesh.border_count == 0);
  CHECK(mesh.peers.empty());
  std::map<std::int32_t, int> outer, inner;
  for (std::size_t e = 0; e < mesh.global_id.size(); ++e) {
    CHECK(std::is_sorted(mesh.vertices[e].begin(), mesh.vertices[e].end()));
    for (std::size_t f = 0; f < 4; ++f) {
      const LocalIndex n = mesh.neighbour[e][f];
      ++(n == no_neighbour ? outer : inner)[mesh.boundary[e][f]];
      if (n == no_neighbour) continue;
      const auto back = static_cast<std::size_t>(n);
      const std::uint8_t g = mesh.neighbour_face[e][f];
      CHECK(mesh.neighbour[back][g] == static_cast<LocalIndex>(e));
      CHECK(mesh.neighbour_face[back][g] == f);
      CHECK(mesh.boundary[back][g] == mesh.boundary[e][f]);
      CHECK(face_of(mesh, {n, g}) == face_of(mesh, {static_cast<LocalIndex>(e), static_cast<std::uint8_t>(f)}));
    }
  }
  // x0 and x1 have 2 x 30 triangles each, y0 and y1 2 x 24, z0 and z1 2 x 20 (by default pmc), the sheet 60 seen twice.
  CHECK(outer == std::map<std::int32_t, int>{{0, 48}, {1, 48 + 80}, {2, 60}, {3, 60}});
  CHECK(inner == std::map<std::int32_t, int>{{-1, 4 * 720 - 296 - 120}, {0, 120}});
}

TEST_CASE("elements at the border come first in every order, by id or along the curve") {
  FaceTags tags;
  const Communicator world = Communicator::world();
  const MeshSlab slab = cut_slab(make_whole(tags), world.rank(), world.size());
  const CurveGrid grid({0, 0, 0}, {1, 1, 1.5});
  for (const Ordering ordering : {Ordering::none, Ordering::curve, Ordering::parts, Ordering::blocks}) {
    const LocalMesh mine = build_local_mesh(slab, tags, world, {ordering, 1});
    std::vector<std::tuple<bool, GlobalIndex>> by_id;
    std::vector<std::tuple<bool, std::uint64_t, GlobalIndex>> along_curve;
    for (std::size_t e = 0; e < mine.global_id.size(); ++e) {
      const bool border = std::count(mine.neighbour[e].begin(), mine.neighbour[e].end(), remote_neighbour) > 0;
      CHECK(border == (static_cast<LocalIndex>(e) < mine.border_count));
      by_id.emplace_back(!border, mine.global_id[e]);
      along_curve.emplace_back(!border, grid.code(centroid(mine.corners[e])), mine.global_id[e]);
    }
    if (ordering == Ordering::none) CHECK(std::is_sorted(by_id.begin(), by_id.end()));
    if (ordering == Ordering::curve) CHECK(std::is_sorted(along_curve.begin(), along_curve.end()));
  }
}

TEST_CASE("both ranks of a halo hold the same faces in the same order") {
  const Meshes meshes;
  const LocalMesh& mine = meshes.mine;
  std::vector<std::vector<GlobalIndex>> ids(static_cast<std::size_t>(meshes.world.size()));
  std::vector<std::vector<std::array<GlobalIndex, 3>>> faces(ids.size());
  std::int64_t shared = 0;
  for (const HaloPeer& peer : mine.peers) {
    CHECK(peer.rank != meshes.world.rank());
    for (const HaloFace& face : peer.faces) {
      CHECK(mine.neighbour[static_cast<std::size_t>(face.element)][face.face] == remote_neighbour);
      ids[static_cast<std::size_t>(peer.rank)].push_back(mine.global_id[static_cast<std::size_t>(face.element)]);
      faces[static_cast<std::size_t>(peer.rank)].push_back(face_of(mine, face));
      ++shared;
    }
  }
  CHECK(std::is_sorted(mine.peers.begin(), mine.peers.end(), [](auto& a, auto& b) { return a.rank < b.rank; }));
  std::int64_t remote = 0;
  for (const auto& n : mine.neighbour) remote += std::count(n.begin(), n.end(), remote_neighbour);
  CHECK(shared == remote);
  CHECK((shared > 0) == (meshes.world.size() > 1));
  CHECK(meshes.world.exchange(faces) == faces);
  const auto their_ids = meshes.world.exchange(ids);
  for (const HaloPeer& peer : mine.peers) {
    const auto& theirs = their_ids[static_cast<std::size_t>(peer.rank)];
    REQUIRE(theirs.size() == peer.faces.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const std::size_t w = meshes.in_whole(static_cast<std::size_t>(peer.faces[i].element));
      CHECK(theirs[i] == neighbour_id(meshes.whole, w, peer.faces[i].face));
    }
  }
}

TEST_CASE("the summary does not depend on the number of ranks") {
  const Meshes meshes;
  const MeshSummary mine = summarise_mesh(meshes.mine, 4, 2, meshes.world);
  const MeshSummary alone = summarise_mesh(meshes.whole, 4, 2, Communicator::self());
  CHECK(mine.region_volume_m3 == alone.region_volume_m3);
  CHECK(mine.region_volume_m3[0] == Approx(1.5).epsilon(1e-14));
  CHECK(mine.region_elements == alone.region_elements);
  CHECK(mine.tag_area_m2 == alone.tag_area_m2);
  CHECK(mine.tag_area_m2[1] == Approx(1.5 + 2).epsilon(1e-14));
  CHECK(mine.tag_area_m2[2] == Approx(1.5).epsilon(1e-14));
  CHECK(mine.inradius_m.min == alone.inradius_m.min);
  CHECK(mine.radius_ratio.median == alone.radius_ratio.median);
  CHECK(mine.longest_edge_m.max == alone.longest_edge_m.max);
  CHECK(mine.low_m == alone.low_m);
  CHECK(mine.high_m == alone.high_m);
}

TEST_CASE("parts are balanced and their cut is small") {
  const Communicator world = Communicator::world();
  const MeshSlab slab = make_box_slab(make_box({1, 1, 1}, {10, 10, 10}), world.rank(), world.size());
  const LocalMesh mesh = build_local_mesh(slab, make_tags({0, 0, 0, 0, 0, 0}), world);
  CHECK(world.max(static_cast<std::int64_t>(mesh.element_count())) <= 1.06 * 6000 / world.size() + 1);
  std::int64_t shared = 0;
  for (const HaloPeer& peer : mesh.peers) shared += static_cast<std::int64_t>(peer.faces.size());
  // Cutting the cube by planes costs 200 faces a plane; METIS comes close.
  CHECK(world.sum(shared) / 2 <= 240 * (world.size() - 1));
}

TEST_CASE("partitioning twice gives the same parts, and tiny meshes leave no rank without an element") {
  const Communicator world = Communicator::world();
  for (const std::int64_t cells : {1, 2, 3}) {
    const MeshSlab slab = make_box_slab(make_box({1, 1, 1}, {cells, 1, 1}), world.rank(), world.size());
    const LocalMesh first = build_local_mesh(slab, make_tags({0, 0, 0, 0, 0, 0}), world);
    const LocalMesh second = build_local_mesh(slab, make_tags({0, 0, 0, 0, 0, 0}), world);
    CHECK(first.element_count() > 0);
    CHECK(first.global_id == second.global_id);
  }
  const std::vector<std::array<GlobalIndex, 4>> alone(1, {-1, -1, -1, -1});
  const std::vector<std::int32_t> owner = partition_elements(alone, world.size(), world);
  std::vector<std::int32_t> owners = world.all_gather<std::int32_t>(owner), all(static_cast<std::size_t>(world.size()));
  std::sort(owners.begin(), owners.end());
  std::iota(all.begin(), all.end(), 0);
  CHECK(owners == all);
}
