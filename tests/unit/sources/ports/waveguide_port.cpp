// The rectangle of a face, and the modes on it.
#include "sources/ports/waveguide_port.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "basis/quadrature.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "sources/ports/lumped_port.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;

namespace {

/// A parallelogram from `corner` along two sides, nx by ny cells of two triangles each; cells that `has` refuses are
/// left out.
struct Sheet {
  std::vector<PortTriangle> triangles;
  std::vector<PortEdge> rim;

  template <class Has>
  Sheet(const Vec3& corner, const Vec3& along, const Vec3& across, int nx, int ny, const Has& has) {
    const auto id = [&](int i, int j) { return static_cast<GlobalIndex>(i * (ny + 1) + j); };
    const auto at = [&](GlobalIndex v) {
      return corner + (static_cast<double>(v / (ny + 1)) / nx) * along +
             (static_cast<double>(v % (ny + 1)) / ny) * across;
    };
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j)
        for (const GlobalIndex middle : {id(i + 1, j), id(i, j + 1)}) {
          if (!has(i, j)) continue;
          std::array<GlobalIndex, 3> v{id(i, j), middle, id(i + 1, j + 1)};
          std::sort(v.begin(), v.end());
          triangles.push_back({v, {at(v[0]), at(v[1]), at(v[2])}});
        }
    std::sort(triangles.begin(), triangles.end(),
              [](const PortTriangle& a, const PortTriangle& b) { return a.vertices < b.vertices; });
    Vec3 n = cross(along, across);
    n = (1 / norm(n)) * n;
    rim = find_rim(triangles, n, "");
    std::sort(rim.begin(), rim.end());
  }
};

Sheet whole(const Vec3& corner, const Vec3& along, const Vec3& across, int nx = 3, int ny = 2) {
  return Sheet(corner, along, across, nx, ny, [](int, int) { return true; });
}

PortDescription guide(WaveguideMode mode) {
  PortDescription port;
  port.name = "p";
  port.boundary = "end";
  port.mode = mode;
  port.boundary_place.text = "case.yaml:1:1";
  return port;
}

/// oint of a function over the triangles.
template <class F>
double integral(const std::vector<PortTriangle>& triangles, const F& f) {
  double sum = 0;
  for (const PortTriangle& triangle : triangles) {
    const auto& p = triangle.corners;
    const double area = norm(cross(p[1] - p[0], p[2] - p[0])) / 2;
    for (const auto& q : basis::triangle_rule(20))
      sum += q.weight * area * f(q.barycentric[0] * p[0] + q.barycentric[1] * p[1] + q.barycentric[2] * p[2]);
  }
  return sum;
}

}  // namespace

TEST_CASE("the longer side of a rectangle is a, wherever it lies and however it is turned") {
  const double s = std::sqrt(0.5);
  const Sheet face = whole({1, 2, 3}, {0, 0, -0.5}, {-2 * s, 2 * s, 0}, 2, 5);
  const Rectangle r = find_rectangle(face.triangles, {s, s, 0}, "no");
  CHECK(r.a_m == Approx(2));
  CHECK(r.b_m == Approx(0.5));
  CHECK(norm(r.along_b - Vec3{0, 0, 1}) < 1e-12);
  CHECK(norm(r.along_a - Vec3{s, -s, 0}) < 1e-12);  // of two equal components the first is the largest
  CHECK(norm(r.corner - Vec3{1 - 2 * s, 2 + 2 * s, 2.5}) < 1e-12);
}

TEST_CASE("of a square the side nearest to the first axis is a") {
  const Rectangle r = find_rectangle(whole({0, 0, 0}, {0, 1, 0}, {1, 0, 0}, 3, 3).triangles, {0, 0, 1}, "no");
  CHECK(norm(r.along_a - Vec3{1, 0, 0}) < 1e-12);
  CHECK(norm(r.along_b - Vec3{0, 1, 0}) < 1e-12);
}

TEST_CASE("a face that is no rectangle is refused with what it is") {
  const Vec3 n{0, 0, 1};
  const auto text = [&](const Sheet& face) {
    return catch_failure([&] { (void)find_rectangle(face.triangles, n, "no guide"); }).text;
  };
  CHECK_THAT(text(whole({0, 0, 0}, {2, 0, 0}, {0.1, 1, 0})), ContainsSubstring("no guide: its corners (0, 0, 0)"));
  CHECK_THAT(text(Sheet({0, 0, 0}, {2, 0, 0}, {0, 1, 0}, 3, 2, [](int i, int j) { return i + j < 3; })),
             ContainsSubstring("no guide: its rim has 6 corners"));
  CHECK_THAT(text(Sheet({0, 0, 0}, {2, 0, 0}, {0, 1, 0}, 3, 3, [](int i, int j) { return i != 1 || j != 1; })),
             ContainsSubstring("no guide: it has a hole"));
}

TEST_CASE("modes have norm 1, are orthogonal, and have no field along the metal of the rim") {
  const double a = 22.86e-3, b = 10.16e-3;
  const Sheet face = whole({0, 0, 0}, {a, 0, 0}, {0, b, 0}, 4, 3);
  std::vector<WaveguidePort> modes;
  for (const WaveguideMode mode : {WaveguideMode{false, 1, 0}, WaveguideMode{false, 0, 1}, WaveguideMode{false, 2, 1},
                                   WaveguideMode{true, 1, 1}, WaveguideMode{true, 2, 1}})
    modes.push_back(make_waveguide_port(guide(mode), face.triangles, {0, 0, 1}, face.rim));
  CHECK(modes[0].cutoff_per_m == Approx(pi / a));
  CHECK(modes[3].cutoff_per_m == Approx(std::hypot(pi / a, pi / b)));
  CHECK(modes[0].second_cutoff_per_m == Approx(2 * pi / a));     // TE20
  CHECK(modes[1].second_cutoff_per_m == modes[1].cutoff_per_m);  // TE10 propagates below TE01
  CHECK(modes[3].second_cutoff_per_m == modes[3].cutoff_per_m);
  CHECK(dot(modes[0].electric({a / 2, b / 3, 0}), Vec3{0, 1, 0}) == Approx(std::sqrt(2 / (a * b))));
  for (const auto& p : modes) {
    for (const auto& q : modes)
      CHECK(std::abs(integral(face.triangles, [&](const Vec3& r) { return dot(p.electric(r), q.electric(r)); }) -
                     (&p == &q ? 1 : 0)) < 1e-9);
    const double scale = 1 / std::sqrt(a * b);
    CHECK(std::abs(p.electric({0.3 * a, 0, 0})[0]) < 1e-9 * scale);
    CHECK(std::abs(p.electric({0.3 * a, b, 0})[0]) < 1e-9 * scale);
    CHECK(std::abs(p.electric({0, 0.3 * b, 0})[1]) < 1e-9 * scale);
    CHECK(std::abs(p.electric({a, 0.3 * b, 0})[1]) < 1e-9 * scale);
  }
}

TEST_CASE("a guide whose rim is not all metal is refused with the place") {
  const Sheet face = whole({0, 0, 0}, {2, 0, 0}, {0, 1, 0});
  auto metal = face.rim;
  metal.erase(metal.begin());
  const auto failure = catch_failure([&] { (void)make_waveguide_port(guide({}), face.triangles, {0, 0, 1}, metal); });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK_THAT(failure.text, ContainsSubstring("its rim is not on electric walls, at (0, 0.25, 0) m"));
}

TEST_CASE("half a guide is mirrored at the side that is no metal") {
  // The right half of a guide of 3 by 2: its longer side is the height until it is mirrored.
  const Sheet half = whole({1.5, 0, 0}, {1.5, 0, 0}, {0, 2, 0}, 3, 4);
  std::vector<PortEdge> metal;
  const auto points = points_of(half.triangles);
  for (const PortEdge& edge : half.rim)
    if (points.at(edge[0])[0] > 1.5 || points.at(edge[1])[0] > 1.5) metal.push_back(edge);
  PortDescription spec = guide({});
  spec.magnetic_planes = 1;
  const WaveguidePort port = make_waveguide_port(spec, half.triangles, {0, 0, 1}, metal);
  CHECK(port.shape.a_m == Approx(3));
  CHECK(port.shape.b_m == Approx(2));
  CHECK(port.cutoff_per_m == Approx(pi / 3));
  CHECK(port.second_cutoff_per_m == Approx(pi * std::hypot(1.0 / 3, 1.0 / 2)));  // neither TE20 nor TE01 fits
  CHECK(norm(port.electric({1.5, 0.7, 0}) - Vec3{0, std::sqrt(2.0 / 6), 0}) <
        1e-12);  // the field is largest in the middle
  CHECK(norm(port.electric({3, 0.7, 0})) < 1e-12);
  spec.magnetic_planes = 0;
  CHECK_THAT(catch_failure([&] {
               (void)make_waveguide_port(spec, half.triangles, {0, 0, 1}, metal);
             }).text,
             ContainsSubstring("its rim is not on electric walls, at (1.5, 0.25, 0) m"));
  spec.magnetic_planes = 1;
  CHECK_THAT(catch_failure([&] {
               (void)make_waveguide_port(spec, half.triangles, {0, 0, 1}, half.rim);
             }).text,
             ContainsSubstring("all of its rim is on electric walls, but symmetry names 1 pmc"));
}

namespace {

/// The edges of a sheet's rim that do not lie at y = 0 wholly.
std::vector<PortEdge> metal_above(const Sheet& sheet) {
  std::vector<PortEdge> metal;
  const auto points = points_of(sheet.triangles);
  for (const PortEdge& edge : sheet.rim)
    if (points.at(edge[0])[1] > 0 || points.at(edge[1])[1] > 0) metal.push_back(edge);
  return metal;
}

}  // namespace

TEST_CASE("of a square that was mirrored the side nearest to the first axis is a") {
  // The halves of a guide of 2 by 2 that is cut across y, then across x.
  PortDescription spec = guide({});
  spec.magnetic_planes = 1;
  const Sheet upper = whole({0, 0, 0}, {2, 0, 0}, {0, 1, 0}, 4, 2);
  spec.mode = {false, 0, 1};
  const WaveguidePort across_y = make_waveguide_port(spec, upper.triangles, {0, 0, 1}, metal_above(upper));
  CHECK(norm(across_y.shape.along_a - Vec3{1, 0, 0}) < 1e-12);
  CHECK(norm(across_y.electric({0.3, 0, 0}) - Vec3{-std::sqrt(0.5), 0, 0}) < 1e-12);  // even about y = 0
  const Sheet right = whole({0, 0, 0}, {1, 0, 0}, {0, 2, 0}, 2, 4);
  std::vector<PortEdge> metal;
  const auto points = points_of(right.triangles);
  for (const PortEdge& edge : right.rim)
    if (points.at(edge[0])[0] > 0 || points.at(edge[1])[0] > 0) metal.push_back(edge);
  spec.mode = {false, 1, 0};
  const WaveguidePort across_x = make_waveguide_port(spec, right.triangles, {0, 0, 1}, metal);
  CHECK(norm(across_x.shape.along_a - Vec3{1, 0, 0}) < 1e-12);
  CHECK(norm(across_x.electric({0, 0.3, 0}) - Vec3{0, std::sqrt(0.5), 0}) < 1e-12);  // even about x = 0
}

TEST_CASE("a mode without a magnetic plane where its guide is cut is refused") {
  const Sheet half = whole({0, 0, 0}, {3, 0, 0}, {0, 1, 0}, 4, 2);  // of 3 by 2, cut across the shorter side
  PortDescription spec = guide({});
  spec.magnetic_planes = 1;
  const auto text = [&](WaveguideMode mode) {
    spec.mode = mode;
    return catch_failure([&] { (void)make_waveguide_port(spec, half.triangles, {0, 0, 1}, metal_above(half)); }).text;
  };
  CHECK(text({false, 0, 1}).empty());
  CHECK(text({true, 2, 1}).empty());
  CHECK(text({false, 1, 0}) ==
        "case.yaml:1:1: error: port 'p': TE10 has no magnetic plane of symmetry across its side b, as its second index "
        "is even: mesh the whole guide");
  CHECK_THAT(text({true, 1, 2}), ContainsSubstring("TM12 has no magnetic plane of symmetry across its side b"));
}

TEST_CASE("a patch is as long as its direction says, and its sheet has the resistance of the port") {
  const Sheet face = whole({0, 0, 0}, {3e-3, 0, 0}, {0, 1e-3, 0});
  PortDescription spec = guide({});
  spec.resistance_ohm = 50;
  spec.direction = Vec3{0, 2, 0};
  const LumpedPort port = make_lumped_port(spec, face.triangles, {0, 0, 1}, 1);
  CHECK(port.length_m == Approx(1e-3));
  CHECK(port.width_m == Approx(3e-3));
  CHECK(port.sheet_ohms() == Approx(150));
  CHECK(norm(port.field.electric(0, {1, 0, 0}) - Vec3{0, -1e3, 0}) < 1e-9);
  spec.direction = Vec3{0, 1, 0.1};
  CHECK_THAT(catch_failure([&] {
               (void)make_lumped_port(spec, face.triangles, {0, 0, 1}, 1);
             }).text,
             ContainsSubstring("the direction (0, 1, 0.1) is not in its plane, whose normal is (0, 0, 1)"));
  spec.direction.reset();
  CHECK_THAT(catch_failure([&] {
               (void)make_lumped_port(spec, face.triangles, {0, 0, 1}, 1);
             }).text,
             ContainsSubstring("carries a resistor without 'direction' and is not an annulus"));
}
