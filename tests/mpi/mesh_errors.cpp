#include <cmath>
#include <limits>

#include "catch.hpp"
#include "comm/communicator.hpp"
#include "failure.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh_slabs.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

/// One Kuhn cell: nodes 4 i + 2 j + k, six elements round the diagonal 0-7.
MeshSlab make_cell() { return make_box_slab(make_box({1, 1, 1}, {1, 1, 1}), 0, 1); }

FaceTags all_pec() { return make_tags({0, 0, 0, 0, 0, 0}); }

/// "code: text" of building the mesh on all ranks, or "" when it works; the same on every rank.
std::string error_of(const MeshSlab& whole, const FaceTags& tags) {
  const Communicator world = Communicator::world();
  const Failure failure =
      catch_failure([&] { build_local_mesh(cut_slab(whole, world.rank(), world.size()), tags, world); });
  const std::string text =
      failure.text.empty() ? "" : tetrawave::format("{}: {}", static_cast<int>(failure.code), failure.text);
  std::string first = text;
  world.broadcast(first);
  CHECK(first == text);
  return text;
}

}  // namespace

TEST_CASE("a good mesh is no error") { CHECK(error_of(make_cell(), all_pec()) == ""); }

TEST_CASE("more ranks than elements is a usage error") {
  MeshSlab one = make_cell();
  one.elements.resize(1);
  one.region.resize(1);
  one.faces.clear();
  one.face_group.clear();
  const int size = Communicator::world().size();
  const std::string expected =
      tetrawave::format("64: {} ranks, but the mesh has only 1 elements: start at most as many ranks", size);
  CHECK(error_of(one, make_tags({0, 0, 0, 0, 0, 0}, 0)) == (size == 1 ? "" : expected));
}

TEST_CASE("an element without volume is named with its place") {
  MeshSlab flat = make_cell();
  flat.elements[4] = {0, 2, 1, 3};
  CHECK(error_of(flat, all_pec()) ==
        "65: box: element 4 near (0, 0.5, 0.5) m has no volume (0 m^3, longest edge 1.41 m): regenerate the mesh");
  MeshSlab twice = make_cell();
  twice.elements[2] = {0, 7, 7, 1};
  twice.elements[5] = twice.elements[2];
  CHECK_THAT(error_of(twice, all_pec()), ContainsSubstring("65: box: element 2 near (0.5, 0.5, 0.75) m has no volume"));
}

TEST_CASE("a tiny element is no element without volume") {
  MeshSlab tiny = make_cell();
  for (Vec3& node : tiny.nodes) node = 1e-9 * node;
  CHECK(error_of(tiny, all_pec()) == "");
}

TEST_CASE("nodes and regions that do not exist are named") {
  MeshSlab mesh = make_cell();
  mesh.elements[3][1] = 8;
  CHECK(error_of(mesh, all_pec()) ==
        "65: box: element 3 names node 8, but the mesh has only 8 nodes: regenerate the mesh");
  mesh.elements[3][1] = -1;
  CHECK_THAT(error_of(mesh, all_pec()), ContainsSubstring("element 3 names node -1"));
  mesh = make_cell();
  mesh.nodes[7][2] = std::numeric_limits<double>::quiet_NaN();
  CHECK(error_of(mesh, all_pec()) == "65: box: element 0 has a corner that is not finite: regenerate the mesh");
  mesh = make_cell();
  mesh.region[5] = -1;
  CHECK_THAT(error_of(mesh, all_pec()),
             ContainsSubstring("65: box: element 5 near (0.25, 0.5, 0.75) m is in no region"));
}

TEST_CASE("an element that stands twice is named with its twin") {
  MeshSlab mesh = make_cell();
  auto twin = mesh.elements[2];
  std::swap(twin[0], twin[3]);
  mesh.elements.push_back(twin);
  mesh.region.push_back(0);
  CHECK(error_of(mesh, all_pec()) ==
        "65: box: elements 2 and 6 near (0.5, 0.75, 0.25) m have the same four corners: remove one");
}

TEST_CASE("a face of three elements is refused") {
  MeshSlab mesh = make_cell();
  mesh.nodes.push_back({2, 3, 0.5});
  mesh.elements.push_back({0, 6, 7, 8});
  mesh.region.push_back(0);
  CHECK(error_of(mesh, make_tags({0, 0, 0, 0, 0, 0}, 0)) ==
        "65: box: more than two elements share a face of element 0 near (0.666667, 0.666667, 0.333333) m: "
        "regenerate the mesh");
}

TEST_CASE("elements that overlap are refused") {
  MeshSlab mesh = make_box_slab(make_box({2, 2, 2}, {2, 2, 2}), 0, 1);
  mesh.nodes[13] = {2.5, 1.2, 1.1};
  mesh.source = "plate.h5";
  const std::string error = error_of(mesh, all_pec());
  CHECK_THAT(error, ContainsSubstring("65: plate.h5: elements "));
  CHECK_THAT(error, ContainsSubstring(" lie on the same side of their common face near ("));
  mesh.source = "box";
  CHECK_THAT(error_of(mesh, all_pec()), ContainsSubstring(": regenerate the mesh with less jitter"));
}

TEST_CASE("a named face that no element has is refused") {
  MeshSlab mesh = make_cell();
  mesh.faces.push_back({4, 2, 1});
  mesh.face_group.push_back(3);
  CHECK(error_of(mesh, make_tags({0, 0, 0, -1, 0, 0}, 0)) ==
        "65: box: a face of 'y1' (nodes 1, 2, 4) is not a face of any element: regenerate the mesh");
}

TEST_CASE("outer faces without a condition are counted and the first is placed") {
  CHECK(error_of(make_cell(), make_tags({0, 0, 0, 0, 0, -1})) ==
        "78: 2 outer faces carry no boundary condition, the first near (0.666667, 0.333333, 1) m: name them in "
        "boundaries or set boundaries.default; groups without one: z1");
  CHECK(error_of(make_cell(), make_tags({0, 0, 0, 0, 0, -1}, 2)) == "");
  FaceTags placed = make_tags({0, 0, 0, 0, 0, -1});
  placed.place = "case.yaml:5:1";
  CHECK_THAT(error_of(make_cell(), placed), ContainsSubstring("78: case.yaml:5:1: error: 2 outer faces carry no"));
  MeshSlab mesh = make_cell();
  mesh.faces.erase(mesh.faces.begin());
  mesh.face_group.erase(mesh.face_group.begin());
  CHECK_THAT(error_of(mesh, all_pec()), ContainsSubstring("78: 1 outer face carries no boundary condition, the first"));
}

TEST_CASE("a face with two conditions names both") {
  MeshSlab mesh = make_cell();
  mesh.group_names.push_back("feed");
  mesh.faces.push_back({7, 1, 5});
  mesh.face_group.push_back(6);
  CHECK(error_of(mesh, make_tags({0, 0, 0, 0, 0, 0, 3})) ==
        "78: the face near (0.666667, 0.333333, 1) m is in pec and in port 'p1': a face has one boundary condition");
  CHECK(error_of(mesh, make_tags({0, 0, 0, 0, 0, 0, -1})) == "");
  CHECK(error_of(mesh, make_tags({0, 0, 0, 0, 0, 0, 0})) == "");
}

TEST_CASE("a condition for outer faces must not stand inside, a sheet may") {
  MeshSlab mesh = make_cell();
  mesh.group_names.push_back("feed");
  mesh.faces.push_back({0, 7, 4});
  mesh.face_group.push_back(6);
  CHECK(error_of(mesh, make_tags({0, 0, 0, 0, 0, 0, 3})) ==
        "78: port 'p1' has faces between two elements, the first near (0.666667, 0.333333, 0.333333) m: it must lie on "
        "the mesh's outside");
  CHECK(error_of(mesh, make_tags({0, 0, 0, 0, 0, 0, 0})) == "");
  CHECK(error_of(mesh, make_tags({0, 0, 0, 0, 0, 0, -1})) == "");
}

TEST_CASE("of several problems every rank count reports the same one") {
  MeshSlab mesh = make_cell();
  mesh.faces.push_back({4, 2, 1});
  mesh.face_group.push_back(3);
  mesh.elements.push_back(mesh.elements[5]);
  mesh.elements.push_back(mesh.elements[1]);
  mesh.region.insert(mesh.region.end(), 2, 0);
  CHECK_THAT(error_of(mesh, make_tags({-1, -1, -1, -1, -1, -1})), ContainsSubstring("65: box: elements 1 and 7 near"));
}
