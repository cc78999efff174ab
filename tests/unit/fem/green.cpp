#include "kernels/green.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include "catch.hpp"

using namespace tetrawave;

namespace {

using Complex = std::complex<double>;
using Field = std::array<Complex, 3>;
constexpr double pi = 3.14159265358979323846;
constexpr Complex j{0, 1};

struct Moment {
  Vec3 place{};
  Vec3 unit{};
};

/// Of a Hertzian dipole of eta0 I l = 1 V m in spherical coordinates about it, as in textbooks.
struct DipoleFields {
  Field electric{};
  Field magnetic{};  ///< eta0 H
};

DipoleFields fields_of(const Moment& dipole, const kernels::GreenMedium<double>& medium, const Vec3& at) {
  const Vec3 away = at - dipole.place;
  const double r = std::sqrt(dot(away, away));
  const Vec3 u = (1 / r) * away;
  const double cosine = dot(u, dipole.unit);
  const double kr = medium.k * r;
  const Complex wave = std::exp(-j * kr) / (4 * pi * r);
  const double eta = medium.k0_mu / medium.k;  // over eta0
  const Complex radial = 2.0 * eta / r * cosine * (1.0 + 1.0 / (j * kr)) * wave;
  const Complex polar = j * eta * medium.k * (1.0 + 1.0 / (j * kr) - 1.0 / (kr * kr)) * wave;  // over sin theta
  const Complex round = j * medium.k * (1.0 + 1.0 / (j * kr)) * wave;                          // over sin theta
  DipoleFields result;
  for (std::size_t x = 0; x < 3; ++x) {
    const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
    result.electric[x] = radial * u[x] + polar * (cosine * u[x] - dipole.unit[x]);
    result.magnetic[x] = round * (dipole.unit[y] * u[z] - dipole.unit[z] * u[y]);
  }
  return result;
}

Field cross(const Vec3& a, const Field& b) {
  Field result;
  for (std::size_t x = 0; x < 3; ++x) {
    const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
    result[x] = a[y] * b[z] - a[z] * b[y];
  }
  return result;
}

double size_of(const Field& field) {
  return std::sqrt(std::norm(field[0]) + std::norm(field[1]) + std::norm(field[2]));
}

double distance(const Field& a, const Field& b) { return size_of({a[0] - b[0], a[1] - b[1], a[2] - b[2]}); }

/// Points and weights on (-1, 1).
std::vector<std::array<double, 2>> gauss_legendre(int count) {
  std::vector<std::array<double, 2>> rule;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(pi * (i + 0.75) / (count + 0.5)), slope = 0;
    for (int step = 0; step < 20; ++step) {
      double before = 1, now = x;
      for (int n = 2; n <= count; ++n) {
        const double next = ((2 * n - 1) * x * now - (n - 1) * before) / n;
        before = now;
        now = next;
      }
      slope = count * (x * now - before) / (x * x - 1);
      x -= now / slope;
    }
    rule.push_back({x, 2 / ((1 - x * x) * slope * slope)});
  }
  return rule;
}

/// What n x eta0 H and -n x E of the dipole's field on a sphere of radius 0.6 about the origin radiate.
kernels::RadiatedFields<double> radiate_from_sphere(const Moment& dipole, const kernels::GreenMedium<double>& medium,
                                                    const Vec3& at) {
  constexpr double radius = 0.6;
  constexpr int around = 80;
  kernels::RadiatedFields<double> sum;
  for (const auto& [cosine, weight] : gauss_legendre(40))
    for (int k = 0; k < around; ++k) {
      const double sine = std::sqrt(1 - cosine * cosine), phi = 2 * pi * k / around;
      const Vec3 normal{sine * std::cos(phi), sine * std::sin(phi), cosine};
      const DipoleFields fields = fields_of(dipole, medium, radius * normal);
      const double area = weight * 2 * pi / around * radius * radius;
      Field electric = cross(normal, fields.magnetic), magnetic = cross(normal, fields.electric);
      for (std::size_t x = 0; x < 3; ++x) {
        electric[x] *= area;
        magnetic[x] *= -area;
      }
      kernels::add_radiation(medium, at, radius * normal, electric, magnetic, sum);
    }
  return sum;
}

using VectorField = std::function<Field(const Vec3&)>;

/// d field / d axis to fourth order.
Field slope(const VectorField& field, const Vec3& at, std::size_t axis) {
  constexpr double step = 4e-3;
  Field sum{};
  for (const auto& [shift, weight] : {std::pair{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
    Vec3 moved = at;
    moved[axis] += shift * step;
    const Field value = field(moved);
    for (std::size_t x = 0; x < 3; ++x) sum[x] += weight / (12 * step) * value[x];
  }
  return sum;
}

Field curl(const VectorField& field, const Vec3& at) {
  const Field dx = slope(field, at, 0), dy = slope(field, at, 1), dz = slope(field, at, 2);
  return {dy[2] - dz[1], dz[0] - dx[2], dx[1] - dy[0]};
}

Field gradient_of_divergence(const VectorField& field, const Vec3& at) {
  const VectorField divergence = [&](const Vec3& p) {
    return Field{slope(field, p, 0)[0] + slope(field, p, 1)[1] + slope(field, p, 2)[2]};
  };
  return {slope(divergence, at, 0)[0], slope(divergence, at, 1)[0], slope(divergence, at, 2)[0]};
}

const Vec3 oblique = (1 / std::sqrt(14.0)) * Vec3{1, -2, 3};
const Moment dipole{{.1, .05, -.08}, oblique};
// Free space; eps_r 3.2, mu_r 1.5 at k0 = 1.1.
const std::array<kernels::GreenMedium<double>, 2> media{{{2.3, 2.3}, {1.1 * std::sqrt(4.8), 1.1 * 1.5}}};

}  // namespace

TEST_CASE("currents of a dipole's field on a sphere round it radiate that field outside") {
  for (const auto& medium : media)
    for (const Vec3& at : {Vec3{.9, .4, -.3}, Vec3{-.2, -1.7, 2.1}, Vec3{0, 0, 1.1}}) {
      const auto radiated = radiate_from_sphere(dipole, medium, at);
      const DipoleFields exact = fields_of(dipole, medium, at);
      Field curl = exact.magnetic;
      for (Complex& component : curl) component *= -j * medium.k0_mu;
      CHECK(distance(radiated.electric, exact.electric) < 1e-11 * size_of(exact.electric));
      CHECK(distance(radiated.curl, curl) < 1e-11 * size_of(curl));
    }
}

TEST_CASE("currents of a dipole's field on a sphere round it radiate nothing inside") {
  for (const auto& medium : media) {
    const auto outside = radiate_from_sphere(dipole, medium, {.9, .4, -.3});
    for (const Vec3& at : {Vec3{}, Vec3{.1, .05, -.08}, Vec3{-.1, .2, .15}}) {
      const auto inside = radiate_from_sphere(dipole, medium, at);
      CHECK(size_of(inside.electric) < 1e-11 * size_of(outside.electric));
      CHECK(size_of(inside.curl) < 1e-11 * size_of(outside.curl));
    }
  }
}

TEST_CASE("currents of a field from outside of a sphere radiate its negative inside and nothing outside") {
  const Moment far{{1.3, -.4, .6}, oblique};
  for (const auto& medium : media) {
    const Vec3 at{-.1, .2, .15};
    const auto inside = radiate_from_sphere(far, medium, at);
    const DipoleFields exact = fields_of(far, medium, at);
    Field sum = exact.electric;
    for (std::size_t x = 0; x < 3; ++x) sum[x] += inside.electric[x];
    CHECK(size_of(sum) < 1e-11 * size_of(exact.electric));
    const auto outside = radiate_from_sphere(far, medium, {-.9, 1.4, -.3});
    CHECK(size_of(outside.electric) < 1e-11 * size_of(exact.electric));
    CHECK(size_of(outside.curl) < 1e-11 * size_of(exact.magnetic) * medium.k0_mu);
  }
}

TEST_CASE("a pair of points is what derivatives of G say") {
  const Vec3 from{.2, -.1, .3}, to{.7, .5, -.2};
  const Field electric{Complex{.3, -1.1}, Complex{.8, .4}, Complex{-.6, .7}};
  const Field magnetic{Complex{-.2, .9}, Complex{1.3, .1}, Complex{.5, -.4}};
  for (const auto& medium : media) {
    const auto of_point = [&](const Field& current) {
      return [&medium, &from, current](const Vec3& at) {
        const Vec3 away = at - from;
        const double r = std::sqrt(dot(away, away));
        const Complex green = std::exp(-j * medium.k * r) / (4 * pi * r);
        return Field{green * current[0], green * current[1], green * current[2]};
      };
    };
    const VectorField a = of_point(electric), f = of_point(magnetic);
    const Field value = a(to), bend = gradient_of_divergence(a, to), turned = curl(f, to), a_turned = curl(a, to);
    const Field f_twice = curl([&](const Vec3& at) { return curl(f, at); }, to);
    Field e{}, curl_e{};
    for (std::size_t x = 0; x < 3; ++x) {
      e[x] = -j * medium.k0_mu * (value[x] + bend[x] / (medium.k * medium.k)) - turned[x];
      curl_e[x] = -j * medium.k0_mu * a_turned[x] - f_twice[x];
    }
    kernels::RadiatedFields<double> found;
    kernels::add_radiation(medium, to, from, electric, magnetic, found);
    CHECK(distance(found.electric, e) < 1e-7 * size_of(e));
    CHECK(distance(found.curl, curl_e) < 1e-7 * size_of(curl_e));
    kernels::add_radiation(medium, to, from, electric, magnetic, found);
    CHECK(distance(found.electric, {2.0 * e[0], 2.0 * e[1], 2.0 * e[2]}) < 2e-7 * size_of(e));
  }
}
