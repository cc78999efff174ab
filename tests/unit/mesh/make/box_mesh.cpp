#include "mesh/make/box_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "catch.hpp"
#include "failure.hpp"
#include "mesh/tetrahedron.hpp"
#include "mesh_slabs.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

Corners corners_of(const MeshSlab& mesh, std::size_t element) {
  Corners corners;
  for (std::size_t v = 0; v < 4; ++v) corners[v] = mesh.nodes[static_cast<std::size_t>(mesh.elements[element][v])];
  return corners;
}

}  // namespace

TEST_CASE("a box has the counts of its Kuhn cells") {
  const MeshSlab box = make_box_slab(make_box({2, 3, 8}, {2, 3, 4}), 0, 1);
  CHECK(box.node_count == 60);
  CHECK(box.element_count == 144);
  CHECK(box.face_count == 104);
  CHECK(box.nodes.size() == 60);
  CHECK(box.elements.size() == 144);
  CHECK(box.faces.size() == 104);
  CHECK(box.face_group.size() == 104);
  CHECK(box.region == std::vector<std::int32_t>(144, 0));
  CHECK(box.group_names == std::vector<std::string>{"x0", "x1", "y0", "y1", "z0", "z1"});
  CHECK(box.region_names == std::vector<std::string>{"box"});
  CHECK(box.nodes.front() == Vec3{0, 0, 0});
  CHECK(box.nodes.back() == Vec3{2, 3, 8});
  CHECK(box.nodes[(1 * 4 + 2) * 5 + 3] == Vec3{1, 2, 6});
}

TEST_CASE("each Kuhn tetrahedron has a sixth of its cell and positive orientation") {
  const MeshSlab box = make_box_slab(make_box({2, 3, 8}, {2, 3, 4}), 0, 1);
  for (std::size_t e = 0; e < box.elements.size(); ++e) {
    CHECK(signed_volume(corners_of(box, e)) == Approx(2. / 6).epsilon(1e-13));
    CHECK(box.elements[e][0] < box.elements[e][1]);
  }
  CHECK(box.elements[0] == std::array<GlobalIndex, 4>{0, 20, 25, 26});
}

TEST_CASE("the named faces of a box lie on their sides and cover them with element faces") {
  const MeshSlab box = make_box_slab(make_box({2, 3, 8}, {2, 3, 4}), 0, 1);
  std::set<std::array<GlobalIndex, 3>> element_faces;
  for (auto vertices : box.elements) {
    std::sort(vertices.begin(), vertices.end());
    for (const auto& [a, b, c] : face_corners) element_faces.insert({vertices[a], vertices[b], vertices[c]});
  }
  std::array<double, 6> area{};
  std::set<std::array<GlobalIndex, 3>> seen;
  for (std::size_t n = 0; n < box.faces.size(); ++n) {
    auto face = box.faces[n];
    std::sort(face.begin(), face.end());
    CHECK(element_faces.count(face) == 1);
    CHECK(seen.insert(face).second);
    Corners corners{};
    for (std::size_t v = 0; v < 3; ++v) corners[v] = box.nodes[static_cast<std::size_t>(face[v])];
    const auto side = static_cast<std::size_t>(box.face_group[n]);
    for (std::size_t v = 0; v < 3; ++v)
      CHECK(corners[v][side / 2] == (side % 2 == 0 ? 0 : std::array{2., 3., 8.}[side / 2]));
    area[side] += face_area(corners, 3);
  }
  const std::array<double, 6> expected{24, 24, 16, 16, 6, 6};
  for (std::size_t side = 0; side < 6; ++side) CHECK(area[side] == Approx(expected[side]).epsilon(1e-13));
}

TEST_CASE("slabs of a jittered box put together are the whole box") {
  const BoxMesh spec = make_box({1, 1, 1}, {3, 4, 5}, 0.3);
  const MeshSlab whole = make_box_slab(spec, 0, 1);
  for (const int ranks : {2, 3, 7, 400}) {
    for (int rank = 0; rank < ranks; ++rank) {
      const MeshSlab slab = make_box_slab(spec, rank, ranks), expected = cut_slab(whole, rank, ranks);
      CHECK(slab.first_node == expected.first_node);
      CHECK(slab.first_element == expected.first_element);
      CHECK(slab.nodes == expected.nodes);
      CHECK(slab.elements == expected.elements);
      CHECK(slab.region == expected.region);
      CHECK(slab.faces == expected.faces);
      CHECK(slab.face_group == expected.face_group);
    }
  }
}

TEST_CASE("jitter moves inner nodes by up to half of it in cells, and no boundary node") {
  const MeshSlab regular = make_box_slab(make_box({6, 6, 12}, {6, 6, 6}), 0, 1);
  BoxMesh spec = make_box({6, 6, 12}, {6, 6, 6}, 0.4);
  const MeshSlab moved = make_box_slab(spec, 0, 1);
  std::array<double, 3> largest{}, mean{};
  for (std::size_t n = 0; n < regular.nodes.size(); ++n) {
    const Vec3 by = moved.nodes[n] - regular.nodes[n];
    const Vec3& at = regular.nodes[n];
    const bool inner = at[0] > 0 && at[0] < 6 && at[1] > 0 && at[1] < 6 && at[2] > 0 && at[2] < 12;
    if (!inner) CHECK(by == Vec3{0, 0, 0});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      largest[axis] = std::max(largest[axis], std::abs(by[axis]));
      mean[axis] += by[axis] / 125;
    }
  }
  const std::array<double, 3> cell{1, 1, 2};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    CHECK(largest[axis] <= 0.2 * cell[axis] * (1 + 1e-12));
    CHECK(largest[axis] > 0.18 * cell[axis]);
    CHECK(std::abs(mean[axis]) < 0.04 * cell[axis]);
  }
  spec.seed = 2;
  CHECK(make_box_slab(spec, 0, 1).nodes != moved.nodes);
}

TEST_CASE("a box of too many cells is refused before anything is made") {
  const Failure failure = catch_failure([] { make_box_slab(make_box({1, 1, 1}, {2000000, 2000000, 1}), 0, 1); });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK_THAT(failure.text, ContainsSubstring("a box of 4e+12 cells is too large: at most 2^40"));
}
