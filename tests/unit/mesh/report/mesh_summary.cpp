#include "mesh/report/mesh_summary.hpp"

#include <cmath>

#include "catch.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh_slabs.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("the regular tetrahedron has radius ratio 1 and its textbook measures") {
  const ElementQuality quality = measure_element({{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}});
  const double edge = std::sqrt(8.);
  CHECK(quality.volume_m3 == Approx(edge * edge * edge / (6 * std::sqrt(2.))));
  CHECK(quality.inradius_m == Approx(edge / std::sqrt(24.)));
  CHECK(quality.radius_ratio == Approx(1));
  CHECK(quality.shortest_edge_m == Approx(edge));
  CHECK(quality.longest_edge_m == Approx(edge));
}

TEST_CASE("the unit corner tetrahedron has its measures in either orientation") {
  for (const bool flipped : {false, true}) {
    const Vec3 a{1, 0, 0}, b{0, 1, 0};
    const ElementQuality quality = measure_element({{{0, 0, 0}, flipped ? b : a, flipped ? a : b, {0, 0, 1}}});
    CHECK(quality.volume_m3 == Approx(1. / 6));
    CHECK(quality.inradius_m == Approx(1 / (3 + std::sqrt(3.))));
    CHECK(quality.radius_ratio == Approx(3 / (3 + std::sqrt(3.)) / std::sqrt(0.75)));
    CHECK(quality.shortest_edge_m == Approx(1));
    CHECK(quality.longest_edge_m == Approx(std::sqrt(2.)));
  }
}

TEST_CASE("the summary of a Kuhn box has its volume, areas, bounds and inradius") {
  const comm::Communicator self = comm::Communicator::self();
  const FaceTags tags = make_tags({0, 0, 1, 1, 2, 3});
  const LocalMesh mesh = build_local_mesh(make_box_slab(make_box({1, 1, 1}, {2, 2, 2}), 0, 1), tags, self);
  const MeshSummary summary = summarise_mesh(mesh, 4, 2, self);
  CHECK(summary.element_count == 48);
  CHECK(summary.low_m == Vec3{0, 0, 0});
  CHECK(summary.high_m == Vec3{1, 1, 1});
  CHECK(summary.inradius_m.min == Approx(.103553).epsilon(1e-5));
  CHECK(summary.inradius_m.max == Approx(.103553).epsilon(1e-5));
  CHECK(summary.volume_m3.median == Approx(1. / 48));
  CHECK(summary.shortest_edge_m.min == Approx(0.5));
  CHECK(summary.longest_edge_m.max == Approx(std::sqrt(0.75)));
  CHECK(summary.region_volume_m3.size() == 1);
  CHECK(summary.region_volume_m3[0] == Approx(1).epsilon(1e-14));
  CHECK(summary.region_elements == std::vector<GlobalIndex>{48});
  const std::vector<double> areas{2, 2, 1, 1};
  for (std::size_t tag = 0; tag < 4; ++tag) CHECK(summary.tag_area_m2[tag] == Approx(areas[tag]).epsilon(1e-14));
}

TEST_CASE("the median is right to a bin, and a sheet inside counts once") {
  const comm::Communicator self = comm::Communicator::self();
  MeshSlab box = make_box_slab(make_box({1, 1, 2}, {1, 1, 2}), 0, 1);
  for (Vec3& node : box.nodes) {
    if (node[2] == 1) node[2] = 0.2;
  }
  box.group_names.push_back("sheet");
  for (const std::array<GlobalIndex, 3>& face : {std::array<GlobalIndex, 3>{1, 4, 10}, {1, 7, 10}}) {
    box.faces.push_back(face);
    box.face_group.push_back(6);
  }
  const LocalMesh mesh = build_local_mesh(cut_slab(box, 0, 1), make_tags({0, 0, 0, 0, 0, 0, 1}), self);
  const MeshSummary summary = summarise_mesh(mesh, 4, 2, self);
  CHECK(summary.tag_area_m2[1] == Approx(1));
  CHECK(summary.tag_area_m2[0] == Approx(10));
  CHECK(summary.volume_m3.min == Approx(0.2 / 6));
  CHECK(summary.volume_m3.max == Approx(1.8 / 6));
  CHECK(summary.volume_m3.median == Approx(0.2 / 6).epsilon(1e-3));
}
