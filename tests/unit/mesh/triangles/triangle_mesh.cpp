#include "mesh/triangles/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "catch.hpp"
#include "failure.hpp"
#include "mesh/number_tuples.hpp"
#include "temporary_directory.hpp"
#include "unit/mesh/sample_mesh.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::TemporaryDirectory;

namespace {

TriangleMesh make_sample(double jitter = 0) {
  RectangleMesh spec;
  spec.size_m = {3, 2};
  spec.cells = {6, 5};
  spec.jitter = jitter;
  return make_rectangle(spec);
}

double signed_area(const TriangleMesh& mesh, std::size_t e) {
  const auto corner = [&](std::size_t i) {
    return mesh.nodes[static_cast<std::size_t>(mesh.elements[mesh.nodes_per_element() * e + i])];
  };
  const Point2 a = corner(0), b = corner(1), c = corner(2);
  return ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
}

/// What reading says of the sample after `change` of what is written.
tetrawave_tests::Failure read_changed(const std::function<void(TriangleMesh&)>& change) {
  const TemporaryDirectory directory;
  TriangleMesh mesh = make_sample();
  change(mesh);
  write_mesh(directory / "m.h5", make_whole(mesh));
  return catch_failure([&] { (void)read_triangle_mesh(directory / "m.h5"); });
}

}  // namespace

TEST_CASE("a rectangle is covered once, counterclockwise, also with jitter") {
  for (const double jitter : {0.0, 0.5}) {
    const TriangleMesh mesh = make_sample(jitter);
    CHECK(mesh.nodes.size() == 42);
    CHECK(mesh.element_count() == 60);
    double area = 0;
    for (std::size_t e = 0; e < mesh.element_count(); ++e) {
      CHECK(signed_area(mesh, e) > 0);
      area += signed_area(mesh, e);
    }
    CHECK(area == Approx(6));
  }
}

TEST_CASE("the sides of a rectangle carry their names") {
  const TriangleMesh mesh = make_sample(0.3);
  CHECK(mesh.group_names == std::vector<std::string>{"x0", "x1", "y0", "y1"});
  const std::array<double, 4> place{0, 3, 0, 2};
  std::array<double, 4> length{};
  for (std::size_t k = 0; k < mesh.edge_group.size(); ++k) {
    const auto side = static_cast<std::size_t>(mesh.edge_group[k]);
    const Point2 a = mesh.nodes[static_cast<std::size_t>(mesh.edges[2 * k])];
    const Point2 b = mesh.nodes[static_cast<std::size_t>(mesh.edges[2 * k + 1])];
    CHECK(a[side / 2] == place[side]);
    CHECK(b[side / 2] == place[side]);
    length[side] += std::hypot(b[0] - a[0], b[1] - a[1]);
  }
  CHECK(length[0] == Approx(2));
  CHECK(length[1] == Approx(2));
  CHECK(length[2] == Approx(3));
  CHECK(length[3] == Approx(3));
}

TEST_CASE("nodes in the middle of edges are shared by the elements of the edge") {
  const TriangleMesh mesh = add_midside_nodes(make_sample(0.3));
  CHECK(mesh.order == 2);
  CHECK(mesh.nodes.size() == 42 + 101);  // Euler: edges = nodes + elements - 1
  for (std::size_t e = 0; e < mesh.element_count(); ++e)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto node = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(mesh.elements[6 * e + k])]; };
      CHECK(node(3 + i)[0] == Approx((node(i)[0] + node((i + 1) % 3)[0]) / 2));
      CHECK(node(3 + i)[1] == Approx((node(i)[1] + node((i + 1) % 3)[1]) / 2));
    }
  const TriangleMesh back = drop_midside_nodes(mesh);
  CHECK(back.nodes == make_sample(0.3).nodes);
  CHECK(back.elements == make_sample(0.3).elements);
  CHECK(back.edges == make_sample(0.3).edges);
}

TEST_CASE("a mesh of triangles is read as it was written") {
  const TemporaryDirectory directory;
  for (const TriangleMesh& mesh : {make_sample(0.2), add_midside_nodes(make_sample(0.2))}) {
    write_mesh(directory / "m.h5", make_whole(mesh));
    const TriangleMesh read = read_triangle_mesh(directory / "m.h5");
    CHECK(read.order == mesh.order);
    CHECK(read.nodes == mesh.nodes);
    CHECK(read.elements == mesh.elements);
    CHECK(read.region == mesh.region);
    CHECK(read.edges == mesh.edges);
    CHECK(read.edge_group == mesh.edge_group);
    CHECK(read.region_names == mesh.region_names);
    CHECK(read.group_names == mesh.group_names);
  }
}

TEST_CASE("a mesh of triangles that is wrong is refused") {
  const auto flat = read_changed([](TriangleMesh& mesh) { mesh.nodes[1] = mesh.nodes[0]; });
  CHECK(flat.code == ExitCode::bad_mesh);
  CHECK_THAT(flat.text, ContainsSubstring("has no area"));
  const auto unused = read_changed([](TriangleMesh& mesh) { mesh.nodes.push_back({9, 9}); });
  CHECK(unused.code == ExitCode::bad_mesh);
  CHECK_THAT(unused.text, ContainsSubstring("node 42 belongs to no triangle"));
  const auto infinite = read_changed([](TriangleMesh& mesh) { mesh.nodes[5][1] = INFINITY; });
  CHECK(infinite.code == ExitCode::bad_mesh);
  CHECK_THAT(infinite.text, ContainsSubstring("node 5 has a coordinate that is not finite"));
  const auto region = read_changed([](TriangleMesh& mesh) { mesh.region[7] = 3; });
  CHECK_THAT(region.text, ContainsSubstring("triangle 7 has the index 3"));
}

TEST_CASE("tetrahedra are no triangles, and a missing mesh is exit 66") {
  const TemporaryDirectory directory;
  write_mesh(directory / "m.h5", tetrawave_tests::make_cube());
  const auto solid = catch_failure([&] { (void)read_triangle_mesh(directory / "m.h5"); });
  CHECK(solid.code == ExitCode::bad_case);
  CHECK_THAT(solid.text, ContainsSubstring("the mesh has tetrahedra, but this mode needs triangles"));
  CHECK(catch_failure([] { (void)read_triangle_mesh("/no/such.h5"); }).code == ExitCode::missing_input);
}

TEST_CASE("tuples of the same nodes in any order have one number") {
  const std::vector<std::int32_t> tuples{4, 1, 0, 2, 1, 4, 2, 0, 3, 4};
  const TupleNumbers numbers = number_tuples(tuples, 2, 5);
  CHECK(numbers.count == 3);
  CHECK(numbers.id == std::vector<std::int32_t>{1, 0, 1, 0, 2});
}
