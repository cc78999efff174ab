// Edges of metal in a box of 4 x 4 x 2 cells, on any number of ranks.
#include "mesh/sheet_edges.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/report/metal_edges.hpp"
#include "mesh/solid_edges.hpp"
#include "mesh/tetrahedron.hpp"
#include "mesh_slabs.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

using Part = std::function<bool(const Vec3&)>;

/// Group 0 ("pec"): the faces inside the box with all corners in one of the parts; group 1 ("pmc"): outer faces at
/// y = 0; group 4 ("film"): the other outer faces.
LocalMesh name_faces(MeshSlab whole, const std::vector<Part>& parts, const Communicator& ranks) {
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

LocalMesh make_sheets(const std::vector<Part>& parts, const Communicator& ranks) {
  return name_faces(make_box_slab(make_box({4, 4, 2}, {4, 4, 2}), 0, 1), parts, ranks);
}

const std::vector<bool> is_metal{true, false, false, false, false, false};
const std::vector<bool> is_film{false, false, false, false, true, false};

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
  const SheetEdges edges = find_sheet_edges(mesh, is_metal, 2, world);
  const auto expected = elements_at(mesh, [](const Vec3& x) { return x[2] == 1 && (x[0] == 1 || x[0] == 3); });
  CHECK(edges.is_near == expected);
  CHECK(edges.elements == world.sum(std::int64_t{std::count(expected.begin(), expected.end(), 1)}));
  const MetalEdges measured = measure_metal_edges(mesh, is_metal, 2, world);
  CHECK(std::abs(measured.sheets.at(0).area_m2 - 2 * 4) < 1e-12);
  CHECK(measured.sheets.at(0).edges == 2 * 4);
  CHECK(std::abs(measured.sheets.at(0).elements_across() - 2) < 1e-12);
  CHECK(measured.gaps.bridges == 0);
  CHECK_FALSE(measured.clearances.at(0).is_one_element());  // nothing else is metal
  const MetalClearance clearance =
      measure_metal_edges(mesh, {true, false, false, false, true, false}, 2, world).clearances.at(0);
  CHECK(clearance.is_one_element());
  CHECK(clearance.vertices == 2 * 4);  // without those at y = 4, on other metal
  CHECK(std::abs(clearance.length_m - 1) < 1e-12);
  CHECK(edges.ends_on.at(1));
  CHECK_FALSE(edges.ends_on.at(0));
}

TEST_CASE("a sheet from wall to wall, and a tunnel of sheets, have no edges") {
  const Communicator world = Communicator::world();
  const auto found = [&](const std::vector<Part>& parts) {
    return find_sheet_edges(make_sheets(parts, world), is_metal, 2, world);
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
  CHECK(find_sheet_edges(make_sheets({wall, floor}, world), is_metal, 2, world).elements == 0);
  const LocalMesh mesh = make_sheets({floor}, world);
  const SheetEdges edges = find_sheet_edges(mesh, is_metal, 2, world);
  CHECK(edges.is_near == elements_at(mesh, [](const Vec3& x) { return x[2] == 1 && x[0] == 2; }));
}

TEST_CASE("threads find the edges that one finds") {
  const Communicator world = Communicator::world();
  const Part plate = [](const Vec3& x) { return x[2] == 6 && x[0] >= 6; };
  const LocalMesh mesh = name_faces(make_box_slab(make_box({24, 24, 12}, {24, 24, 12}), 0, 1), {plate}, world);
  const std::vector<bool> all_metal{true, false, false, false, true, false};
  const auto find = [&](int threads) {
    const SheetEdges sheets = find_sheet_edges(mesh, is_metal, threads, world);
    const SolidEdges solids = find_solid_edges(mesh, is_film, threads, world);
    const MetalEdges edges = measure_metal_edges(mesh, all_metal, threads, world);
    return std::tuple(sheets.is_near, sheets.vertices, sheets.ends_on, solids.level,
                      find_faces_around(mesh, sheets.is_near, 2, threads, world), edges.sheets.at(0).edges,
                      edges.clearances.at(0).length_m, edges.gaps.bridges);
  };
  const auto alone = find(1);
  CHECK(world.sum(static_cast<std::int64_t>(std::get<0>(alone).size())) == 6 * 24 * 24 * 12);
  CHECK(std::get<1>(alone).size() == 25);
  CHECK(std::get<5>(alone) == 24);
  CHECK(find(4) == alone);
}

TEST_CASE("a gap of one cell between strips is bridged by edges of the mesh, a strip of one cell is not") {
  const Communicator world = Communicator::world();
  const Part left = [](const Vec3& x) { return x[2] == 1 && x[0] <= 1; };
  const Part right = [](const Vec3& x) { return x[2] == 1 && x[0] >= 2 && x[0] <= 3; };
  const MetalEdges edges = measure_metal_edges(make_sheets({left, right}, world), is_metal, 2, world);
  CHECK(edges.sheets.at(0).edges == 3 * 4);
  CHECK(edges.gaps.bridges == 5 + 4);  // across the gap, and its diagonals
  CHECK(std::abs(edges.gaps.gap_m - 1) < 1e-12);
  CHECK(std::abs(edges.gaps.edge_m - 1) < 1e-12);
}

namespace {

/// The box without the elements whose centre is inside; outer faces are of group 4.
LocalMesh cut_out(MeshSlab whole, const Part& is_inside, const Communicator& ranks) {
  const auto goes = [&](const std::array<GlobalIndex, 4>& element) {
    Vec3 centre{};
    for (const GlobalIndex n : element) centre = centre + 0.25 * whole.nodes[static_cast<std::size_t>(n)];
    return is_inside(centre);
  };
  whole.elements.erase(std::remove_if(whole.elements.begin(), whole.elements.end(), goes), whole.elements.end());
  whole.element_count = static_cast<GlobalIndex>(whole.elements.size());
  whole.region.resize(whole.elements.size());
  return name_faces(std::move(whole), {}, ranks);
}

/// Levels of all elements that have the edge x, y through the box, checked against those expected, and their number.
void check_levels(const LocalMesh& mesh, const Part& is_edge, std::int32_t level, const Communicator& ranks) {
  const SolidEdges edges = find_solid_edges(mesh, is_film, 2, ranks);
  const auto expected = elements_at(mesh, is_edge);
  REQUIRE(edges.level.size() == expected.size());
  for (std::size_t e = 0; e < expected.size(); ++e) CHECK(edges.level[e] == (expected[e] != 0 ? level : 0));
  CHECK(edges.elements == ranks.sum(std::int64_t{std::count(expected.begin(), expected.end(), 1)}));
  CHECK(edges.elements > 0);
}

}  // namespace

TEST_CASE("edges of a solid bar have the exponent of their angle, those of a thin one nearly that of a sheet") {
  const Communicator world = Communicator::world();
  const Part bar = [](const Vec3& x) { return x[0] > 1 && x[0] < 3 && x[2] > 1 && x[2] < 2; };
  const Part rim = [](const Vec3& x) { return (x[0] == 1 || x[0] == 3) && (x[2] == 1 || x[2] == 2); };
  const MeshSlab thick = make_box_slab(make_box({4, 4, 3}, {4, 4, 3}), 0, 1);
  check_levels(cut_out(thick, bar, world), rim, 32, world);  // nu = 2/3
  MeshSlab thin = thick;
  for (Vec3& node : thin.nodes)
    if (node[2] == 2) node[2] = 1.1;
  const Part thin_bar = [](const Vec3& x) { return x[0] > 1 && x[0] < 3 && x[2] > 1 && x[2] < 1.1; };
  const Part thin_rim = [](const Vec3& x) { return (x[0] == 1 || x[0] == 3) && (x[2] == 1 || x[2] == 1.1); };
  check_levels(cut_out(thin, thin_bar, world), thin_rim, 27, world);
}

TEST_CASE("a wedge of 45 degrees of metal has an edge, the inner corners of a notch have none") {
  const Communicator world = Communicator::world();
  const MeshSlab box = make_box_slab(make_box({4, 4, 2}, {4, 4, 2}), 0, 1);
  const Part wedge = [](const Vec3& x) { return x[0] > 2 && x[1] > 2 && x[1] < x[0]; };
  check_levels(
      cut_out(box, wedge, world), [](const Vec3& x) { return x[0] == 2 && x[1] == 2; }, 27, world);
  const Part all_but_a_notch = [](const Vec3& x) { return x[0] > 2 || x[1] > 2; };
  CHECK(find_solid_edges(cut_out(box, all_but_a_notch, world), is_film, 2, world).level.empty());
  CHECK(
      find_solid_edges(cut_out(box, wedge, world), {false, false, false, false, false, false}, 2, world).level.empty());
}

TEST_CASE("a solid bar has edges where its sides meet, and sides of one element") {
  const Communicator world = Communicator::world();
  const LocalMesh mesh = cut_out(
      make_box_slab(make_box({4, 4, 3}, {4, 4, 3}), 0, 1),
      [](const Vec3& x) { return x[0] > 1 && x[0] < 3 && x[2] > 1 && x[2] < 2; }, world);
  const MetalEdges edges = measure_metal_edges(mesh, is_film, 2, world);
  CHECK(edges.solids.at(4).edges == 4 * 4);
  CHECK(edges.sides.at(4).faces == 2 * 2 * 4);  // two triangles a cell
  CHECK(std::abs(edges.sides.at(4).height_m - 1) < 1e-12);
  CHECK(std::abs(edges.sides.at(4).edge_m - 1) < 1e-12);
  CHECK(edges.sheets.at(4).edges == 0);
}
