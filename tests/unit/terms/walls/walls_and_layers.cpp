// Laws of conductors and of absorbing layers, stepped, against their closed forms at a frequency.
#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "catch.hpp"
#include "terms/pml/coefficients.hpp"
#include "terms/walls/conductors.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using namespace tetrawave::schemes;

namespace {

using Complex = std::complex<double>;

const ConductorBranches metal{{0.02, 0.0, 0.05, 0.3}, {3.0, 8.0, 20.0, 150.0}};

Complex impedance(const Complex& s) {
  Complex sum = 0;
  for (std::size_t b = 0; b < metal.ohms.size(); ++b) sum += metal.ohms[b] * s / (s + metal.rates_per_m[b]);
  return sum;
}

Complex value(const WallLaw& law, const Complex& s) {
  Complex sum = law.direct;
  for (std::size_t b = 0; b < law.gain.size(); ++b) sum += law.gain[b] / (s + law.pole_per_m[b]);
  return sum;
}

/// What a law makes of the means u of traces that go round by `angle` in a step, over u.
Complex stepped(const WallLaw& law, double dt_m, double angle) {
  const Complex z = std::polar(1.0, angle);
  Complex sum = 1;
  for (std::size_t b = 0; b < law.gain.size(); ++b) {
    const BranchStep step = branch_step(law, b, dt_m);
    sum += 0.5 * step.share * step.take / (z - step.keep);  // q before a step is take/(z - keep) u
  }
  return present_part(law, dt_m) * sum;
}

}  // namespace

TEST_CASE("the admittance of a conductor is one over its impedance, with positive gains") {
  const WallLaw direct = impedance_law(metal);
  const WallLaw inverse = admittance_law(metal);
  REQUIRE(inverse.gain.size() == metal.ohms.size());
  for (const double w : {0.01, 1.0, 7.0, 60.0, 4000.0}) {
    const Complex s(0, w);
    CHECK(std::abs(value(direct, s) / impedance(s) - 1.0) < 1e-12);
    CHECK(std::abs(value(inverse, s) * impedance(s) - 1.0) < 1e-12);
  }
  for (std::size_t b = 0; b < inverse.gain.size(); ++b) {
    CHECK(inverse.gain[b] >= 0);
    CHECK(inverse.pole_per_m[b] >= 0);
  }
  CHECK(inverse.direct == Approx(1 / 0.37));
}

TEST_CASE("a step of a conductor's law is the law at (2/dt) tan(w dt/2)") {
  constexpr double dt_m = 0.02;
  for (const WallLaw& law : {impedance_law(metal), admittance_law(metal)})
    for (const double angle : {0.001, 0.1, 1.0, 3.0}) {
      const Complex s(0, 2 / dt_m * std::tan(angle / 2));
      CHECK(std::abs(stepped(law, dt_m, angle) / value(law, s) - 1.0) < 1e-10);
    }
  CHECK(present_part(impedance_law(metal), dt_m) * present_part(admittance_law(metal), dt_m) == Approx(1));
}

TEST_CASE("the sections of a layer's inverse law are one over the law, and what goes with the unknown is too") {
  constexpr double dt_m = 0.05;
  for (const Vec3& sigma : {Vec3{7, 0, 0}, Vec3{0, 4, 9}, Vec3{3, 5, 2}})
    for (const double loss : {0.0, 1.5}) {
      const LayerStretch stretch{sigma, 0.3, loss};
      const auto terms = layer_terms(stretch);
      for (std::size_t i = 0; i < 3; ++i) {
        const auto sections = inverse_sections(stretch, i, dt_m);
        CHECK(sections[0].gain * sections[1].gain * sections[2].gain * layer_step(terms[i], dt_m).axis == Approx(1));
        for (const double angle : {0.01, 0.7, 2.5}) {
          const Complex z = std::polar(1.0, angle);
          const Complex s(0, 2 / dt_m * std::tan(angle / 2));
          const LayerTerm& t = terms[i];
          const Complex law =
              1.0 + (t.rate + (t.residues[0] + t.residues[1] / (s + t.poles[1])) / (s + t.poles[0])) / s;
          Complex inverse = 1;
          for (const LayerSection& part : sections) inverse *= (part.gain * z - part.turn) / (z - part.keep);
          CHECK(std::abs(inverse * law - 1.0) < 1e-10);
        }
      }
    }
}
