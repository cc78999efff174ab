#include "modes/fe_iiee/boundary_sweep.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"

using namespace tetrawave;
using modes::BandNodes;
using modes::Complex;

TEST_CASE("what waves over distances radiate is interpolated to 1e-7 over a band of four to one") {
  constexpr double slowness = 1.5, first = 0.5e9, last = 2e9;
  for (const double longest : {0.05, 0.3, 1.5}) {
    const double shortest = 0.02, centre = (longest + shortest) / 2;
    const BandNodes nodes(first, last, (longest - shortest) / 2, slowness);
    const auto k_of = [&](double hz) { return 2 * pi * hz * slowness / c0_m_per_s; };
    // Of the order of the terms of E of a current: 1/k to k.
    const auto wave = [&](double hz, double distance) {
      const double k = k_of(hz);
      const Complex over(1 / (k * distance), -0.7);
      return (over + k * distance) * std::polar(1 / distance, -k * distance);
    };
    for (const double distance : {shortest, 0.03, centre, longest})
      for (double hz = first; hz <= last; hz += 1.7e7) {
        Complex sum = 0;
        const std::vector<Complex> weights = nodes.weights(hz, centre);
        for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * wave(nodes.hz()[i], distance);
        CHECK(std::abs(sum / wave(hz, distance) - 1.0) < 1e-7);
      }
    CHECK(nodes.hz().size() < 45);
  }
}

TEST_CASE("a single node's frequency has the weight 1, the others 0") {
  const BandNodes nodes(1e9, 3e9, 0.1, 1);
  for (std::size_t i = 0; i < nodes.hz().size(); ++i) {
    const std::vector<Complex> weights = nodes.weights(nodes.hz()[i], 0.2);
    for (std::size_t k = 0; k < weights.size(); ++k) CHECK(std::abs(weights[k] - (i == k ? 1.0 : 0.0)) < 1e-14);
  }
}
