// Edges of metal sheets in a box of 4 x 4 x 2 cells, on any number of ranks.
#include "mesh/sheet_edges.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "catch.hpp"
#include "mesh/build_mesh.hpp"
#include "mesh/tetrahedron.hpp"
#include "mesh_slabs.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

using Part = std::function<bool(const Vec3&)>;

/// Group 0 ("pec"): the faces inside the box with all corners in one of the parts; group 1 ("pmc"): outer faces at
/// y = 0; group 4 ("film"): the other outer faces.
LocalMesh make_sheets(const std::vector<Part>& parts, const Communicator& ranks) {
  MeshSlab whole = make_box_slab(make_box({4, 4, 2}, {4, 4, 2}), 0, 1);
  whole.group_names = {"pec", "pmc", "absorbing", "driven", "film", "metal"};
  whole.faces.clear();
  whole.face_group.clear();
  std::set<std::array<GlobalIndex, 3>> seen, twice;
  for (const auto& element : whole.elements)
    for (const auto& [a, b, c] : face_corners) {
      std::array<GlobalIndex, 3> face{element[a], element[b], element[c]};
      std::sort(face.begin(), face.end());
      if (!seen.insert(face).second) twice.insert(face);
    }
  for (const auto& face : seen) {
    const auto all = [&](const auto& holds) {
      return std::all_of(face.begin(), face.end(),
                         [&](GlobalIndex n) { return holds(whole.nodes[static_cast<std::size_t>(n)]); });
    };
    const bool outer = twice.count(face) == 0;
    if (!outer && std::none_of(parts.begin(), parts.end(), all)) continue;
    whole.faces.push_back(face);
    whole.face_group.push_back(!outer ? 0 : (all([](const Vec3& x) { return x[1] == 0; }) ? 1 : 4));
  }
  return build_local_mesh(cut_slab(whole, ranks.rank(), ranks.size()), make_tags({0, 1, 2, 3, 4, 5}), ranks,
                          {Ordering::blocks, 2});
}

const std::vector<bool> is_metal{true, false, false, false, false, false};

/// Elements with a corner where `is_edge` holds; of this rank.
std::vector<std::uint8_t> elements_at(const LocalMesh& mesh, const Part& is_edge) {
  std::vector<std::uint8_t> near;
  for (const Corners& corners : mesh.corners)
    near.push_back(std::any_of(corners.begin(), corners.end(), is_edge) ? 1 : 0);
  return near;
}

}  // namespace

TEST_CASE("a strip through the box has two edges, which end on outer faces, on any number of ranks") {
  const Communicator world = Communicator::world();
  const auto on_strip = [](const Vec3& x) { return x[2] == 1 && x[0] >= 1 && x[0] <= 3; };
  const LocalMesh mesh = make_sheets({on_strip}, world);
  const SheetEdges edges = find_sheet_edges(mesh, is_metal, world);
  const auto expected = elements_at(mesh, [](const Vec3& x) { return x[2] == 1 && (x[0] == 1 || x[0] == 3); });
  CHECK(edges.is_near == expected);
  CHECK(edges.elements == world.sum(std::int64_t{std::count(expected.begin(), expected.end(), 1)}));
  CHECK(edges.faces.at(0) == 2 * 2 * 2 * 4);  // both sides of two triangles a cell, 2 x 4 cells
  CHECK(edges.inside.at(0) == 0);             // all have a corner on an edge: the strip is two cells wide
  CHECK(edges.ends_on.at(1));
  CHECK_FALSE(edges.ends_on.at(0));
}

TEST_CASE("a sheet from wall to wall, and a tunnel of sheets, have no edges") {
  const Communicator world = Communicator::world();
  const auto found = [&](const std::vector<Part>& parts) {
    return find_sheet_edges(make_sheets(parts, world), is_metal, world);
  };
  const SheetEdges across = found({[](const Vec3& x) { return x[2] == 1; }});
  CHECK(across.elements == 0);
  CHECK(across.is_near.empty());
  CHECK(found({}).is_near.empty());
  const Part left = [](const Vec3& x) { return x[0] == 1 && x[2] <= 1; };
  const Part right = [](const Vec3& x) { return x[0] == 3 && x[2] <= 1; };
  const Part top = [](const Vec3& x) { return x[2] == 1 && x[0] >= 1 && x[0] <= 3; };
  CHECK(found({left, right, top}).elements == 0);  // a tunnel on the floor
}

TEST_CASE("where three sheets meet there is no edge, and where a plate ends there is") {
  const Communicator world = Communicator::world();
  const Part wall = [](const Vec3& x) { return x[0] == 2; };
  const Part floor = [](const Vec3& x) { return x[2] == 1 && x[0] >= 2; };
  CHECK(find_sheet_edges(make_sheets({wall, floor}, world), is_metal, world).elements == 0);
  const LocalMesh mesh = make_sheets({floor}, world);
  const SheetEdges edges = find_sheet_edges(mesh, is_metal, world);
  CHECK(edges.is_near == elements_at(mesh, [](const Vec3& x) { return x[2] == 1 && x[0] == 2; }));
  CHECK(edges.inside.at(0) > 0);  // two cells from the edge
}
