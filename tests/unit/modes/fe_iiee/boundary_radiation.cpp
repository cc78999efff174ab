#include "modes/frequency_domain/radiation.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "catch.hpp"
#include "host/pair_sums.hpp"
#include "kernels/half_turns.hpp"

using namespace tetrawave;

namespace {

using Complex = std::complex<double>;
using Field = std::array<Complex, 3>;
constexpr double pi = 3.14159265358979323846;
constexpr Complex j{0, 1};

using modes::RadiationMedium;
using Currents = std::vector<results::SurfaceCurrent>;

double k0_mu(const RadiationMedium& medium) { return medium.impedance * medium.wave_number; }

/// E and curl E at a point.
struct RadiatedFields {
  Field electric{};
  Field curl{};
};

struct BoundaryPoint {
  Vec3 place_m{};
  Vec3 normal{};
};

/// Psi of each set at each point, as vectors.
std::vector<std::vector<Field>> radiate(const std::vector<BoundaryPoint>& points, const std::vector<Currents>& sets,
                                        const RadiationMedium& medium, int threads, host::Isa isa,
                                        Precision precision = Precision::double_precision) {
  std::vector<modes::BoundaryFrame> frames;
  for (const BoundaryPoint& point : points) frames.push_back(modes::frame_at(point.place_m, point.normal));
  const auto sums = host::make_pair_sums(threads, isa);
  std::vector<std::vector<Field>> result;
  for (const auto& values : modes::BoundaryRadiator(frames, {}, *sums, threads).radiate(sets, medium, precision)) {
    auto& fields = result.emplace_back(points.size());
    for (std::size_t p = 0; p < points.size(); ++p)
      for (std::size_t x = 0; x < 3; ++x)
        fields[p][x] = frames[p].first[x] * values[2 * p] + frames[p].second[x] * values[2 * p + 1];
  }
  return result;
}

/// From Psi at points with normals along all axes, both ways: their sum has -2 j k/mu_r of E's part across them, their
/// difference 2/mu_r n x curl E.
RadiatedFields radiate(const Currents& currents, const RadiationMedium& medium, const Vec3& at, host::Isa isa) {
  std::vector<BoundaryPoint> points;
  for (std::size_t x = 0; x < 3; ++x)
    for (const double sign : {1, -1}) {
      points.push_back({at, {}});
      points.back().normal[x] = sign;
    }
  const auto values = radiate(points, {currents}, medium, 1, isa).front();
  RadiatedFields fields;
  for (std::size_t x = 0; x < 3; ++x) {
    const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
    const auto &front = values[2 * x], &back = values[2 * x + 1];
    CHECK(std::abs(front[x]) + std::abs(back[x]) == 0);
    const Complex of_electric = j * medium.mu_r / (4 * medium.wave_number);  // each component is seen from two axes
    fields.electric[y] += of_electric * (front[y] + back[y]);
    fields.electric[z] += of_electric * (front[z] + back[z]);
    fields.curl[y] += 0.25 * medium.mu_r * (front[z] - back[z]);
    fields.curl[z] -= 0.25 * medium.mu_r * (front[y] - back[y]);
  }
  return fields;
}

struct Moment {
  Vec3 place{};
  Vec3 unit{};
};

/// Of a Hertzian dipole of eta0 I l = 1 V m in spherical coordinates about it, as in textbooks.
struct DipoleFields {
  Field electric{};
  Field magnetic{};  ///< eta0 H
};

DipoleFields fields_of(const Moment& dipole, const RadiationMedium& medium, const Vec3& at) {
  const Vec3 away = at - dipole.place;
  const double r = std::sqrt(dot(away, away));
  const Vec3 u = (1 / r) * away;
  const double cosine = dot(u, dipole.unit);
  const double kr = medium.wave_number * r;
  const Complex wave = std::exp(-j * kr) / (4 * pi * r);
  const double eta = medium.impedance;  // over eta0
  const Complex radial = 2.0 * eta / r * cosine * (1.0 + 1.0 / (j * kr)) * wave;
  const Complex polar =
      j * eta * medium.wave_number * (1.0 + 1.0 / (j * kr) - 1.0 / (kr * kr)) * wave;  // over sin theta
  const Complex round = j * medium.wave_number * (1.0 + 1.0 / (j * kr)) * wave;        // over sin theta
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
RadiatedFields radiate_from_sphere(const Moment& dipole, const RadiationMedium& medium, const Vec3& at, host::Isa isa) {
  constexpr double radius = 0.6;
  constexpr int around = 80;
  Currents currents;
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
      currents.push_back({radius * normal, electric, magnetic, 0});
    }
  return radiate(currents, medium, at, isa);
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
const std::array<RadiationMedium, 2> media{{{2.3, 1, 1}, {1.1 * std::sqrt(4.8), std::sqrt(1.5 / 3.2), 1.5}}};

/// All media on all instruction sets.
std::vector<std::pair<RadiationMedium, host::Isa>> cases() {
  std::vector<std::pair<RadiationMedium, host::Isa>> all;
  for (const RadiationMedium& medium : media)
    for (const host::Isa isa : host::usable_isas()) all.emplace_back(medium, isa);
  return all;
}

/// Psi as its definition says, in long double.
Field boundary_value(const Currents& currents, const RadiationMedium& medium, const BoundaryPoint& point) {
  using Long = std::complex<long double>;
  const Long i{0, 1};
  const long double k = medium.wave_number, of_j = k * medium.impedance;
  std::array<Long, 3> e{}, curl_e{};
  for (const auto& current : currents) {
    std::array<long double, 3> u{};
    for (std::size_t x = 0; x < 3; ++x) u[x] = static_cast<long double>(point.place_m[x]) - current.point_m[x];
    const long double r = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (auto& component : u) component /= r;
    const Long green = std::exp(-i * k * r) / (4 * 3.14159265358979323846264L * r);
    const auto& [jx, jy, jz] = current.electric;
    const auto& [mx, my, mz] = current.magnetic;
    const std::array<Long, 3> js{Long(jx), Long(jy), Long(jz)}, ms{Long(mx), Long(my), Long(mz)};
    const Long slope = -(i * k + 1 / r) * green;
    const Long stretch = (-k * k + 3.0L * i * k / r + 3 / (r * r)) * green, bend = (i * k / r + 1 / (r * r)) * green;
    const Long j_along = u[0] * js[0] + u[1] * js[1] + u[2] * js[2];
    const Long m_along = u[0] * ms[0] + u[1] * ms[1] + u[2] * ms[2];
    for (std::size_t x = 0; x < 3; ++x) {
      const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
      e[x] += slope * (ms[y] * u[z] - ms[z] * u[y]) -
              i * of_j * (js[x] * green + (stretch * j_along * u[x] - bend * js[x]) / (k * k));
      curl_e[x] += i * of_j * slope * (js[y] * u[z] - js[z] * u[y]) -
                   (k * k * ms[x] * green + stretch * m_along * u[x] - bend * ms[x]);
    }
  }
  Field value{};
  const Vec3& n = point.normal;
  const long double mu = medium.mu_r;
  const Long out = static_cast<long double>(n[0]) * e[0] + static_cast<long double>(n[1]) * e[1] +
                   static_cast<long double>(n[2]) * e[2];
  for (std::size_t x = 0; x < 3; ++x) {
    const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
    const Long turned = static_cast<long double>(n[y]) * curl_e[z] - static_cast<long double>(n[z]) * curl_e[y];
    value[x] = Complex(turned / mu - i * k / mu * (e[x] - static_cast<long double>(n[x]) * out));
  }
  return value;
}

class Random {
 public:
  double number() { return uniform_(engine_); }
  Vec3 vector(double size) { return {size * number(), size * number(), size * number()}; }
  Field field() {
    Field result;
    for (Complex& component : result) component = {number(), number()};
    return result;
  }
  std::vector<BoundaryPoint> points(std::size_t count, double size, const Vec3& middle) {
    std::vector<BoundaryPoint> result;
    for (std::size_t p = 0; p < count; ++p) {
      const Vec3 way = vector(1);
      result.push_back({middle + vector(size), (1 / norm(way)) * way});
    }
    return result;
  }
  Currents currents(std::size_t count, double size) {
    Currents result;
    for (std::size_t s = 0; s < count; ++s) result.push_back({vector(size), field(), field(), 0});
    return result;
  }

 private:
  std::mt19937_64 engine_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

/// One number at a time.
struct ScalarLane {
  using Number = double;
  using Scalar = double;
  [[nodiscard]] std::uint64_t bits(double x) const { return std::bit_cast<std::uint64_t>(x); }
  [[nodiscard]] double from_bits(std::uint64_t x) const { return std::bit_cast<double>(x); }
};

}  // namespace

TEST_CASE("currents of a dipole's field on a sphere round it radiate that field outside") {
  for (const auto& [medium, isa] : cases())
    for (const Vec3& at : {Vec3{.9, .4, -.3}, Vec3{-.2, -1.7, 2.1}, Vec3{0, 0, 1.1}}) {
      const auto radiated = radiate_from_sphere(dipole, medium, at, isa);
      const DipoleFields exact = fields_of(dipole, medium, at);
      Field curl = exact.magnetic;
      for (Complex& component : curl) component *= -j * k0_mu(medium);
      CHECK(distance(radiated.electric, exact.electric) < 1e-11 * size_of(exact.electric));
      CHECK(distance(radiated.curl, curl) < 1e-11 * size_of(curl));
    }
}

TEST_CASE("currents of a dipole's field on a sphere round it radiate nothing inside") {
  for (const auto& [medium, isa] : cases()) {
    const auto outside = radiate_from_sphere(dipole, medium, {.9, .4, -.3}, isa);
    for (const Vec3& at : {Vec3{}, Vec3{.1, .05, -.08}, Vec3{-.1, .2, .15}}) {
      const auto inside = radiate_from_sphere(dipole, medium, at, isa);
      CHECK(size_of(inside.electric) < 1e-11 * size_of(outside.electric));
      CHECK(size_of(inside.curl) < 1e-11 * size_of(outside.curl));
    }
  }
}

TEST_CASE("currents of a field from outside of a sphere radiate its negative inside and nothing outside") {
  const Moment far{{1.3, -.4, .6}, oblique};
  for (const auto& [medium, isa] : cases()) {
    const Vec3 at{-.1, .2, .15};
    const auto inside = radiate_from_sphere(far, medium, at, isa);
    const DipoleFields exact = fields_of(far, medium, at);
    Field sum = exact.electric;
    for (std::size_t x = 0; x < 3; ++x) sum[x] += inside.electric[x];
    CHECK(size_of(sum) < 1e-11 * size_of(exact.electric));
    const auto outside = radiate_from_sphere(far, medium, {-.9, 1.4, -.3}, isa);
    CHECK(size_of(outside.electric) < 1e-11 * size_of(exact.electric));
    CHECK(size_of(outside.curl) < 1e-11 * size_of(exact.magnetic) * k0_mu(medium));
  }
}

TEST_CASE("a pair of points is what derivatives of G say") {
  const Vec3 from{.2, -.1, .3}, to{.7, .5, -.2};
  const Field electric{Complex{.3, -1.1}, Complex{.8, .4}, Complex{-.6, .7}};
  const Field magnetic{Complex{-.2, .9}, Complex{1.3, .1}, Complex{.5, -.4}};
  for (const auto& [medium, isa] : cases()) {
    const auto of_point = [&](const Field& current) {
      return [&medium = medium, &from, current](const Vec3& at) {
        const Vec3 away = at - from;
        const double r = std::sqrt(dot(away, away));
        const Complex green = std::exp(-j * medium.wave_number * r) / (4 * pi * r);
        return Field{green * current[0], green * current[1], green * current[2]};
      };
    };
    const VectorField a = of_point(electric), f = of_point(magnetic);
    const Field value = a(to), bend = gradient_of_divergence(a, to), turned = curl(f, to), a_turned = curl(a, to);
    const Field f_twice = curl([&](const Vec3& at) { return curl(f, at); }, to);
    Field e{}, curl_e{};
    for (std::size_t x = 0; x < 3; ++x) {
      e[x] = -j * k0_mu(medium) * (value[x] + bend[x] / (medium.wave_number * medium.wave_number)) - turned[x];
      curl_e[x] = -j * k0_mu(medium) * a_turned[x] - f_twice[x];
    }
    const RadiatedFields found = radiate({{from, electric, magnetic, 0}}, medium, to, isa);
    CHECK(distance(found.electric, e) < 1e-7 * size_of(e));
    CHECK(distance(found.curl, curl_e) < 1e-7 * size_of(curl_e));
  }
}

TEST_CASE("cosine and sine of half turns have 15 digits behind the point") {
  Random random;
  constexpr long double exact_pi = 3.14159265358979323846264L;
  double worst = 0;
  std::vector<double> arguments{0, 0.5, -0.5, 1, 1.5, -1, 2, 1e-9, 31830.5};
  for (int n = 0; n < 200000; ++n) arguments.push_back((n % 2 == 0 ? 4 : 1e5) * random.number());
  for (const double x : arguments) {
    const auto turns = kernels::whole_turns<ScalarLane>(x);
    const auto phase = kernels::phase_of_rest<ScalarLane>(x - turns.whole);
    const long double angle = exact_pi * std::fmod(static_cast<long double>(x), 2.0L);
    const long double cosine = kernels::turned(ScalarLane{}, phase.cosine, turns);
    const long double sine = kernels::turned(ScalarLane{}, phase.sine, turns);
    worst = std::max({worst, static_cast<double>(std::abs(cosine - std::cos(angle))),
                      static_cast<double>(std::abs(sine - std::sin(angle)))});
  }
  CHECK(worst < 8e-16);
}

TEST_CASE("boundary values are what their definition says, near and far") {
  Random random;
  for (const auto& [medium, isa] : cases())
    for (const double away : {5.0, 300.0, 1e5 / 2.3}) {
      const auto points = random.points(19, 2, {away, 0.3, -0.2});
      const Currents currents = random.currents(1100, 1);
      const auto found = radiate(points, {currents}, medium, 2, isa).front();
      REQUIRE(found.size() == points.size());
      double largest = 0, worst = 0;
      for (std::size_t p = 0; p < points.size(); ++p) {
        const Field wanted = boundary_value(currents, medium, points[p]);
        largest = std::max(largest, size_of(wanted));
        worst = std::max(worst, distance(found[p], wanted));
      }
      CHECK(worst < (2e-14 + 4e-16 * medium.wave_number * away) * largest);
    }
}

TEST_CASE("boundary values in single precision have seven digits less those of the distance in wavelengths") {
  Random random;
  for (const auto& [medium, isa] : cases())
    for (const double away : {5.0, 300.0}) {
      auto points = random.points(19, 2, {away, 0.3, -0.2});
      for (const auto& other : random.points(19, 2, {-away, 0.1, 0.7})) points.push_back(other);
      const std::vector<Currents> sets{random.currents(1100, 1)};
      const auto exact = radiate(points, sets, medium, 2, isa).front();
      const auto found = radiate(points, sets, medium, 2, isa, Precision::single_precision).front();
      double largest = 0, worst = 0;
      for (std::size_t p = 0; p < points.size(); ++p) {
        largest = std::max(largest, size_of(exact[p]));
        worst = std::max(worst, distance(found[p], exact[p]));
      }
      CHECK(worst < 2e-7 * (10 + medium.wave_number * away) * largest);
      CHECK(worst > 1e-9 * largest);
    }
}

TEST_CASE("sets of currents at once are each alone, bitwise the same on any number of threads") {
  Random random;
  const auto points = random.points(45, 1, {2, 0, 0.4});
  std::vector<Currents> sets{random.currents(600, 0.5)};
  while (sets.size() < 7) {
    sets.push_back(sets.front());
    for (auto& current : sets.back()) {
      current.electric = random.field();
      current.magnetic = random.field();
    }
  }
  for (const auto& [medium, isa] : cases())
    for (std::size_t count = 1; count <= sets.size(); ++count) {
      const std::vector<Currents> some(sets.begin(), sets.begin() + static_cast<std::ptrdiff_t>(count));
      const auto found = radiate(points, some, medium, 1, isa);
      REQUIRE(found.size() == count);
      for (const int threads : {2, 3, 16}) CHECK(radiate(points, some, medium, threads, isa) == found);
      for (std::size_t set = 0; set < count; ++set) {
        const auto alone = radiate(points, {sets[set]}, medium, 1, isa).front();
        for (std::size_t p = 0; p < points.size(); ++p)
          CHECK(distance(found[set][p], alone[p]) < 1e-13 * size_of(alone[p]));
      }
    }
  CHECK(radiate({}, sets, media[0], 2, host::best_isa()) == std::vector<std::vector<Field>>(7));
  CHECK(radiate(points, {Currents{}}, media[0], 2, host::best_isa()).front() == std::vector<Field>(points.size()));
}
