#include "mesh/file/second_order.hpp"

#include <functional>

#include "catch.hpp"
#include "failure.hpp"
#include "temporary_directory.hpp"
#include "unit/mesh/round_octant.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

/// What reading says of an octant after `change`.
std::string refusal(const std::function<void(WholeMesh&)>& change) {
  const TemporaryDirectory directory;
  WholeMesh mesh = make_round_octant(2);
  change(mesh);
  write_mesh(directory / "m.h5", mesh);
  const auto failure = catch_failure([&] { (void)read_mesh_slab(directory / "m.h5", 0, 1, 2); });
  CHECK(failure.code == ExitCode::bad_mesh);
  return failure.text;
}

}  // namespace

TEST_CASE("a second-order mesh is itself after it was read, and after its edge nodes were dropped and added") {
  const TemporaryDirectory directory;
  const WholeMesh mesh = make_round_octant(2);
  write_mesh(directory / "m.h5", mesh);
  const MeshSlab slab = read_mesh_slab(directory / "m.h5", 0, 1, 2);
  const WholeMesh read = make_whole(slab);
  CHECK(read.order == 2);
  CHECK(read.nodes == mesh.nodes);
  CHECK(read.elements == mesh.elements);
  CHECK(read.faces == mesh.faces);
  WholeMesh again = mesh;
  EdgeNodes known = drop_edge_nodes(again);
  CHECK(again.order == 1);
  CHECK(again.elements.size() == 4 * mesh.region.size());
  CHECK(again.faces.size() == 3 * mesh.face_group.size());
  add_edge_nodes(again, std::move(known));
  CHECK(again.nodes == mesh.nodes);
  CHECK(again.elements == mesh.elements);
  CHECK(again.faces == mesh.faces);
}

TEST_CASE("edges that are new get a node in their middle, the same in all elements") {
  WholeMesh mesh = make_round_octant(2);
  EdgeNodes known = drop_edge_nodes(mesh);
  const auto [ends, node] = *known.begin();
  known.erase(known.begin());
  const std::size_t before = mesh.nodes.size();
  add_edge_nodes(mesh, known);
  REQUIRE(mesh.nodes.size() == before + 1);
  CHECK(mesh.nodes.back() ==
        0.5 * (mesh.nodes[static_cast<std::size_t>(ends[0])] + mesh.nodes[static_cast<std::size_t>(ends[1])]));
}

TEST_CASE("a file of second order whose edges disagree is refused") {
  CHECK_THAT(refusal([](WholeMesh& mesh) {
               mesh.nodes.push_back({9, 9, 9});
               mesh.elements[4] = static_cast<std::int64_t>(mesh.nodes.size()) - 1;
             }),
             ContainsSubstring("has the node "));
  CHECK_THAT(refusal([](WholeMesh& mesh) {
               const std::int64_t corner = mesh.elements[0];
               for (std::size_t at = 10; at < mesh.elements.size(); at += 10) {
                 const auto first = mesh.elements.begin() + static_cast<std::ptrdiff_t>(at);
                 if (std::find(first, first + 10, corner) != first + 10) continue;
                 // every element that has this edge says the same
                 const std::int64_t old = first[4];
                 std::replace(mesh.elements.begin(), mesh.elements.end(), old, corner);
                 std::replace(mesh.faces.begin(), mesh.faces.end(), old, corner);
                 return;
               }
             }),
             ContainsSubstring("lies on two edges, or is a corner too"));
  CHECK_THAT(refusal([](WholeMesh& mesh) { mesh.faces[3] = mesh.elements[7]; }), ContainsSubstring("face 0 has node "));
}

TEST_CASE("a mesh of the other order than the case's is told so, and where it asks for none the mesh has its own") {
  const TemporaryDirectory directory;
  WholeMesh mesh = make_round_octant(2);
  write_mesh(directory / "curved.h5", mesh);
  (void)drop_edge_nodes(mesh);
  write_mesh(directory / "straight.h5", mesh);
  const auto second = catch_failure([&] { (void)read_mesh_slab(directory / "curved.h5", 0, 1, 1); });
  CHECK(second.code == ExitCode::bad_case);
  CHECK_THAT(second.text, ContainsSubstring("the mesh has second-order tetrahedra, but mesh.order is 1"));
  const auto first = catch_failure([&] { (void)read_mesh_slab(directory / "straight.h5", 0, 1, 2); });
  CHECK(first.code == ExitCode::bad_case);
  CHECK_THAT(first.text, ContainsSubstring("the mesh has straight tetrahedra, but mesh.order is 2"));
  CHECK_FALSE(read_mesh_slab(directory / "curved.h5", 0, 1, 0).middles.empty());
  CHECK(read_mesh_slab(directory / "straight.h5", 0, 1, 0).middles.empty());
}
