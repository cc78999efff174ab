#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"
#include "modes/planar/system.hpp"

using namespace tetrawave;
using namespace tetrawave::modes;
using tetrawave_tests::Approx;

namespace {

constexpr double hz = 2e9;

PlanarWave wave_from(double phi_deg, PlanarField field, const Medium& medium) {
  PlanarSpec planar;
  planar.field = field;
  IncidentWave incident;
  incident.theta_deg = 90;
  incident.phi_deg = phi_deg;
  return {planar, incident, medium, hz};
}

}  // namespace

TEST_CASE("an incident wave in the plane satisfies Maxwell's equations, by differences") {
  const Medium medium{2.5, 1.2};
  const double k0 = 2 * pi * hz / c0_m_per_s, h = 1e-6;
  const Point2 place{0.03, -0.02};
  for (const PlanarField field : {PlanarField::e_z, PlanarField::h_z, PlanarField::e_xy})
    for (const double phi_deg : {0.0, 33.0, 210.0}) {
      const PlanarWave wave = wave_from(phi_deg, field, medium);
      const auto slope = [&](std::size_t axis, bool electric, std::size_t component) {
        Point2 above = place, below = place;
        above[axis] += h;
        below[axis] -= h;
        const auto &high = wave.at(above), &low = wave.at(below);
        return ((electric ? high.electric : high.magnetic)[component] -
                (electric ? low.electric : low.magnetic)[component]) /
               (2 * h);
      };
      const PlanarFields fields = wave.at(place);
      const Complex j(0, 1);
      for (const bool electric : {true, false}) {
        // curl E = -j k0 mu eta0 H, curl eta0 H = j k0 eps E; nothing depends on z
        const std::array<Complex, 3> curl{slope(1, electric, 2), -slope(0, electric, 2),
                                          slope(0, electric, 1) - slope(1, electric, 0)};
        for (std::size_t x = 0; x < 3; ++x) {
          const Complex expected =
              electric ? -j * k0 * medium.mu_r * fields.magnetic[x] : j * k0 * medium.eps_r * fields.electric[x];
          CHECK(std::abs(curl[x] - expected) < 1e-6 * k0 * 5);
        }
      }
      const bool along_z = field == PlanarField::e_z;
      const auto gradient = wave.gradient(place);
      for (std::size_t axis = 0; axis < 2; ++axis)
        CHECK(std::abs(gradient[axis] - slope(axis, along_z, 2)) < 1e-6 * k0 * 5);
    }
}

TEST_CASE("a wave that arrives from an angle has one volt per metre and travels away from there") {
  const PlanarWave wave = wave_from(0, PlanarField::e_z, {});
  const double quarter = c0_m_per_s / hz / 4;
  CHECK(std::abs(wave.at({0, 0}).electric[2]) == Approx(1));
  // later in phase towards -x
  CHECK(std::arg(wave.at({-quarter, 0}).electric[2] / wave.at({0, 0}).electric[2]) == Approx(-pi / 2));
}
