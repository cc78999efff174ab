// The TEM mode of cross-sections whose line impedance is known.
#include "sources/ports/tem_port.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/constants.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "sources/ports/coaxial_port.hpp"
#include "sources/ports/second_mode.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;

namespace {

constexpr std::int32_t signal = 4, shield = 7;
const Vec3 normal{0, 0, -1};

// A face of triangles in the plane z = 1: a grid of unit squares, each cut in two; those without `has` are left out.
// `conductor_at` tells the conductor of an edge by the middle of the edge, 0 for none.
struct Face {
  std::vector<PortTriangle> triangles;
  std::vector<ConductorEdge> metal;

  Face(int nx, int ny, double size, const std::function<bool(int, int)>& has,
       const std::function<std::int32_t(double, double)>& conductor_at) {
    const auto id = [&](int i, int j) { return static_cast<GlobalIndex>(i * (ny + 1) + j); };
    const auto at = [&](GlobalIndex v) {
      return Vec3{size * static_cast<double>(v / (ny + 1)), size * static_cast<double>(v % (ny + 1)), 1};
    };
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j) {
        if (!has(i, j)) continue;
        for (const GlobalIndex middle : {id(i + 1, j), id(i, j + 1)}) {
          std::array<GlobalIndex, 3> v{id(i, j), middle, id(i + 1, j + 1)};
          std::sort(v.begin(), v.end());
          triangles.push_back({v, {at(v[0]), at(v[1]), at(v[2])}});
        }
      }
    std::sort(triangles.begin(), triangles.end(),
              [](const PortTriangle& a, const PortTriangle& b) { return a.vertices < b.vertices; });
    std::set<ConductorEdge> found;
    for (const PortTriangle& triangle : triangles)
      for (const PortEdge& edge : edges_of(triangle)) {
        const Vec3 middle = (0.5 / size) * (at(edge[0]) + at(edge[1]));
        const std::int32_t conductor = conductor_at(middle[0], middle[1]);
        if (conductor != 0) found.insert({edge, conductor});
      }
    metal.assign(found.begin(), found.end());
  }
};

PortDescription port_one() {
  PortDescription port;
  port.name = "p1";
  port.boundary = "end";
  port.type = PortType::tem;
  port.signal = "strip";
  port.boundary_place = {"c.yaml:5:15"};
  port.signal_place = {"c.yaml:5:40"};
  return port;
}

TemPort make_port(const Face& face, int degree, const std::vector<Medium>& media) {
  const std::vector<std::string> names{"", "", "", "", "pec group 'strip'", "", "", "pec group 'shield'"};
  return make_tem_port(port_one(), face.triangles, normal, face.metal, signal, names, media, degree);
}

TemMode make(const Face& face, int degree, const Medium& medium = {}) { return make_port(face, degree, {medium}).mode; }

// The media of triangles, of which those for which `is_filled` holds of their middle, in cells, have eps_r 4.
std::vector<Medium> fill(const Face& face, double size, const std::function<bool(double, double)>& is_filled) {
  std::vector<Medium> media;
  for (const PortTriangle& triangle : face.triangles) {
    const auto& p = triangle.corners;
    const Vec3 middle = (1 / (3 * size)) * (p[0] + p[1] + p[2]);
    media.push_back({is_filled(middle[0], middle[1]) ? 4.0 : 1.0, 1, 0, 0});
  }
  return media;
}

std::string refusal(const Face& face) {
  const auto failure = catch_failure([&] { (void)make(face, 1); });
  CHECK(failure.code == ExitCode::bad_case);
  return failure.text;
}

bool everywhere(int, int) { return true; }

// A square conductor of `cells` cells in the middle of a square shield of twice its size.
Face square_line(int cells) {
  const int all = 2 * cells, first = cells / 2, last = first + cells;
  const auto inside = [=](double x) { return x >= first && x <= last; };
  return {all, all, 1e-3 / cells, [=](int i, int j) { return i < first || i >= last || j < first || j >= last; },
          [=](double x, double y) {
            if (x == 0 || y == 0 || x == all || y == all) return shield;
            const bool on_x = (x == first || x == last) && inside(y);
            const bool on_y = (y == first || y == last) && inside(x);
            return on_x || on_y ? signal : 0;
          }};
}

// Circles of 1 and 2.3 mm and what lies between.
std::pair<std::vector<PortTriangle>, std::vector<ConductorEdge>> circles(int around, int across) {
  const auto id = [=](int i, int j) { return static_cast<GlobalIndex>((i % around) * (across + 1) + j); };
  const auto at = [=](GlobalIndex v) {
    const double angle = 2 * pi * static_cast<double>(v / (across + 1)) / around;
    const double r = 1e-3 * std::pow(2.3, static_cast<double>(v % (across + 1)) / across);
    return Vec3{r * std::cos(angle), r * std::sin(angle), 1};
  };
  std::vector<PortTriangle> triangles;
  std::vector<ConductorEdge> metal;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j)
      for (const GlobalIndex middle : {id(i + 1, j), id(i, j + 1)}) {
        std::array<GlobalIndex, 3> v{id(i, j), middle, id(i + 1, j + 1)};
        std::sort(v.begin(), v.end());
        triangles.push_back({v, {at(v[0]), at(v[1]), at(v[2])}});
      }
    for (const auto& [j, conductor] : {std::pair{0, signal}, std::pair{across, shield}})
      metal.push_back({{std::min(id(i, j), id(i + 1, j)), std::max(id(i, j), id(i + 1, j))}, conductor});
  }
  std::sort(triangles.begin(), triangles.end(),
            [](const PortTriangle& a, const PortTriangle& b) { return a.vertices < b.vertices; });
  return {triangles, metal};
}

double second_cutoff(const std::vector<PortTriangle>& triangles, const std::vector<ConductorEdge>& metal,
                     const std::vector<Medium>& media) {
  std::vector<PortEdge> edges;
  for (const ConductorEdge& item : metal) edges.push_back(item.edge);
  std::sort(edges.begin(), edges.end());
  return find_second_cutoff_per_m(triangles, edges, media);
}

}  // namespace

TEST_CASE("parallel plates between magnetic walls have the impedance eta h/w, exactly") {
  const Face face(6, 4, 0.5e-3, everywhere, [](double, double y) { return y == 0 ? shield : y == 4 ? signal : 0; });
  for (const int degree : {1, 2}) {
    CHECK(make(face, degree).impedance_ohm == Approx(eta0_ohm * 4 / 6).epsilon(1e-12));
    const TemMode mode = make(face, degree, {4, 1, 0, 0});
    CHECK(mode.impedance_ohm == Approx(eta0_ohm / 3).epsilon(1e-12));
    for (std::size_t t = 0; t < face.triangles.size(); ++t)
      CHECK(norm(mode.electric(t, {0.2, 0.3, 0.5}) - Vec3{0, -1 / 2e-3, 0}) < 1e-9 / 2e-3);
  }
}

TEST_CASE("plates with two media are capacitors in series or in parallel, exactly") {
  const Face face(6, 4, 0.5e-3, everywhere, [](double, double y) { return y == 0 ? shield : y == 4 ? signal : 0; });
  for (const int degree : {1, 2, 3}) {
    const TemPort series = make_port(face, degree, fill(face, 0.5e-3, [](double, double y) { return y < 2; }));
    CHECK(series.eps_effective == Approx(1.6).epsilon(1e-11));  // 1/(1/2 1/4 + 1/2)
    CHECK(series.mode.impedance_ohm == Approx(eta0_ohm * 4 / 6 / std::sqrt(1.6)).epsilon(1e-11));
    const TemPort parallel = make_port(face, degree, fill(face, 0.5e-3, [](double x, double) { return x < 2; }));
    CHECK(parallel.eps_effective == Approx(2.0).epsilon(1e-11));
    CHECK(parallel.refractive_index == Approx(std::sqrt(2)).epsilon(1e-11));
    CHECK(parallel.mode.impedance_ohm == Approx(eta0_ohm * 4 / 6 / std::sqrt(2)).epsilon(1e-11));
    for (const double y : parallel.admittance) CHECK(y == Approx(std::sqrt(2)).epsilon(1e-9));
  }
}

TEST_CASE("a microstrip has the impedance of Hammerstad and Jensen") {
  // A strip of width 2 h without thickness on eps_r 4 of height h, magnetic walls far away. The formula is good to 0.2
  // percent; the edges of the strip have an error of first order in the size of cells.
  const double u = 2, eps_r = 4;
  const double a = 1 + std::log((std::pow(u, 4) + std::pow(u / 52, 2)) / (std::pow(u, 4) + 0.432)) / 49 +
                   std::log(1 + std::pow(u / 18.1, 3)) / 18.7;
  const double b = 0.564 * std::pow((eps_r - 0.9) / (eps_r + 3), 0.053);
  const double eps_e = (eps_r + 1) / 2 + (eps_r - 1) / 2 * std::pow(1 + 10 / u, -a * b);
  const double f = 6 + (2 * pi - 6) * std::exp(-std::pow(30.666 / u, 0.7528));
  const double exact = eta0_ohm / (2 * pi * std::sqrt(eps_e)) * std::log(f / u + std::sqrt(1 + 4 / (u * u)));
  std::vector<double> ohms;
  for (const int n : {4, 8}) {  // cells to h
    const double size = 1e-3 / n;
    const Face face(16 * n, 10 * n, size, everywhere, [n](double x, double y) {
      if (y == 0) return shield;
      return y == n && x > 7 * n && x < 9 * n ? signal : 0;
    });
    const TemPort port = make_port(face, 2, fill(face, size, [n](double, double y) { return y < n; }));
    CHECK(port.eps_effective == Approx(eps_e).epsilon(0.02));
    ohms.push_back(port.mode.impedance_ohm);
  }
  const double extrapolated = 2 * ohms[1] - ohms[0];
  INFO(ohms[0] << " " << ohms[1] << " " << extrapolated << " " << exact);
  CHECK(ohms[1] == Approx(exact).epsilon(0.02));
  CHECK(extrapolated == Approx(exact).epsilon(0.015));  // the walls raise it
}

TEST_CASE("a square coaxial line of ratio 2 has the capacitance 10.2341 eps") {
  constexpr double exact = 10.23409256936805;  // Bowman's conformal map
  std::vector<double> errors;
  for (const int cells : {4, 8, 16}) errors.push_back(make(square_line(cells), 2).norm_squared / exact - 1);
  INFO(errors[0] << " " << errors[1] << " " << errors[2]);
  CHECK(errors[2] > 0);  // a discrete potential has too much energy
  CHECK(errors[2] < 2e-3);
  CHECK(std::log2(errors[0] / errors[1]) == Approx(4.0 / 3).margin(0.1));  // the corners' order
  CHECK(std::log2(errors[1] / errors[2]) == Approx(4.0 / 3).margin(0.1));
  CHECK(make(square_line(16), 1).impedance_ohm == Approx(eta0_ohm / exact).epsilon(1e-2));
}

// The largest difference of the normal components on both sides of inner edges, over the largest field on an edge.
double largest_jump(const Face& face, const TemMode& mode) {
  std::map<PortEdge, std::vector<double>> flux;  // at two points of the edge, of one triangle and of the other
  double largest = 0, jump = 0;
  for (std::size_t t = 0; t < face.triangles.size(); ++t) {
    const PortTriangle& triangle = face.triangles[t];
    for (const auto& [a, b] : {std::array<std::size_t, 2>{0, 1}, {0, 2}, {1, 2}})
      for (const double x : {0.25, 0.9}) {
        std::array<double, 3> at{};
        at[a] = 1 - x;
        at[b] = x;
        const Vec3 along = triangle.corners[b] - triangle.corners[a];
        const Vec3 field = mode.electric(t, at);
        flux[{triangle.vertices[a], triangle.vertices[b]}].push_back(dot(field, cross(along, normal)) / norm(along));
        largest = std::max(largest, norm(field));
      }
  }
  for (const auto& [edge, values] : flux)
    for (std::size_t k = 2; k < values.size(); ++k) jump = std::max(jump, std::abs(values[k] - values[k - 2]));
  return jump / largest;
}

TEST_CASE("the closed field of a mode goes on from triangle to triangle and has the capacitance from below") {
  constexpr double exact = 10.23409256936805;
  for (const int degree : {1, 2, 3}) {
    std::vector<double> errors;
    for (const int cells : {4, 8}) {
      const Face face = square_line(cells);
      const TemMode mode = make(face, degree);
      const TemMode closed = solve_closed_mode(face.triangles, mode);
      const std::vector<double> both = overlaps(mode, closed, face.triangles);
      CHECK(std::accumulate(both.begin(), both.end(), 0.0) == Approx(mode.norm_squared).epsilon(1e-10));
      errors.push_back(1 - mode.norm_squared * mode.norm_squared / closed.norm_squared / exact);  // of unit flux
      CHECK(largest_jump(face, closed) < 1e-9);
      CHECK(largest_jump(face, mode) > 0.01);
    }
    INFO("degree " << degree << ": " << errors[0] << " " << errors[1]);
    CHECK(errors[1] > 0);
    CHECK(std::log2(errors[0] / errors[1]) == Approx(4.0 / 3).margin(0.15));
  }
}

// Strip of width w midway between plates b apart: Z = eta/4 K(k)/K(k'), k = sech(pi w/(2 b)); here w = b, and the
// magnetic walls at the sides are 2 b from its edges. K by the arithmetic-geometric mean.
double impedance_of_strip() {
  const auto complete = [](double k) {
    double a = 1, b = std::sqrt(1 - k * k);
    for (int i = 0; i < 8; ++i) {
      const double mean = (a + b) / 2;
      b = std::sqrt(a * b);
      a = mean;
    }
    return pi / (2 * a);
  };
  const double k = 1 / std::cosh(pi / 2);
  return eta0_ohm / 4 * complete(k) / complete(std::sqrt(1 - k * k));
}

// With n cells to b/2.
Face strip_line(int n) {
  return {10 * n, 2 * n, 1e-3 / n, everywhere, [n](double x, double y) {
            if (y == 0 || y == 2 * n) return shield;
            return y == n && x > 4 * n && x < 6 * n ? signal : 0;
          }};
}

TEST_CASE("a strip without thickness lies inside the face") {
  std::vector<double> errors;
  for (const int n : {4, 8, 16}) errors.push_back(1 - make(strip_line(n), 2).impedance_ohm / impedance_of_strip());
  INFO(errors[0] << " " << errors[1] << " " << errors[2]);
  CHECK(errors[2] > 0);
  CHECK(errors[2] < 0.01);
  CHECK(std::log2(errors[1] / errors[2]) == Approx(1).margin(0.15));  // the edges' order
}

TEST_CASE("weights on the triangles at the edges of a strip give it its impedance") {
  constexpr double eps = 4;
  for (const auto& [n, degree, weight, without] :
       {std::tuple(2, 1, .74, .08), {4, 1, .74, .04}, {2, 2, .91, .025}, {4, 2, .91, .012}, {2, 3, .956, .01}}) {
    const Face face = strip_line(n);
    const double size = 1e-3 / n;
    std::vector<double> weights;
    for (const PortTriangle& triangle : face.triangles)
      weights.push_back(std::any_of(triangle.corners.begin(), triangle.corners.end(),
                                    [&](const Vec3& p) {
                                      return std::abs(p[1] - n * size) < 0.1 * size &&
                                             std::abs(std::abs(p[0] - 5 * n * size) - n * size) < 0.1 * size;
                                    })
                            ? weight
                            : 1);
    const std::vector<std::string> names{"", "", "", "", "pec group 'strip'", "", "", "pec group 'shield'"};
    const TemPort port = make_tem_port(port_one(), face.triangles, normal, face.metal, signal, names,
                                       {Medium{eps, 1, 0, 0}}, degree, weights);
    const double plain = make(face, degree).impedance_ohm / impedance_of_strip() - 1;
    const double weighted = port.mode.impedance_ohm * std::sqrt(eps) / impedance_of_strip() - 1;
    INFO(n << " " << degree << ": " << plain << ", " << weighted);
    CHECK(plain < -without);
    CHECK(std::abs(weighted) < std::abs(plain) / 4);
    CHECK(port.eps_effective == Approx(eps).epsilon(1e-9));
    // The wall lets the wave out: sum Y_t int e.e = Y0 N0.
    const std::vector<double> squares = overlaps(port.mode, port.mode, face.triangles);
    const double sum = std::inner_product(squares.begin(), squares.end(), port.admittance.begin(), 0.0);
    CHECK(sum == Approx(std::sqrt(eps) * port.vacuum.norm_squared).epsilon(1e-9));
  }
}

TEST_CASE("a coaxial face as a TEM port is the coaxial port") {
  const auto [triangles, metal] = circles(48, 12);
  const TemMode tem = make_tem_port(port_one(), triangles, normal, metal, signal, {}, {Medium{2.1, 1, 0, 0}}, 2).mode;
  PortDescription spec = port_one();
  spec.type = PortType::coaxial;
  const CoaxialPort coaxial = make_coaxial_port(spec, triangles, normal, {2.1, 1, 0, 0}, 2);
  CHECK(tem.norm_squared == coaxial.mode.norm_squared);
  CHECK(tem.corner_field == coaxial.mode.corner_field);
  CHECK(tem.impedance_ohm == Approx(coaxial.mode.impedance_ohm).epsilon(1e-3));
}

TEST_CASE("the second mode of plates between magnetic walls has half a wave across the longer side") {
  const auto plates = [](int nx, int ny) {
    return Face(nx, ny, 1e-3, everywhere, [=](double, double y) { return y == 0 ? shield : y == ny ? signal : 0; });
  };
  const Face wide = plates(24, 16), high = plates(16, 24), narrow = plates(16, 32);
  CHECK(second_cutoff(wide.triangles, wide.metal, {Medium{4, 1, 0, 0}}) == Approx(pi / 48e-3).epsilon(3e-3));
  CHECK(second_cutoff(high.triangles, high.metal, {Medium{1, 4, 0, 0}}) == Approx(pi / 48e-3).epsilon(3e-3));
  // E_n of the lower half filled with eps_r 4: tan(k h)/2 + tan(k h/2) = 0
  const double exact = 2 * std::atan(std::sqrt(2)) / 32e-3;
  const auto media = fill(narrow, 1e-3, [](double, double y) { return y < 16; });
  CHECK(second_cutoff(narrow.triangles, narrow.metal, media) == Approx(exact).epsilon(3e-3));
}

TEST_CASE("the second mode of a coaxial face is TE11, found to second order") {
  constexpr double exact = 618.632260;  // J1'(ka) Y1'(kb) = J1'(kb) Y1'(ka)
  std::vector<double> errors;
  for (const int around : {24, 48}) {
    const auto [triangles, metal] = circles(around, around / 4);
    errors.push_back(std::abs(second_cutoff(triangles, metal, {Medium{}}) / exact - 1));
  }
  INFO(errors[0] << " " << errors[1]);
  CHECK(errors[1] < 2e-3);
  CHECK(std::log2(errors[0] / errors[1]) == Approx(2).margin(0.2));
}

TEST_CASE("the magnetic field of the second mode of a strip in a box jumps across the strip") {
  // 16 wide in the middle of 20 by 10: 0.1377 of rectangles on a half by another program; the empty box has pi/20
  std::vector<double> found;
  for (const int n : {2, 4}) {
    const Face face(20 * n, 10 * n, 1.0 / n, everywhere, [n](double x, double y) {
      if (x == 0 || x == 20 * n || y == 0 || y == 10 * n) return shield;
      return y == 5 * n && x > 2 * n && x < 18 * n ? signal : 0;
    });
    found.push_back(second_cutoff(face.triangles, face.metal, {Medium{}}));
  }
  INFO(found[0] << " " << found[1]);
  CHECK(found[1] == Approx(0.1377).epsilon(0.015));
  CHECK(2 * found[1] - found[0] == Approx(0.1377).epsilon(0.003));  // the edges' order
}

TEST_CASE("a face without two conductors apart is refused") {
  const auto plates = [](std::int32_t low, std::int32_t high, std::int32_t sides) {
    return Face(4, 4, 1e-3, everywhere, [=](double x, double y) {
      return y == 0 ? low : y == 4 ? high : x == 0 || x == 4 ? sides : 0;
    });
  };
  CHECK(refusal(plates(shield, shield, 0)) ==
        "c.yaml:5:40: error: port 'p1': the conductor 'strip' does not touch the face 'end'");
  CHECK(refusal(plates(signal, signal, 0)) ==
        "c.yaml:5:15: error: port 'p1': the face 'end' touches no metal but the conductor 'strip'; a TEM wave travels "
        "between two conductors");
  CHECK(refusal(plates(shield, signal, shield)) ==
        "c.yaml:5:40: error: port 'p1': the conductor 'strip' touches the pec group 'shield' on the face 'end', at (0, "
        "0.004, 1) m: connected metal has one potential and must be one group");
}

TEST_CASE("a face that is not flat or in pieces is no cross-section") {
  Face bent(4, 4, 1e-3, everywhere, [](double, double y) { return y == 0 ? shield : y == 4 ? signal : 0; });
  for (PortTriangle& triangle : bent.triangles)
    for (std::size_t i = 0; i < 3; ++i)
      if (triangle.vertices[i] == 0) triangle.corners[i][2] = 1.001;
  CHECK_THAT(refusal(bent),
             ContainsSubstring("error: port 'p1': the face 'end' is not a cross-section: it is not flat"));
  const Face pieces(
      5, 2, 1e-3, [](int i, int) { return i != 2; },
      [](double, double y) { return y == 0   ? shield
                                    : y == 2 ? signal
                                             : 0; });
  CHECK_THAT(refusal(pieces), ContainsSubstring("is not a cross-section: it is in 2 pieces"));
}
