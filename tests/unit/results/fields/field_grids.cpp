// Points of regions and cuts, and the fields there.
#include "results/fields/field_grids.hpp"

#include <cmath>

#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/make/box_mesh.hpp"
#include "mesh/map_element.hpp"
#include "results/history/find_element.hpp"
#include "sources/initial_fields.hpp"
#include "unit/mesh/round_octant.hpp"

using namespace tetrawave;
using comm::Communicator;
using results::FieldGrid;
using tetrawave_tests::Approx;
using tetrawave_tests::build_octant;
using tetrawave_tests::make_round_octant;

namespace {

/// A box of 1 x 2 x 3 m in cells of 1/2 m.
struct Bench {
  LocalMesh mesh;
  march::Problem problem;

  explicit Bench(double jitter = 0) {
    BoxMesh box;
    box.size_m = {1, 2, 3};
    box.cells = {2, 4, 6};
    box.jitter = jitter;
    MeshSlab slab = make_box_slab(box, 0, 1);
    FaceTags tags;
    tags.of_group.assign(slab.group_names.size(), 0);
    tags.allowed_inside = {false};
    tags.names = {"walls"};
    mesh = build_local_mesh(std::move(slab), tags, Communicator::self());
    problem.mesh = &mesh;
    problem.space = Space::full_1;
  }
  std::vector<FieldGrid> cut(const Vec3& point, const Vec3& normal) {
    FieldsRequest spec;
    spec.every = 1;
    spec.volumes = false;
    spec.cuts.push_back({"plane", point, normal, {"case.yaml:9:5"}});
    return results::add_field_grids(problem, spec, Communicator::self());
  }
};

Vec3 point_at(const std::vector<float>& points, std::size_t k) {
  return {points[3 * k], points[3 * k + 1], points[3 * k + 2]};
}

/// Of all triangles along the normal: with its sign.
double area_of(const march::Problem& problem, const FieldGrid& grid, const Vec3& normal) {
  const auto points = results::FieldValues(problem, grid, 1).points(0, grid.item.size());
  double area = 0;
  for (std::size_t k = 0; k < points.size() / 3; k += 3) {
    const Vec3 a = point_at(points, k);
    area += dot(cross(point_at(points, k + 1) - a, point_at(points, k + 2) - a), normal) / 2 / norm(normal);
  }
  return area;
}

}  // namespace

TEST_CASE("a plane cuts a tetrahedron in a triangle, a quadrangle or not at all") {
  CHECK(results::cut_element({1, 2, 3, 4}, 0.1, true).empty());
  CHECK(results::cut_element({-1, 2, 3, 4}, 0.1, true).size() == 3);
  CHECK(results::cut_element({-1, 2, -3, -4}, 0.1, true).size() == 3);
  CHECK(results::cut_element({-1, 2, 3, -4}, 0.1, true).size() == 6);
  const auto points = results::cut_element({-1, 3, 3, 3}, 0.1, true);
  REQUIRE(points.size() == 3);
  for (const auto& l : points) CHECK(l[0] == Approx(0.75));
}

TEST_CASE("a face in the plane is cut from one side only, edges and vertices in it from none") {
  CHECK(results::cut_element({0, 1e-12, 0, 4}, 1e-9, true).empty());
  CHECK(results::cut_element({0, 1e-12, 0, -4}, 1e-9, true).size() == 3);
  CHECK(results::cut_element({0, 1e-12, 0, 4}, 1e-9, false).size() == 3);
  CHECK(results::cut_element({0, 1e-12, 0, -4}, 1e-9, false).empty());
  CHECK(results::cut_element({0, 0, -1, -4}, 1e-9, true).empty());
  CHECK(results::cut_element({0, -2, -1, -4}, 1e-9, true).empty());
}

TEST_CASE("a cut covers the plane once, triangles going round its normal") {
  const double root = std::sqrt(2.0);
  for (const double jitter : {0.0, 0.3}) {
    // Through faces of the mesh, between them, in both outer faces, and slanted.
    for (const double y : {1.0, 1.2, 0.0, 2.0}) {
      Bench bench(jitter);
      INFO("jitter " << jitter << ", y " << y);
      const auto grids = bench.cut({0.3, y, 0.1}, {0, 2, 0});
      CHECK(area_of(bench.problem, grids.at(0), {0, 1, 0}) == Approx(3.0).epsilon(1e-6));
    }
    Bench bench(jitter);
    const Vec3 normal{1, 1, 0};
    CHECK(area_of(bench.problem, bench.cut({0, 1, 0}, normal).at(0), normal) == Approx(3 * root).epsilon(1e-6));
  }
}

TEST_CASE("a cut beside the mesh is an error with its place") {
  Bench bench;
  const auto failure = tetrawave_tests::catch_failure([&] { bench.cut({0, 2.01, 0}, {0, 1, 0}); });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK(failure.text == "case.yaml:9:5: error: the plane of cut 'plane' meets no element of the mesh");
}

TEST_CASE("regions have right-handed tetrahedra, and a linear field is met at every point") {
  Bench bench(0.3);
  FieldsRequest spec;
  spec.frequencies_hz = {1e9};
  spec.regions = {"box"};
  spec.cuts.push_back({"plane", {0.5, 0.7, 1.1}, {1, 2, 3}, {""}});
  const auto grids = results::add_field_grids(bench.problem, spec, Communicator::self());
  REQUIRE(grids.size() == 2);
  CHECK(grids[0].item.size() == 288);
  CHECK(bench.problem.fields.elements.size() == 288);
  const auto field = [](const Vec3& r) { return Vec3{1 + r[1], 2 * r[2] - r[0], 3 * r[0] + r[1] - r[2]}; };
  const auto all = project_field(bench.mesh, Space::full_1, field, 1);
  for (const FieldGrid& grid : grids) {
    const results::FieldValues values(bench.problem, grid, 2);
    const auto points = values.points(0, grid.item.size());
    if (!grid.is_cut()) {
      double volume = 0;
      for (std::size_t k = 0; k < points.size() / 3; k += 4) {
        const Vec3 a = point_at(points, k);
        const double part =
            dot(cross(point_at(points, k + 1) - a, point_at(points, k + 2) - a), point_at(points, k + 3) - a) / 6;
        CHECK(part > 0);
        volume += part;
      }
      CHECK(volume == Approx(6).epsilon(1e-5));
    }
    std::vector<double> dofs;
    for (const std::int64_t item : grid.item) {
      const LocalIndex e = bench.problem.fields.elements[static_cast<std::size_t>(item)];
      dofs.insert(dofs.end(), all.begin() + 12 * e, all.begin() + 12 * (e + 1));
    }
    const auto found = values.values(0, grid.item.size(), dofs, 10);
    REQUIRE(found.size() == points.size());
    double worst = 0;
    for (std::size_t k = 0; k < points.size() / 3; ++k)
      worst = std::max(worst, norm(point_at(found, k) - 10 * field(point_at(points, k))));
    CHECK(worst < 1e-4);
  }
}

TEST_CASE("cells of a curved mesh have their nodes on the sphere, and values are those of the mapped functions") {
  const LocalMesh mesh = build_octant(make_round_octant(3));
  march::Problem problem;
  problem.mesh = &mesh;
  problem.space = Space::mixed_2;
  FieldsRequest spec;
  spec.frequencies_hz = {1e9};
  spec.cuts.push_back({"plane", {0.3, 0.3, 0.31}, {1, 2, 3}, {""}});
  const auto grids = results::add_field_grids(problem, spec, Communicator::self());
  REQUIRE(grids.size() == 2);
  CHECK(grids[0].corners == 10);
  const std::size_t n = basis::reference_element(problem.space).dofs;
  std::size_t on_sphere = 0;
  for (const FieldGrid& grid : grids) {
    const results::FieldValues values(problem, grid, 1);
    const auto points = values.points(0, grid.item.size());
    std::vector<double> dofs;
    for (std::size_t k = 0; k < grid.item.size() * n; ++k) dofs.push_back(std::sin(1. + static_cast<double>(k)));
    const auto found = values.values(0, grid.item.size(), dofs, 2);
    REQUIRE(found.size() == points.size());
    std::size_t at = 0;
    for (std::size_t k = 0; k < grid.item.size(); ++k) {
      const LocalIndex e = problem.fields.elements[static_cast<std::size_t>(grid.item[k])];
      const basis::MappedElement element = map_element(problem.space, mesh, e);
      for (std::int32_t p = 0; p < grid.corners * grid.cells[k]; ++p, ++at) {
        const Vec3 place = point_at(points, at);
        on_sphere += std::abs(norm(place) - 1) < 1e-6 ? 1U : 0U;
        const auto functions = element.values(element.barycentric(place).value());
        Vec3 wanted{};
        for (std::size_t i = 0; i < n; ++i) wanted = wanted + 2 * dofs[k * n + i] * functions[i];
        CHECK(norm(point_at(found, at) - wanted) < 1e-4 * (1 + norm(wanted)));
      }
    }
    CHECK(at == points.size() / 3);
  }
  CHECK(on_sphere > 100);
}

TEST_CASE("a point between a curved face and the flat one through its corners lies in the mesh, one beyond does not") {
  const LocalMesh mesh = build_octant(make_round_octant(2));
  const double third = 1 / std::sqrt(3.);
  for (const Vec3& way : {Vec3{third, third, third}, Vec3{0.9, 0.3, std::sqrt(0.1)}, Vec3{0.6, 0.8, 1e-9}}) {
    CHECK(results::find_element(mesh, 0.98 * way).has_value());
    CHECK(results::find_elements(mesh, 0.98 * way).size() >= 1);
    CHECK_FALSE(results::find_element(mesh, 1.02 * way).has_value());
  }
}
