#include "media/skin_effect.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;

TEST_CASE("copper has 26 milliohm per square at 10 GHz, both parts alike") {
  const auto z = surface_impedance({5.8e7, 0, 1e9, 1e10}, 1e10);
  CHECK(z.real() == Approx(0.02609).epsilon(1e-3));
  CHECK(z.imag() == Approx(z.real()));
  // Much rougher than the skin is deep: twice as much.
  CHECK(surface_impedance({5.8e7, 1e-4, 1e9, 1e10}, 1e10).real() == Approx(2 * z.real()).epsilon(1e-3));
}

TEST_CASE("branches meet the skin effect over three decades, and never give energy") {
  for (const double sigma : {1e3, 5.8e7})
    for (const double roughness_depths : {0.0, 0.3, 3.0})
      for (const double from_hz : {1e7, 1e8, 1e9, 5e9}) {
        const double depth = 1 / std::sqrt(3.14159265 * 1e10 * 1.2566e-6 * sigma);
        const SkinEffect metal{sigma, roughness_depths * depth, from_hz, 1e10};
        const SkinEffectFit fit = fit_skin_effect(metal);
        INFO("sigma " << sigma << ", roughness " << metal.roughness_m << ", from " << from_hz);
        CHECK(fit.error < 0.01);
        CHECK(fit.ohms.size() == skin_effect_branches);
        CHECK(*std::min_element(fit.ohms.begin(), fit.ohms.end()) >= 0);
        for (const double f : {1.1 * from_hz, std::sqrt(from_hz * 1e10), 9.7e9})
          CHECK(fit(f).real() == Approx(surface_impedance(metal, f).real()).epsilon(0.011));
        for (double f = 1; f < 1e14; f *= 3) CHECK(fit(f).real() >= 0);
        CHECK(fit(1e16).real() == Approx(fit.total_ohms()).epsilon(1e-3));
      }
}
