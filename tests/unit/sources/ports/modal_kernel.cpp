#include "sources/ports/modal_kernel.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"

using namespace tetrawave;
using Complex = std::complex<double>;

TEST_CASE("the reflection of a TE mode's impedance is -2 J2(t)/t, from the first instant to a thousand periods") {
  const ExponentialSum& r = modal_reflection();
  INFO("error " << r.error);
  CHECK(r.error < 2e-5);
  CHECK(r.pole.size() == 24);
  for (const Complex& pole : r.pole) CHECK(pole.real() < 0);
  double worst = 0;
  for (double t = 0.01; t < 6000; t *= 1.003) worst = std::max(worst, std::abs(r(t) + 2 * std::cyl_bessel_j(2, t) / t));
  INFO("in time " << worst);
  CHECK(worst < 2e-4);
}

TEST_CASE("its transform is (beta - k)/(beta + k) with the sign of a wave that comes back") {
  for (const double w : {1.05, 1.3, 1.9, 5.}) {
    const double beta = std::sqrt(w * w - 1);
    CHECK(std::abs(exact_modal_reflection(w) - (w - beta) / (w + beta)) < 1e-14);
    CHECK(std::abs(modal_reflection().transform({0, w}) - exact_modal_reflection(w)) < 2e-5);
  }
  // Below cutoff everything comes back; at zero frequency a TE mode sees a short circuit.
  for (const double w : {0.01, 0.5, 0.9}) CHECK(std::abs(std::abs(modal_reflection().transform({0, w})) - 1) < 2e-5);
  CHECK(std::abs(modal_reflection().transform({0, 0}) + 1.0) < 2e-5);
}

TEST_CASE("what an incident wave of the mode is at the wall keeps the power: |R|^2 + |T|^2 = 1 above cutoff") {
  for (const double w : {1.02, 1.3, 1.9, 5.}) {
    const Complex t = 1.0 + modal_transmission().transform({0, w});
    CHECK(std::abs(t - exact_modal_transmission(w)) < 5e-3);
    CHECK(std::abs(std::norm(exact_modal_transmission(w)) + std::norm(exact_modal_reflection(w)) - 1) < 1e-14);
  }
}
