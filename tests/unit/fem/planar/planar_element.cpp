// Nodal and edge functions on triangles: partition of unity, curls, what neighbours share, points found again.
#include "fem/planar/planar_element.hpp"

#include <cmath>

#include "catch.hpp"
#include "fem/planar/planar_assembly.hpp"
#include "fem/planar/planar_space.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

/// Two triangles with curved edges, six nodes each, whose common edge they see in opposite directions.
TriangleMesh two_triangles(bool curved) {
  TriangleMesh mesh;
  mesh.nodes = {{0, 0}, {1.2, 0.1}, {0.9, 1.0}, {-0.1, 1.1}};
  mesh.elements = {0, 1, 2, 2, 3, 0};
  mesh.region = {0, 0};
  mesh.region_names = {"air"};
  if (!curved) return mesh;
  mesh = add_midside_nodes(mesh);
  for (std::size_t i = 4; i < mesh.nodes.size(); ++i) mesh.nodes[i][1] += 0.05 * std::cos(static_cast<double>(i));
  return mesh;
}

const std::array<double, 3> somewhere{0.2, 0.5, 0.3};

}  // namespace

TEST_CASE("nodal functions sum to 1 and have the gradients of their finite differences") {
  for (const int order : {1, 2}) {
    const TriangleMesh mesh = two_triangles(order == 2);
    const PlanarElement element(mesh, 0, PlanarKind::nodal, order);
    const PlanarPoint point = element.at(somewhere);
    double sum = 0;
    const std::size_t n = PlanarElement::count(PlanarKind::nodal, order);
    for (std::size_t i = 0; i < n; ++i) sum += point.functions[i].scalar;
    CHECK(sum == Approx(1));
    constexpr double step = 1e-6;
    for (std::size_t x = 0; x < 2; ++x) {
      Point2 moved = point.place_m;
      moved[x] += step;
      const PlanarPoint beside = element.at(element.locate(moved));
      for (std::size_t i = 0; i < n; ++i)
        CHECK((beside.functions[i].scalar - point.functions[i].scalar) / step ==
              Approx(point.functions[i].vector[x]).margin(1e-4));
    }
  }
}

TEST_CASE("edge functions have the curls of their finite differences, on curved triangles too") {
  for (const int order : {1, 2}) {
    const TriangleMesh mesh = two_triangles(order == 2);
    const PlanarElement element(mesh, 1, PlanarKind::edge, order);
    const PlanarPoint point = element.at(somewhere);
    constexpr double step = 1e-6;
    std::array<PlanarPoint, 2> beside;
    for (std::size_t x = 0; x < 2; ++x) {
      Point2 moved = point.place_m;
      moved[x] += step;
      beside[x] = element.at(element.locate(moved));
    }
    for (std::size_t i = 0; i < PlanarElement::count(PlanarKind::edge, order); ++i) {
      const double curl = (beside[0].functions[i].vector[1] - point.functions[i].vector[1] -
                           beside[1].functions[i].vector[0] + point.functions[i].vector[0]) /
                          step;
      CHECK(curl == Approx(point.functions[i].scalar).margin(1e-4));
    }
  }
}

TEST_CASE("two triangles have the same tangential trace of a shared function, and others have none") {
  for (const int order : {1, 2}) {
    const TriangleMesh mesh = two_triangles(order == 2);
    const PlanarSpace space = make_planar_space(mesh, PlanarKind::edge, order);
    for (std::size_t k = 0; k < space.first.size(); ++k) {
      if (space.second[k].element < 0) continue;
      const PlanarElement beyond(mesh, static_cast<std::size_t>(space.second[k].element), PlanarKind::edge, order);
      const auto own = space.shared_of(static_cast<std::size_t>(space.first[k].element));
      const auto other = space.shared_of(static_cast<std::size_t>(space.second[k].element));
      for (const PlanarEdgePoint& point : points_on_edge(mesh, space, space.first[k])) {
        const PlanarPoint there = beyond.at(beyond.locate(point.at.place_m));
        for (std::size_t i = 0; i < space.functions; ++i) {
          double trace = 0;
          for (std::size_t m = 0; m < space.functions; ++m)
            if (other[m] == own[i]) trace = trace_of(PlanarKind::edge, there.functions[m], point.tangent);
          CHECK(trace_of(PlanarKind::edge, point.at.functions[i], point.tangent) == Approx(trace).margin(1e-9));
        }
      }
    }
  }
}

TEST_CASE("lengths along the edges of a square sum to its border, and fixed edges leave the inner unknowns") {
  RectangleMesh spec;
  spec.size_m = {2, 1};
  spec.cells = {4, 2};
  const TriangleMesh mesh = make_rectangle(spec);
  PlanarSpace space = make_planar_space(mesh, PlanarKind::edge, 1);
  double length = 0;
  std::vector<std::int32_t> outer;
  for (std::size_t k = 0; k < space.first.size(); ++k)
    if (space.second[k].element < 0) {
      outer.push_back(static_cast<std::int32_t>(k));
      for (const PlanarEdgePoint& point : points_on_edge(mesh, space, space.first[k])) length += point.length_m;
    }
  CHECK(length == Approx(6));
  space.number(outer);
  CHECK(space.unknowns == static_cast<std::int32_t>(space.first.size() - outer.size()));
}
