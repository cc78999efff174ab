#include "sources/ports/coaxial_port.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "base/constants.hpp"
#include "catch.hpp"
#include "failure.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;

namespace {

using Plane = std::array<double, 2>;

// A ring of `around` by `across` quadrilaterals cut in two, its points given by (angle, share across) -> (u, v); the
// plane is tilted in space. Nodes are numbered so that neither rim comes first.
struct Ring {
  Vec3 origin{0.3, -0.2, 1.1};
  Vec3 u{2.0 / 3, 2.0 / 3, 1.0 / 3};
  Vec3 v{-2.0 / 3, 1.0 / 3, 2.0 / 3};
  [[nodiscard]] Vec3 normal() const { return cross(u, v); }

  [[nodiscard]] std::vector<PortTriangle> mesh(int around, int across,
                                               const std::function<Plane(double, double)>& point) const {
    std::map<GlobalIndex, Vec3> nodes;
    const auto id = [&](int i, int j) {
      const GlobalIndex index = ((i % around) * (across + 1) + j) * 7919 % 1000003;
      const Plane p = point(2 * pi * (i % around) / around, static_cast<double>(j) / across);
      nodes[index] = origin + p[0] * u + p[1] * v;
      return index;
    };
    std::vector<PortTriangle> triangles;
    const auto add = [&](std::array<GlobalIndex, 3> corners) {
      std::sort(corners.begin(), corners.end());
      triangles.push_back({corners, {nodes[corners[0]], nodes[corners[1]], nodes[corners[2]]}});
    };
    for (int i = 0; i < around; ++i)
      for (int j = 0; j < across; ++j) {
        add({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
        add({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
      }
    std::sort(triangles.begin(), triangles.end(),
              [](const PortTriangle& a, const PortTriangle& b) { return a.vertices < b.vertices; });
    return triangles;
  }
};

constexpr double inner = 1e-3;
constexpr double outer = 2.3e-3;

Plane circle(double angle, double share) {
  const double r = inner * std::pow(outer / inner, share);
  return {r * std::cos(angle), r * std::sin(angle)};
}

std::vector<PortTriangle> circular(int around) { return Ring().mesh(around, around / 4, circle); }

// The edges between points at one distance from the middle go along circles.
std::vector<PortTriangle> rounded(std::vector<PortTriangle> triangles) {
  const Vec3 origin = Ring().origin;
  constexpr std::array<std::array<std::size_t, 2>, 3> edges{{{0, 1}, {0, 2}, {1, 2}}};
  for (PortTriangle& triangle : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 a = triangle.corners[edges[k][0]] - origin, b = triangle.corners[edges[k][1]] - origin;
      if (std::abs(norm(a) - norm(b)) > 1e-9 * norm(a)) continue;
      const Vec3 middle = 0.5 * (a + b);
      triangle.bulge[k] = (norm(a) / norm(middle) - 1) * middle;
    }
  return triangles;
}

PortDescription port_one() {
  PortDescription port;
  port.name = "p1";
  port.boundary = "end";
  port.boundary_place = {"c.yaml:5:15"};
  port.place = {"c.yaml:4:5"};
  return port;
}

CoaxialPort make(const std::vector<PortTriangle>& triangles, int degree, const PortDescription& port = port_one(),
                 const Medium& medium = {}) {
  return make_coaxial_port(port, triangles, Ring().normal(), medium, degree);
}

std::string refusal(const std::vector<PortTriangle>& triangles, const PortDescription& port = port_one()) {
  const auto failure = catch_failure([&] { (void)make(triangles, 1, port); });
  CHECK(failure.code == ExitCode::bad_case);
  return failure.text;
}

// Largest |e - rho^/(rho ln(b/a))| at the centroids, relative to the field there.
double field_error(const std::vector<PortTriangle>& triangles, const CoaxialPort& port) {
  double error = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& p = triangles[t].corners;
    const Vec3 rho = (1.0 / 3) * (p[0] + p[1] + p[2]) - port.centre_m;
    const Vec3 exact = (1 / (dot(rho, rho) * std::log(outer / inner))) * rho;
    error = std::max(error, norm(port.mode.electric(t, {1.0 / 3, 1.0 / 3, 1.0 / 3}) - exact) / norm(exact));
  }
  return error;
}

}  // namespace

TEST_CASE("centre, radii and impedance are read off the face") {
  const CoaxialPort port = make(circular(24), 1, port_one(), {2.1, 1, 0, 0});
  CHECK(norm(port.centre_m - Ring().origin) < 1e-12);
  CHECK(port.inner_radius_m == Approx(inner));
  CHECK(port.outer_radius_m == Approx(outer));
  CHECK(port.mode.impedance_ohm == Approx(59.9584916 * std::log(2.3) / std::sqrt(2.1)));
  CHECK(port.mode.normal == Ring().normal());
}

TEST_CASE("the norm of the mode tends to 2 pi / ln(b/a) with at least the second order of the facets") {
  const double exact = 2 * pi / std::log(outer / inner);
  for (const int degree : {1, 2, 3}) {
    std::vector<double> errors;
    for (const int around : {24, 48, 96})
      errors.push_back(std::abs(make(circular(around), degree).mode.norm_squared / exact - 1));
    INFO("degree " << degree << ": " << errors[0] << " " << errors[1] << " " << errors[2]);
    CHECK(errors[0] < (degree == 1 ? 0.02 : 0.002));
    CHECK(std::log2(errors[0] / errors[1]) > 1.75);
    CHECK(std::log2(errors[1] / errors[2]) > 1.75);
  }
}

TEST_CASE("with edges along the circles the norm of the mode tends to 2 pi / ln(b/a) with the fourth order") {
  const double exact = 2 * pi / std::log(outer / inner);
  for (const int degree : {2, 3}) {
    std::vector<double> errors;
    for (const int around : {12, 24, 48})
      errors.push_back(std::abs(make(rounded(circular(around)), degree).mode.norm_squared / exact - 1));
    INFO("degree " << degree << ": " << errors[0] << " " << errors[1] << " " << errors[2]);
    CHECK(errors[1] < 1e-4);
    CHECK(std::log2(errors[0] / errors[1]) > 3.7);
    CHECK(std::log2(errors[1] / errors[2]) > 3.7);
  }
}

TEST_CASE("triangles with edges along circles have their area, and a face whose edges leave its plane is not flat") {
  double area = 0;
  for (const PortTriangle& triangle : rounded(circular(24))) area += area_of(triangle);
  CHECK(area == Approx(pi * (outer * outer - inner * inner)).epsilon(1e-4));
  auto bent = rounded(circular(24));
  for (PortTriangle& triangle : bent)
    if (triangle.is_curved()) triangle.bulge[0] = triangle.bulge[0] + 1e-4 * Ring().normal();
  CHECK_THAT(refusal(bent), ContainsSubstring("it is not flat"));
}

TEST_CASE("on curved triangles the overlap of the mode with itself is its norm") {
  const auto triangles = rounded(circular(12));
  const CoaxialPort port = make(triangles, 2);
  double sum = 0;
  for (const double part : overlaps(port.mode, port.mode, triangles)) sum += part;
  CHECK(sum == Approx(port.mode.norm_squared).epsilon(1e-10));
}

TEST_CASE("the field of the mode is that of the coaxial line") {
  const auto triangles = circular(96);
  CHECK(field_error(triangles, make(triangles, 1)) < 0.04);
  CHECK(field_error(triangles, make(triangles, 2)) < 0.015);
  CHECK(field_error(triangles, make(triangles, 3)) < 0.0075);  // the facets
  const auto round = rounded(circular(48));
  CHECK(field_error(round, make(round, 3)) < 0.005);
}

TEST_CASE("the mode carries 1 V from the inner to the outer conductor along any straight way") {
  const auto triangles = circular(24);
  const CoaxialPort port = make(triangles, GENERATE(2, 3));
  std::map<std::array<GlobalIndex, 2>, double> voltage;  // of an edge, the same from both sides
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
      const auto& e = port.mode.corner_field[t];
      std::array<double, 3> middle{};
      middle[a] = middle[b] = 0.5;
      const Vec3 mean = (1.0 / 6) * (e[a] + e[b] + 4 * port.mode.electric(t, middle));  // Simpson's rule
      const double v = dot(mean, triangles[t].corners[b] - triangles[t].corners[a]);
      const auto [other, is_new] = voltage.emplace(std::array{triangles[t].vertices[a], triangles[t].vertices[b]}, v);
      if (!is_new) CHECK(other->second == Approx(v).margin(1e-12));
    }
    CHECK(std::abs(dot(port.mode.corner_field[t][0], Ring().normal())) < 1e-9);
  }
  double total = 0;
  const auto id = [](int j) { return static_cast<GlobalIndex>(j) * 7919 % 1000003; };
  for (int j = 0; j < 6; ++j) {
    const bool up = id(j) < id(j + 1);
    total += (up ? 1 : -1) * voltage.at(up ? std::array{id(j), id(j + 1)} : std::array{id(j + 1), id(j)});
  }
  CHECK(total == Approx(1).epsilon(1e-11));
}

TEST_CASE("the energy of the mode is least among all potentials: a degree more lowers it") {
  CHECK(make(circular(24), 2).mode.norm_squared < make(circular(24), 1).mode.norm_squared);
  CHECK(make(circular(24), 3).mode.norm_squared < make(circular(24), 2).mode.norm_squared);
}

TEST_CASE("a ring of one layer has no unknowns at degree 1 and is still a mode") {
  const CoaxialPort port = make(Ring().mesh(24, 1, circle), 1);
  CHECK(port.mode.norm_squared > 2 * pi / std::log(2.3));
}

TEST_CASE("the mode does not depend on which way the plane is numbered") {
  Ring turned;
  turned.v = -1.0 * turned.v;
  const auto triangles = turned.mesh(24, 6, circle);
  const auto port = make_coaxial_port(port_one(), triangles, turned.normal(), {}, 2);
  CHECK(port.mode.norm_squared == Approx(make(circular(24), 2).mode.norm_squared).epsilon(1e-10));
}

TEST_CASE("given radii near the face's are used for the impedance") {
  PortDescription port = port_one();
  port.inner_radius_m = 1.02e-3;
  port.outer_radius_m = 2.25e-3;
  port.centre_m = Ring().origin + Vec3{5e-5, 0, 0};
  port.axis = -3.0 * Ring().normal();
  CHECK(make(circular(24), 1, port).mode.impedance_ohm == Approx(59.9584916 * std::log(2.25 / 1.02)));
}

TEST_CASE("given values that differ from the face are refused, all at once") {
  PortDescription port = port_one();
  port.inner_radius_m = 1.06e-3;
  port.outer_radius_m = 3e-3;
  port.centre_m = Ring().origin + Vec3{2e-4, 0, 0};
  port.axis = Vec3{1, 0, 0};
  const std::string text = refusal(circular(24), port);
  CHECK_THAT(text,
             ContainsSubstring("c.yaml:4:5: error: port 'p1': inner_radius is 0.00106 m, but the face has 0.001 m"));
  CHECK_THAT(text, ContainsSubstring("outer_radius is 0.003 m, but the face has 0.0023 m"));
  CHECK_THAT(text, ContainsSubstring("centre is (0.3002, -0.2, 1.1) m, but the face has (0.3, -0.2, 1.1) m"));
  CHECK_THAT(text, ContainsSubstring("axis is (1, 0, 0), but the face has (0.333333, -0.666667, 0.666667)"));
}

TEST_CASE("a disc is no annulus") {
  // The inner rim is drawn together: a fan.
  Ring ring;
  auto triangles = ring.mesh(24, 1, circle);
  std::vector<PortTriangle> fan;
  for (PortTriangle triangle : triangles) {
    std::size_t inside = 0;
    for (std::size_t i = 0; i < 3; ++i)
      if (norm(triangle.corners[i] - ring.origin) < 1.5 * inner) {
        ++inside;
        triangle.vertices[i] = -1;
        triangle.corners[i] = ring.origin;
      }
    const auto first = static_cast<std::size_t>(std::min_element(triangle.vertices.begin(), triangle.vertices.end()) -
                                                triangle.vertices.begin());
    std::swap(triangle.corners[0], triangle.corners[first]);
    std::swap(triangle.vertices[0], triangle.vertices[first]);
    if (triangle.vertices[1] > triangle.vertices[2]) {
      std::swap(triangle.vertices[1], triangle.vertices[2]);
      std::swap(triangle.corners[1], triangle.corners[2]);
    }
    if (inside == 1) fan.push_back(triangle);
  }
  CHECK(refusal(fan) ==
        "c.yaml:5:15: error: port 'p1': the face 'end' is not an annulus: it has 1 closed rim, and a ring has two");
}

TEST_CASE("a ring with a second hole is no annulus") {
  auto triangles = Ring().mesh(24, 6, circle);
  // The triangle whose vertices are all inside leaves a hole of three edges.
  const auto inside = [](const PortTriangle& triangle) {
    return std::all_of(triangle.corners.begin(), triangle.corners.end(), [](const Vec3& p) {
      const double r = norm(p - Ring().origin);
      return r > 1.1 * inner && r < 0.9 * outer;
    });
  };
  triangles.erase(std::find_if(triangles.begin(), triangles.end(), inside));
  CHECK_THAT(refusal(triangles), ContainsSubstring("is not an annulus: it has 3 closed rims, and a ring has two"));
}

TEST_CASE("a face in two pieces is no annulus") {
  auto triangles = circular(24);
  for (PortTriangle triangle : circular(24)) {
    for (std::size_t i = 0; i < 3; ++i) {
      triangle.vertices[i] += 2000000;
      triangle.corners[i] = triangle.corners[i] + 0.01 * Ring().u;
    }
    triangles.push_back(triangle);
  }
  CHECK_THAT(refusal(triangles), ContainsSubstring("is not an annulus: it is in 2 pieces"));
}

TEST_CASE("a face that is not flat is no annulus") {
  auto triangles = circular(24);
  for (PortTriangle& triangle : triangles)
    for (Vec3& p : triangle.corners) p = p + (20 * dot(p - Ring().origin, p - Ring().origin)) * Ring().normal();
  CHECK_THAT(refusal(triangles), ContainsSubstring("is not an annulus: it is not flat (its vertices are up to "));
}

TEST_CASE("a square frame is no annulus, with corners only or with finer sides") {
  const auto square = [](double angle, double share) {
    const Plane p = circle(angle, share);
    const double stretch = 1 / std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));
    return Plane{p[0] * stretch, p[1] * stretch};
  };
  CHECK_THAT(refusal(Ring().mesh(24, 4, square)),
             ContainsSubstring("its inner rim is not round about the common centre"));
  CHECK_THAT(refusal(Ring().mesh(4, 2, circle)), ContainsSubstring("its inner rim is a polygon of 4 edges"));
}

TEST_CASE("a round hole in a square is refused for its outer rim") {
  const auto mixed = [](double angle, double share) {
    const double stretch = 1 / std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));
    const Plane p = circle(angle, share);
    const double factor = 1 + share * (stretch - 1);
    return Plane{p[0] * factor, p[1] * factor};
  };
  CHECK_THAT(refusal(Ring().mesh(24, 4, mixed)), ContainsSubstring("its outer rim is not round"));
}

TEST_CASE("an eccentric line is refused") {
  const auto shifted = [](double angle, double share) {
    const Plane p = circle(angle, share);
    return Plane{p[0] + (1 - share) * 4e-4, p[1]};
  };
  CHECK_THAT(refusal(Ring().mesh(48, 6, shifted)), ContainsSubstring("rim is not round about the common centre"));
}

TEST_CASE("a face without triangles is no annulus") {
  CHECK_THAT(refusal({}), ContainsSubstring("it has no triangles"));
}

TEST_CASE("the medium of a port is the lossless one of all its elements") {
  CHECK(port_medium(port_one(), {{2.1, 1, 0, 0}, {2.1, 1, 0, 0}}).eps_r == 2.1);
  const auto mixed = catch_failure([] { (void)port_medium(port_one(), {{1, 1, 0, 0}, {1, 1, 0, 0}, {2.1, 1, 0, 0}}); });
  CHECK(mixed.code == ExitCode::bad_case);
  CHECK(mixed.text ==
        "c.yaml:5:15: error: port 'p1': the face 'end' touches different media (eps_r 1, mu_r 1; eps_r 2.1, mu_r 1); a "
        "port has one medium");
  const auto lossy = catch_failure([] { (void)port_medium(port_one(), {{2, 1, 0.5 * eta0_ohm, 0}}); });
  CHECK(lossy.code == ExitCode::bad_case);
  CHECK_THAT(lossy.text, ContainsSubstring("touches a medium with losses (eps_r 2, mu_r 1, sigma 0.5 S/m)"));
  Medium dispersive;
  dispersive.electric_poles = {{1, 1, 0, 1, 0}};
  CHECK_THAT(catch_failure([&] { (void)port_medium(port_one(), {dispersive}); }).text,
             ContainsSubstring("touches a medium that is dispersive (eps_r 1, mu_r 1, dispersive)"));
  Medium crystal;
  crystal.eps_axes = {1, 1, 2};
  CHECK_THAT(catch_failure([&] { (void)port_medium(port_one(), {crystal}); }).text,
             ContainsSubstring("touches a medium that is anisotropic (eps_r 1, mu_r 1, anisotropic)"));
}

TEST_CASE("small losses of a port's medium are left out of its mode") {
  Medium laminate{4, 1, 0, 0};
  laminate.loss_tangent = 0.02;
  CHECK(without_small_losses(laminate, 1e9) == Medium{4, 1, 0, 0});
  CHECK(without_small_losses({2, 3, 1e-3, 0}, 1e9) == Medium{2, 3, 0, 0});
  for (const Medium& kept : {Medium{2, 1, 0.5 * eta0_ohm, 0}, Medium{4, 1, 0, 0}})
    CHECK(without_small_losses(kept, 1e9) == kept);
  laminate.loss_tangent = 0.2;
  CHECK_THAT(catch_failure([&] { (void)port_medium(port_one(), {laminate}); }).text,
             ContainsSubstring("touches a medium with losses (eps_r 4, mu_r 1, loss tangent 0.2)"));
}
