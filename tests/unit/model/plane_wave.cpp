// Plane waves of the key plane_waves against Maxwell's equations.
#include "model/plane_wave.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::modes;
using tetrawave_tests::Approx;

namespace {

IncidentWave from(double theta_deg, double phi_deg, bool is_theta) {
  IncidentWave spec;
  spec.theta_deg = theta_deg;
  spec.phi_deg = phi_deg;
  spec.is_theta = is_theta;
  return spec;
}

/// curl E by central differences.
ComplexVector curl_of(const PlaneWave& wave, const Vec3& at) {
  constexpr double h = 1e-5;
  std::array<ComplexVector, 3> slope;  // d/dx, d/dy, d/dz
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3 before = at, after = at;
    before[k] -= h;
    after[k] += h;
    const ComplexVector a = wave.electric(before), b = wave.electric(after);
    for (std::size_t i = 0; i < 3; ++i) slope[k][i] = (b[i] - a[i]) / (2 * h);
  }
  return {slope[1][2] - slope[2][1], slope[2][0] - slope[0][2], slope[0][1] - slope[1][0]};
}

}  // namespace

TEST_CASE("a plane wave fulfils curl E = -j omega mu H in its medium") {
  Medium medium;
  medium.eps_r = 2.5;
  medium.mu_r = 1.4;
  const double hz = 3e9, k0 = 2 * pi * hz / c0_m_per_s;
  for (const bool is_theta : {true, false}) {
    const PlaneWave wave(from(35, 110, is_theta), medium, hz);
    const Vec3 at{0.011, -0.02, 0.007};
    const ComplexVector curl = curl_of(wave, at), magnetic = wave.magnetic(at);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(curl[i] + Complex(0, k0 * 1.4) * magnetic[i]) < 1e-5 * k0);
    CHECK(norm(wave.amplitude()) == Approx(1));
    CHECK(std::abs(dot(wave.amplitude(), wave.direction())) < 1e-14);
  }
}

TEST_CASE("theta and phi say where a plane wave comes from") {
  const PlaneWave from_above(from(0, 0, true), {}, 1e9);
  CHECK(from_above.direction()[2] == Approx(-1));
  CHECK(from_above.amplitude()[0] == Approx(1));
  const PlaneWave from_y(from(90, 90, true), {}, 1e9);
  CHECK(from_y.direction()[1] == Approx(-1));
  CHECK(from_y.amplitude()[2] == Approx(-1));
}

TEST_CASE("a wave across a plane of symmetry is refused, one along it with the right polarisation is not") {
  Case given;
  given.mode = Mode::fe_iiee;
  MirrorPlane mirror;
  mirror.axis = 0;
  mirror.magnetic = true;
  given.iiee.mirrors = {mirror};
  given.plane_waves = {from(0, 90, true)};  // along z with E along y, which lies in the plane x = 0
  CHECK_NOTHROW(check_plane_waves_at_symmetry(given));
  given.plane_waves = {from(0, 0, true)};  // with E along x
  CHECK_THROWS_AS(check_plane_waves_at_symmetry(given), UserError);
  given.iiee.mirrors[0].magnetic = false;  // which stands on metal there
  CHECK_NOTHROW(check_plane_waves_at_symmetry(given));
  given.plane_waves = {from(40, 0, true)};
  CHECK_THROWS_AS(check_plane_waves_at_symmetry(given), UserError);
}
