// The near-to-far transform on the exact fields of a dipole, which come from closed forms alone.
#include "results/far_field/far_field.hpp"

#include <cmath>
#include <numbers>

#include "base/constants.hpp"
#include "basis/quadrature.hpp"
#include "catch.hpp"
#include "host/sums.hpp"
#include "results/far_field/far_field_output.hpp"

using namespace tetrawave;
using results::SurfaceCurrent;
using tetrawave_tests::Approx;
using Complex = std::complex<double>;
using ComplexVector = std::array<Complex, 3>;

namespace {

constexpr double k = 2.3;

ComplexVector scaled(const Vec3& v, const Complex& by) { return {v[0] * by, v[1] * by, v[2] * by}; }

/// A dipole of moment p [A m] at a point.
struct Dipole {
  Vec3 at{};
  Vec3 moment{};

  /// E and eta0 H, exp(+j omega t).
  void add(const Vec3& point, ComplexVector& e, ComplexVector& h) const {
    const Vec3 r = point - at;
    const double distance = norm(r);
    const Vec3 u = (1 / distance) * r;
    const Complex jkr(0, k * distance);
    const Complex wave = eta0_ohm * std::exp(-jkr) / (4 * pi * distance);
    const double along = dot(moment, u);
    const ComplexVector near = scaled(moment, Complex(0, -k) * wave * (1.0 + 1.0 / jkr + 1.0 / (jkr * jkr)));
    const ComplexVector radial = scaled(u, along * Complex(0, k) * wave * (1.0 + 3.0 / jkr + 3.0 / (jkr * jkr)));
    const ComplexVector magnetic = scaled(cross(moment, u), Complex(0, k) * wave * (1.0 + 1.0 / jkr));
    for (std::size_t i = 0; i < 3; ++i) {
      e[i] += near[i] + radial[i];
      h[i] += magnetic[i];
    }
  }

  /// r E exp(jkr): -j k eta/(4 pi) (p - u (u.p)) exp(j k u.at).
  [[nodiscard]] ComplexVector far(const Vec3& u) const {
    const Vec3 across = moment - dot(moment, u) * u;
    return scaled(across, Complex(0, -k * eta0_ohm / (4 * pi)) * std::exp(Complex(0, k * dot(u, at))));
  }
};

/// Currents of some dipoles on the parts of a sphere of radius 0.6 that have all these signs of coordinates (0:
/// either).
std::vector<SurfaceCurrent> currents_of(const std::vector<Dipole>& dipoles,
                                        const std::array<int, 3>& signs = {0, 0, 0}) {
  const auto rule = basis::gauss_rule(40);
  constexpr int azimuths = 80;
  constexpr double radius = 0.6;
  std::vector<SurfaceCurrent> currents;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i)
    for (int j = 0; j < azimuths; ++j) {
      const double phi = 2 * pi * (j + 0.5) / azimuths;
      const double sine = std::sqrt(1 - rule.nodes[i] * rule.nodes[i]);
      const Vec3 n{sine * std::cos(phi), sine * std::sin(phi), rule.nodes[i]};
      bool wanted = true;
      for (std::size_t axis = 0; axis < 3; ++axis) wanted = wanted && signs[axis] * n[axis] >= 0;
      if (!wanted) continue;
      ComplexVector e{}, h{};
      for (const Dipole& dipole : dipoles) dipole.add(radius * n, e, h);
      const double area = radius * radius * rule.weights[i] * 2 * pi / azimuths;
      SurfaceCurrent current;
      current.point_m = radius * n;
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
        current.electric[a] = area * (n[b] * h[c] - n[c] * h[b]);
        current.magnetic[a] = -area * (n[b] * e[c] - n[c] * e[b]);
        current.power += area / (2 * eta0_ohm) * (n[a] * (e[b] * std::conj(h[c]) - e[c] * std::conj(h[b]))).real();
      }
      currents.push_back(current);
    }
  return currents;
}

const results::FarFieldDirections directions{{0, 35, 70, 90, 110, 180}, {0, 20, 90, 250}};

double largest_error(const results::FarField& field, const std::vector<Dipole>& dipoles, bool upper_half = false) {
  double worst = 0;
  double largest = 0;
  std::size_t d = 0;
  for (const double theta : directions.theta_deg)
    for (const double phi : directions.phi_deg) {
      const double t = theta * pi / 180, p = phi * pi / 180;
      const Vec3 u{std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
      const Vec3 along_theta{std::cos(t) * std::cos(p), std::cos(t) * std::sin(p), -std::sin(t)};
      const Vec3 along_phi{-std::sin(p), std::cos(p), 0};
      Complex e_theta, e_phi;
      for (const Dipole& dipole : dipoles) {
        const ComplexVector far = dipole.far(u);
        for (std::size_t a = 0; a < 3; ++a) {
          e_theta += along_theta[a] * far[a];
          e_phi += along_phi[a] * far[a];
        }
      }
      if (upper_half && theta > 90) e_theta = e_phi = 0;
      worst = std::max({worst, std::abs(field.e_theta[d] - e_theta), std::abs(field.e_phi[d] - e_phi)});
      largest = std::max({largest, std::abs(e_theta), std::abs(e_phi)});
      ++d;
    }
  return worst / largest;
}

results::FarField transform(const std::vector<SurfaceCurrent>& currents, const std::vector<MirrorPlane>& mirrors = {}) {
  const results::DirectionSummation summation{
      [](const kernels::DirectionSums& kernel, std::int64_t first, std::int64_t count) {
        host::run_sums(host::best_isa(), kernel, first, count);
      },
      2};
  return results::far_field(currents, k, 1, mirrors, directions, summation, comm::Communicator::self());
}

}  // namespace

TEST_CASE("the far field of a dipole off the centre is the closed form") {
  const std::vector<Dipole> dipoles{{{0.1, 0.05, -0.08}, {0.3, -0.5, 1}}};
  const auto field = transform(currents_of(dipoles));
  CHECK(largest_error(field, dipoles) < 1e-12);
  const double moment = dot(dipoles[0].moment, dipoles[0].moment);
  CHECK(field.radiated_power == Approx(eta0_ohm * k * k * moment / (12 * pi)).epsilon(1e-6));
  CHECK(field.surface_power == Approx(eta0_ohm * k * k * moment / (12 * pi)).epsilon(1e-9));
}

TEST_CASE("the far field of what is outside the surface is nothing") {
  const std::vector<Dipole> inside{{{0, 0, 0}, {0, 0, 1}}};
  std::vector<Dipole> both = inside;
  both.push_back({{0.9, 0.4, -0.3}, {1, 1, 0}});
  const auto field = transform(currents_of(both));
  CHECK(largest_error(field, inside) < 1e-6);
  // but its field does work on the currents inside, and passes through the surface
  CHECK(field.power_mismatch() > 0.1);
  CHECK(transform(currents_of(inside)).power_mismatch() < 1e-6);
}

TEST_CASE("over a ground the images of the currents radiate too, and nothing below it") {
  const std::vector<Dipole> with_image{{{0.1, 0.05, 0.2}, {0.3, -0.5, 1}}, {{0.1, 0.05, -0.2}, {-0.3, 0.5, 1}}};
  const auto upper = currents_of(with_image, {0, 0, 1});
  const auto field = transform(upper, {{2, 0, false, true}});
  CHECK(largest_error(field, with_image, true) < 1e-12);
  const auto whole = transform(currents_of(with_image));
  CHECK(field.radiated_power == Approx(whole.radiated_power / 2).epsilon(1e-9));
  CHECK(field.surface_power == Approx(whole.surface_power / 2).epsilon(1e-9));
}

TEST_CASE("a quarter between planes of symmetry radiates as the whole does") {
  // Metal at x = 0, a magnetic wall at y = 0.
  std::vector<Dipole> dipoles;
  for (const double sx : {1., -1.})
    for (const double sy : {1., -1.}) {
      const Vec3 p{0.3, 0.5, 1};
      const double metal = sx < 0 ? -1 : 1;
      dipoles.push_back({{0.1 * sx, 0.05 * sy, 0.2}, {metal * sx * p[0], metal * sy * p[1], metal * p[2]}});
    }
  const auto field = transform(currents_of(dipoles, {1, 1, 0}), {{0, 0, false, false}, {1, 0, true, false}});
  CHECK(largest_error(field, dipoles) < 1e-12);
  CHECK(field.radiated_power == Approx(transform(currents_of(dipoles)).radiated_power).epsilon(1e-9));
}

TEST_CASE("a plane away from the origin is where the images stand") {
  const Vec3 up{0, 0, 0.5};
  const std::vector<Dipole> at_origin{{{0.1, 0.05, 0.2}, {0.3, -0.5, 1}}, {{0.1, 0.05, -0.2}, {-0.3, 0.5, 1}}};
  std::vector<Dipole> moved = at_origin;
  for (Dipole& dipole : moved) dipole.at = dipole.at + up;
  auto currents = currents_of(at_origin, {0, 0, 1});
  for (SurfaceCurrent& current : currents) current.point_m = current.point_m + up;
  CHECK(largest_error(transform(currents, {{2, 0.5, false, true}}), moved, true) < 1e-12);
}

TEST_CASE("directivity, gain, axial ratio and cross-section follow from the far field") {
  results::FarFieldResult result;
  result.field.e_theta = {Complex(2, 0), Complex(1, 0), Complex(0, 3)};
  result.field.e_phi = {Complex(0, 0), Complex(0, 1), Complex(0, 1.5)};
  result.field.radiated_power = 4 * pi * 4 / (2 * eta0_ohm);
  result.incident_v_per_m = 0.5;
  const auto patterns =
      results::make_patterns(result, 1, {true, 2 * result.field.radiated_power, result.field.radiated_power / 0.8, {}});
  CHECK(patterns.directivity_dbi[0] == Approx(0).margin(1e-12));
  CHECK(patterns.directivity_dbi[1] == Approx(10 * std::log10(0.5)));
  CHECK(patterns.gain_dbi[0] == Approx(10 * std::log10(0.8)));
  CHECK(patterns.realised_gain_dbi[0] == Approx(10 * std::log10(0.5)));
  CHECK(patterns.axial_ratio_db[0] == Approx(100));
  CHECK(patterns.axial_ratio_db[1] == Approx(0).margin(1e-9));
  CHECK(patterns.axial_ratio_db[2] > 90);
  CHECK(patterns.sigma_m2[0] == Approx(4 * pi * 4 / 0.25));
}

TEST_CASE("a FEKO file has a line per direction, theta running fastest") {
  FarFieldRequest spec;
  spec.theta_deg = {0, 90};
  spec.phi_deg = {0, 45, 90};
  results::FarFieldResult result;
  for (int d = 0; d < 6; ++d) {
    result.field.e_theta.emplace_back(d + 1, 0.5);
    result.field.e_phi.emplace_back(0, -1);
  }
  result.field.radiated_power = 1;
  const auto text = results::ffe_text(spec, 1e9, result, results::make_patterns(result, 1, {}), "march");
  CHECK(text.find("#No. of Theta Samples: 2\n#No. of Phi Samples: 3\n#Result Type: Directivity\n") !=
        std::string::npos);
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    if (text[at] != '#' && end > at) lines.push_back(text.substr(at, end - at));
  REQUIRE(lines.size() == 6);
  CHECK(lines[1].find("9.00000000e+01     0.00000000e+00     4.00000000e+00") != std::string::npos);
}
