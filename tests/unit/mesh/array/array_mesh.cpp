#include "mesh/array/array_mesh.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "catch.hpp"
#include "failure.hpp"
#include "mesh/tetrahedron.hpp"
#include "unit_cell_meshes.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

template <class T>
void append(std::vector<T>& all, const std::vector<T>& part) {
  all.insert(all.end(), part.begin(), part.end());
}

/// The slabs of all ranks, one after the other.
MeshSlab join_slabs(const UnitCells& cells, const ArrayGrid& grid, int ranks) {
  MeshSlab all;
  for (int rank = 0; rank < ranks; ++rank) {
    const MeshSlab slab = make_array_slab(cells, grid, rank, ranks, 2);
    CHECK(slab.first_node == static_cast<GlobalIndex>(all.nodes.size()));
    CHECK(slab.first_element == static_cast<GlobalIndex>(all.elements.size()));
    append(all.nodes, slab.nodes);
    append(all.elements, slab.elements);
    append(all.region, slab.region);
    append(all.owner, slab.owner);
    append(all.faces, slab.faces);
    append(all.face_group, slab.face_group);
    all.node_count = slab.node_count;
    all.element_count = slab.element_count;
    all.face_count = slab.face_count;
  }
  CHECK(all.node_count == static_cast<GlobalIndex>(all.nodes.size()));
  CHECK(all.element_count == static_cast<GlobalIndex>(all.elements.size()));
  CHECK(all.face_count == static_cast<GlobalIndex>(all.faces.size()));
  return all;
}

std::string refusal_of(const MeshSlab& mesh) {
  return catch_failure([&] { (void)make_unit_cells(mesh); }).text;
}

void move_node(MeshSlab& mesh, const Vec3& near, const Vec3& by) {
  const auto node = std::min_element(mesh.nodes.begin(), mesh.nodes.end(),
                                     [&](const Vec3& a, const Vec3& b) { return norm(a - near) < norm(b - near); });
  *node = *node + by;
}

}  // namespace

TEST_CASE("the cut planes of unit cells are the sides of the volumes named cell.NAME") {
  const UnitCells cells = make_unit_cells(make_cell_mesh());
  CHECK(cells.low_m == std::array<double, 2>{2, 1.5});
  CHECK(cells.high_m == std::array<double, 2>{4, 6});
  CHECK(cells.mesh.region_names == std::vector<std::string>{"air", "lid"});
  CHECK(cells.cells[1][1].elements.size() == 2 * 3 * 4 * 6);
  CHECK(cells.cells[0][2].elements.size() == 2 * 2 * 4 * 6);
  CHECK(cells_of_group(cells, 0) == 1U << 4);
  CHECK(cells_of_group(cells, 1) == 0b111111111U);
}

TEST_CASE("an array numbered analytically is the one whose cells are placed and joined one by one") {
  const UnitCells cells = make_unit_cells(make_cell_mesh());
  for (const std::array<std::int64_t, 2> size : {std::array<std::int64_t, 2>{1, 1}, {3, 2}, {1, 4}})
    for (const int ranks : {1, 3, 7}) {
      const ArrayGrid grid = make_grid(cells, size);
      const WholeMesh whole = make_explicit_array(cells, grid, {});
      const MeshSlab all = join_slabs(cells, grid, ranks);
      REQUIRE(all.nodes.size() == whole.nodes.size());
      double difference = 0;
      for (std::size_t n = 0; n < all.nodes.size(); ++n)
        difference = std::max(difference, norm(all.nodes[n] - whole.nodes[n]));
      CHECK(difference < 1e-14);
      MeshSlab plain = all;
      CHECK(make_whole(plain).elements == whole.elements);
      CHECK(make_whole(plain).faces == whole.faces);
      CHECK(all.region == whole.region);
      CHECK(all.face_group == whole.face_group);
    }
}

TEST_CASE("an array of one by one cell is the mesh of its unit cells") {
  const MeshSlab given = make_cell_mesh();
  const MeshSlab all = join_slabs(make_unit_cells(given), {{1, 1}, {2, 4.5}}, 1);
  CHECK(all.nodes.size() == given.nodes.size());
  const auto places = [](const MeshSlab& mesh) {
    std::multiset<std::array<long long, 3>> set;
    for (const auto& element : mesh.elements) {
      Vec3 sum{};
      for (const GlobalIndex node : element) sum = sum + mesh.nodes[static_cast<std::size_t>(node)];
      set.insert({std::llround(1e9 * sum[0]), std::llround(1e9 * sum[1]), std::llround(1e9 * sum[2])});
    }
    return set;
  };
  CHECK(places(all) == places(given));
}

TEST_CASE("an array has no gaps and no overlaps") {
  const UnitCells cells = make_unit_cells(make_cell_mesh());
  const WholeMesh whole = make_explicit_array(cells, make_grid(cells, {4, 3}), {"port"});
  std::map<std::array<std::int64_t, 3>, int> count;
  double volume = 0;
  for (std::size_t e = 0; e < whole.region.size(); ++e) {
    Corners corners;
    for (std::size_t v = 0; v < 4; ++v) corners[v] = whole.nodes[static_cast<std::size_t>(whole.elements[4 * e + v])];
    CHECK(signed_volume(corners) > 0);
    volume += signed_volume(corners);
    for (const auto& face : face_corners) {
      std::array<std::int64_t, 3> nodes{};
      for (std::size_t v = 0; v < 3; ++v) nodes[v] = whole.elements[4 * e + face[v]];
      std::sort(nodes.begin(), nodes.end());
      ++count[nodes];
    }
  }
  const double lx = 6 + 3 * 2, ly = 9 + 2 * 4.5;
  CHECK(volume == Approx(lx * ly * 4));
  std::size_t outer = 0;
  for (const auto& [face, times] : count) outer += times == 1 ? 1 : 0;
  CHECK(outer == whole.face_group.size());
  CHECK(whole.group_names.size() == 3 + 4 * 3);
  CHECK(whole.group_names[3] == "port.0.0");
  CHECK(whole.group_names.back() == "port.3.2");
}

TEST_CASE("every rank has elements of an array, all of a cell on one rank, as many as any other within a cell") {
  const UnitCells cells = make_unit_cells(make_cell_mesh());
  const ArrayGrid grid = make_grid(cells, {5, 3});
  for (const int ranks : {2, 3, 5, 7, 35}) {
    const auto owners = partition_cells(cells, grid, ranks);
    std::vector<std::int64_t> load(static_cast<std::size_t>(ranks), 0);
    for (std::int64_t cell = 0; cell < grid.cell_count(); ++cell)
      load[static_cast<std::size_t>(owners[static_cast<std::size_t>(cell)])] +=
          static_cast<std::int64_t>(grid.unit(cells, grid.cell(cell)).elements.size());
    const auto [least, most] = std::minmax_element(load.begin(), load.end());
    CHECK(*least > 0);
    CHECK(*most - *least <= 2 * 2 * 3 * 4 * 6);
    const MeshSlab all = join_slabs(cells, grid, ranks);
    const ArrayNumbers numbers = number_elements(cells, grid);
    for (std::size_t e = 0; e < all.owner.size(); ++e)
      REQUIRE(all.owner[e] == owners[static_cast<std::size_t>(numbers.cell_of(static_cast<GlobalIndex>(e)))]);
  }
  const auto failure = catch_failure([&] { (void)partition_cells(cells, grid, 36); });
  CHECK(failure.text ==
        "36 ranks, but the array has only 35 cells, rim included: start at most as many ranks, or set array.explicit: "
        "true");
}

TEST_CASE("cells that cannot be repeated are refused with the place") {
  MeshSlab mesh = make_cell_mesh();
  mesh.region_names = {"air", "inner", "lid"};
  CHECK(refusal_of(mesh) ==
        "cells: no physical volume is of the antenna cell: name its volumes cell.NAME, as in cell.air, NAME being what "
        "the case calls them");

  mesh = make_cell_mesh();
  mesh.region_names = {"air", "cell.air", "lid"};
  CHECK(refusal_of(mesh).find(" is in the antenna cell, but in the physical volume 'lid': name it cell.NAME") !=
        std::string::npos);

  mesh = make_cell_mesh();
  move_node(mesh, {2, 3, 4}, {0, 0.1, 0});
  CHECK(
      refusal_of(mesh) ==
      "cells: the cut planes x = 2 m and x = 4 m do not match: the node at (2, 3.1, 4) m of x = 2 m has no partner on "
      "the other one; mesh one plane as a copy of the other (in Gmsh: Periodic Surface {UPPER} = {LOWER} Translate "
      "{pitch, 0, 0})");

  mesh = make_cell_mesh();
  move_node(mesh, {3, 6, 4}, {0, -0.1, 0});
  CHECK(refusal_of(mesh).find("crosses a cut plane, y = 1.5 m or y = 6 m: cut all volumes there") != std::string::npos);

  mesh = make_cell_mesh();
  for (std::size_t e = 0; e < mesh.region.size(); ++e) mesh.region[e] = mesh.region[e] == 0 ? 1 : mesh.region[e];
  CHECK(refusal_of(mesh).find("there is no cell south-west of the antenna cell") != std::string::npos);
}

TEST_CASE("a surface with nodes of no element is refused") {
  MeshSlab mesh = make_cell_mesh();
  for (const Vec3& node : {Vec3{3, 3, 1.1}, Vec3{3.2, 3, 1.1}, Vec3{3, 3.2, 1.1}}) mesh.nodes.push_back(node);
  const auto last = static_cast<GlobalIndex>(mesh.nodes.size()) - 1;
  mesh.faces.push_back({last - 2, last - 1, last});
  mesh.face_group.push_back(1);
  mesh.node_count = last + 1;
  ++mesh.face_count;
  CHECK(refusal_of(mesh) ==
        "cells: a face of 'floor' near (3.06667, 3.06667, 1.1) m is not a face of any element: regenerate the mesh");
}

TEST_CASE("a surface in one cut plane only is refused") {
  MeshSlab mesh = make_cell_mesh();
  const auto in_plane = [&](double x) {
    std::array<GlobalIndex, 3> face{};
    for (const auto& element : mesh.elements)
      for (const auto& corners : face_corners) {
        bool inside = true;
        for (std::size_t v = 0; v < 3; ++v) {
          face[v] = element[corners[v]];
          inside = inside && std::abs(mesh.nodes[static_cast<std::size_t>(face[v])][0] - x) < 1e-9;
        }
        if (inside) return face;
      }
    return face;
  };
  mesh.group_names.push_back("fence");
  mesh.faces.push_back(in_plane(2));
  mesh.face_group.push_back(3);
  CHECK(refusal_of(mesh).find("the physical surface 'fence' lies in one of the cut planes x = 2 m and x = 4 m only") !=
        std::string::npos);
}
