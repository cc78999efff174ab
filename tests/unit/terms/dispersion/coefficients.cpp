// Laws of media in a time step against their closed forms at a frequency.
#include "terms/dispersion/coefficients.hpp"

#include <cmath>
#include <complex>

#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::schemes;
using tetrawave_tests::Approx;
using Complex = std::complex<double>;

namespace {

const PoleTerm debye{1, 3.0, 0, 4.5, 0};
const PoleTerm lorentz{2, 400.0, 2.0, 300.0, 0};
const PoleTerm general{2, 90.0, 6.0, 50.0, 7.0};

/// P over u of a field that turns by `angle` in a step: (z - T) x = g (1 + z).
Complex stepped(const PoleTerm& term, double dt_m, double angle) {
  const TermConstants c = trapezoidal(term, dt_m);
  const Complex z = std::polar(1.0, angle);
  const Complex a = z - c[0], b = -c[1], d = -c[2], e = z - c[3];
  return (c[4] * e - b * c[5]) / (a * e - b * d) * (1.0 + z);
}

}  // namespace

TEST_CASE("a step of a term of dispersion is its susceptibility at (2/dt) tan(w dt/2)") {
  constexpr double dt_m = 0.03;
  for (const PoleTerm& term : {debye, lorentz, general})
    for (const double angle : {0.001, 0.2, 1.3, 3.0}) {
      const Complex s(0, 2 / dt_m * std::tan(angle / 2));
      CHECK(std::abs(stepped(term, dt_m, angle) / susceptibility(term, s) - 1.0) < 1e-11);
    }
}

TEST_CASE("rates of a term are its differential equations times the step") {
  constexpr double dt_m = 1e-3;
  // x1' = -a1 x1 + c x2 + b1 u, x2' = -a0 x1 + b0 u at s, whose x1 is P
  for (const PoleTerm& term : {debye, general}) {
    const TermConstants r = rates(term, dt_m);
    const Complex s(0, 17), step = dt_m * s;
    const Complex p = (r[3] + r[4] * r[2] / step) / (step + r[1] + r[4] * r[0] / step);
    CHECK(std::abs(p / susceptibility(term, s) - 1.0) < 1e-12);
  }
}

TEST_CASE("only DFDD-ELD treats a conductivity as the term sigma/s") {
  Medium medium;
  medium.eps_r = 2;
  medium.sigma_e = 0.7;
  const Law central = law_of(Scheme::dgtd_central, medium, true);
  CHECK(central.loss == 0.7);
  CHECK(central.terms.empty());
  const Law dfdd = law_of(Scheme::dfdd_eld, medium, true);
  CHECK(dfdd.loss == 0);
  REQUIRE(dfdd.terms.size() == 1);
  const Complex s(0.1, 3);
  CHECK(std::abs(susceptibility(dfdd.terms[0], s) - 0.7 / s) < 1e-14);
  CHECK(law_of(Scheme::dfdd_eld, medium, false).terms.empty());
}

TEST_CASE("the mass of an anisotropic law is its constant, half a step of losses and half of each term's share") {
  constexpr double dt_m = 0.02;
  Law law;
  law.constant = 2;
  law.axes = {1, 2, 0.5};
  law.loss = 6;
  law.terms = {debye};
  const MassConstant mass = mass_of(law, dt_m);
  const double share = dt_m / 2 * 4.5 / (1 + dt_m / 2 * 3.0);  // implicit: P+ = ... + share (u + u+)
  CHECK(mass.mean * mass.axes[0] == Approx(2 * 1 + 0.06 + share));
  CHECK(mass.mean * mass.axes[1] == Approx(2 * 2 + 0.06 + share));
  CHECK(mass.mean * mass.axes[2] == Approx(2 * 0.5 + 0.06 + share));
  CHECK(mass.axes[0] * mass.axes[1] * mass.axes[2] == Approx(1));
}
