// Terms of a susceptibility: their values, passivity, poles and rates, against the formulas of the models.
#include "media/poles.hpp"

#include <cmath>
#include <random>

#include "base/constants.hpp"
#include "catch.hpp"
#include "media/material.hpp"
#include "media/passivity.hpp"
#include "media/wideband_debye.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using Complex = std::complex<double>;

namespace {

constexpr Complex j(0, 1);

PoleTerm term(const decltype(DispersionTerm::model)& model) { return make_pole_term({model, {}}); }

Complex at_frequency(const PoleTerm& t, double frequency_hz) {
  return susceptibility(t, 2 * pi * frequency_hz / c0_m_per_s * j);
}

void check_near(Complex found, Complex expected) {
  INFO(found << " " << expected);
  CHECK(std::abs(found - expected) < 1e-12 * std::abs(expected));
}

}  // namespace

TEST_CASE("every model of a term is its formula") {
  for (const double f : {1e6, 0.7e9, 5e9, 80e9}) {
    const double w = 2 * pi * f;
    check_near(at_frequency(term(DebyeTerm{2.5, 9.4e-12}), f), 2.5 / (1.0 + j * w * 9.4e-12));
    const double w0 = 2 * pi * 5e9;
    check_near(at_frequency(term(LorentzTerm{1.5, 5e9, 1e9}), f), 1.5 * w0 * w0 / (w0 * w0 + 2e9 * j * w - w * w));
    const double wp = 2 * pi * 2e9;
    check_near(at_frequency(term(DrudeTerm{2e9, 3e8}), f), -wp * wp / (w * w - j * w * 3e8));
    const Complex r(1e10, -2e10), p(3e9, 4e9);
    const auto half = [&](Complex a, Complex b) { return a / (2.0 * (j * w + b)); };
    check_near(at_frequency(term(ComplexPoleTerm{r, p}), f), half(r, p) + half(std::conj(r), std::conj(p)));
    check_near(at_frequency(term(ComplexPoleTerm{{1e10, 7}, 3e9}), f), 1e10 / (j * w + 3e9));
  }
}

TEST_CASE("a Debye and a Lorentz term are complex poles of their residues") {
  const double delta = 1.5, w0 = 2 * pi * 5e9, damping = 1e9, w1 = std::sqrt(w0 * w0 - damping * damping);
  const PoleTerm lorentz = term(LorentzTerm{delta, 5e9, damping});
  const PoleTerm pole = term(ComplexPoleTerm{-j * delta * w0 * w0 / w1, damping - j * w1});
  CHECK(pole.a0 == Approx(lorentz.a0));
  CHECK(pole.a1 == Approx(lorentz.a1));
  CHECK(pole.b0 == Approx(lorentz.b0));
  CHECK(std::abs(pole.b1) < 1e-12);
  const PoleTerm debye = term(DebyeTerm{2, 1e-11});
  const PoleTerm real_pole = term(ComplexPoleTerm{2 / 1e-11, 1 / 1e-11});
  CHECK(real_pole.states == 1);
  CHECK(real_pole.a0 == Approx(debye.a0));
  CHECK(real_pole.b0 == Approx(debye.b0));
}

TEST_CASE("poles are the zeros of the denominator, also when they are far apart") {
  for (const PoleTerm& t : {PoleTerm{2, 4, 1, 1, 0}, PoleTerm{2, 1e-9, 1, 1, 0}, PoleTerm{2, 4, 4, 1, 0}})
    for (const Complex& p : poles_of(t)) CHECK(std::abs(p * p + t.a1 * p + t.a0) < 1e-12 * (std::abs(t.a1 * p) + t.a0));
  CHECK(poles_of({1, 3, 0, 1, 0}).at(0) == -3.0);
  CHECK(poles_of({2, 0, 5, 1, 0}).at(1) == 0.0);
}

TEST_CASE("a term is passive when its loss is, at all frequencies") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1), positive(0.01, 1);
  int passive = 0;
  for (int i = 0; i < 500; ++i) {
    const PoleTerm t{2, positive(random), positive(random), any(random) + 0.5, any(random) + 0.5};
    bool lossy = true;
    for (double k = 1e-4; k < 1e4; k *= 1.02) lossy = lossy && susceptibility(t, k * j).imag() <= 1e-14;
    CHECK(is_passive(t) == lossy);
    CHECK(find_active_frequency({t}, 0).has_value() != lossy);
    passive += lossy ? 1 : 0;
  }
  CHECK(passive > 100);
  CHECK(passive < 400);
}

TEST_CASE("Debye, Lorentz and Drude terms are passive at their limits") {
  CHECK(is_passive(term(DebyeTerm{0, 1e-12})));
  CHECK(is_passive(term(LorentzTerm{1, 1e9, 0})));
  CHECK(is_passive(term(LorentzTerm{1, 1e9, 1e12})));
  CHECK(is_passive(term(DrudeTerm{1e9, 0})));
  CHECK_FALSE(is_passive(term(DebyeTerm{-0.1, 1e-12})));
  CHECK_FALSE(is_passive(term(LorentzTerm{-0.1, 1e9, 1e8})));
  CHECK(is_stable(term(DrudeTerm{1e9, 0})));
  CHECK_FALSE(is_stable(term(ComplexPoleTerm{{1, 0}, {-1, 5}})));
  CHECK_FALSE(is_stable(term(ComplexPoleTerm{{1, 0}, -1.0})));
}

TEST_CASE("the frequency of a gain is where the imaginary part is largest") {
  const auto gain = find_active_frequency({term(DebyeTerm{-0.5, 10e-12})}, 0);
  REQUIRE(gain);
  CHECK(gain->frequency_hz == Approx(1 / (2 * pi * 10e-12)).epsilon(1e-6));
  CHECK(gain->imaginary_part == Approx(0.25).epsilon(1e-6));
}

TEST_CASE("a term with gain is allowed when the others, or a conductivity, take more") {
  const PoleTerm gain = term(DebyeTerm{-0.5, 10e-12});
  CHECK_FALSE(find_active_frequency({gain, term(DebyeTerm{0.7, 8e-12}), term(DebyeTerm{0.7, 12e-12})}, 0));
  CHECK(find_active_frequency({gain, term(DebyeTerm{0.7, 8e-14})}, 0));
  CHECK(find_active_frequency({gain}, 0.99 * 0.5 / (c0_m_per_s * 10e-12)));
  CHECK_FALSE(find_active_frequency({gain}, 1.01 * 0.5 / (c0_m_per_s * 10e-12)));
}

TEST_CASE("a narrow gain between lossy terms is found") {
  const PoleTerm narrow = term(ComplexPoleTerm{{0, -1e6}, {1e5, 2 * pi * 3e9}});
  const auto gain = find_active_frequency({term(DebyeTerm{0.01, 1e-10}), narrow}, 0);
  REQUIRE(gain);
  CHECK(gain->frequency_hz == Approx(3e9).epsilon(1e-3));
  const auto undamped = find_active_frequency({term(DebyeTerm{1, 1e-10}), term(LorentzTerm{-1, 2e9, 0})}, 0);
  REQUIRE(undamped);
  CHECK(undamped->frequency_hz == Approx(2e9));
}

TEST_CASE("the fastest rate is that of a medium without curl") {
  CHECK(fastest_rate_per_m({term(DebyeTerm{3, 1e-11})}, 2, 0) * c0_m_per_s == Approx(2.5 / 1e-11));
  CHECK(fastest_rate_per_m({term(LorentzTerm{3, 1e9, 0})}, 1, 0) * c0_m_per_s == Approx(2 * pi * 1e9 * 2));
  CHECK(fastest_rate_per_m({term(DrudeTerm{1e9, 0})}, 4, 0) * c0_m_per_s == Approx(pi * 1e9));
}

TEST_CASE("the constants of a medium are its terms and conductivities, with loss below zero") {
  Material spec;
  spec.eps_r = 3.64;
  spec.sigma_s_per_m = 6.29e-3;
  spec.electric_dispersion = {{DebyeTerm{0.54, 11.4e-12}, {}}};
  spec.magnetic_dispersion = {{LorentzTerm{0.5, 0.8e9, 0.5e9}, {}}};
  const ComplexConstants found = constants_at(make_medium(spec), 5e9);
  const double w = 2 * pi * 5e9, w0 = 2 * pi * 0.8e9;
  check_near(found.eps, 3.64 + 0.54 / (1.0 + j * w * 11.4e-12) + 6.29e-3 / (j * w * eps0_f_per_m));
  check_near(found.mu, 1.0 + 0.5 * w0 * w0 / (w0 * w0 + 2.0 * j * w * 0.5e9 - w * w));
  CHECK(found.eps.imag() < 0);
  CHECK(found.mu.imag() < 0);
}

TEST_CASE("the step limits of a medium with terms are those of its fastest rate") {
  Material spec;
  CHECK(std::isinf(runge_kutta_step_limit_m(make_medium(spec))));
  spec.electric_dispersion = {{DebyeTerm{2, 1e-11}, {}}};
  CHECK(runge_kutta_step_limit_m(make_medium(spec)) / c0_m_per_s == Approx(4.65 * 1e-11 / 3));
  CHECK(resonance_shift(make_medium(spec), 1) == 0);
  spec.electric_dispersion = {{LorentzTerm{3, 1e9, 0}, {}}};
  CHECK(runge_kutta_step_limit_m(make_medium(spec)) / c0_m_per_s == Approx(3.17 / (4 * pi * 1e9)));
  const double x = 0.1;
  CHECK(resonance_shift(make_medium(spec), c0_m_per_s * x / (4 * pi * 1e9)) == Approx(x * x / 12).epsilon(1e-2));
}

TEST_CASE("a laminate keeps its values where they are known and its loss tangent over the band") {
  const WidebandDebye spec{4.3, 0.02, 1e9, 1e7, 5e10, {}};
  const Complex known = wideband_debye_permittivity(spec, 1e9);
  check_near(known, 4.3 * (1.0 - 0.02 * j));
  const WidebandDebyeFit fit = fit_wideband_debye(spec);
  CHECK(fit.terms.size() == 6);
  CHECK(fit.loss_tangent_error < 0.02);
  Material material;
  material.wideband_debye = spec;
  const Medium medium = make_medium(material);
  check_near(constants_at(medium, 1e9).eps, known);
  CHECK_FALSE(find_active_frequency(medium.electric_poles, 0));
  double worst = 0;
  for (double f = 1e7; f <= 5e10; f *= 1.03) {
    const Complex found = constants_at(medium, f).eps, formula = wideband_debye_permittivity(spec, f);
    worst = std::max(worst, std::abs(found.imag() / found.real() * formula.real() / formula.imag() - 1));
    // The formula is causal: its slope belongs to its loss, d eps'/d ln w = -(2/pi) eps'' where the loss is flat.
    CHECK(std::abs(found - formula) < 1e-3 * std::abs(formula));
  }
  CHECK(worst == Approx(fit.loss_tangent_error).epsilon(0.02));
}

TEST_CASE("every band of a laminate has a fit") {
  for (const double decades : {0.001, 0.1, 1.0, 3.0, 6.0, 9.0}) {
    const double to = 1e12, from = to / std::pow(10.0, decades);
    const WidebandDebyeFit fit = fit_wideband_debye({4, 0.01, std::sqrt(from * to), from, to, {}});
    INFO(decades << " decades: " << fit.terms.size() << " terms, " << fit.loss_tangent_error);
    CHECK(fit.loss_tangent_error < (decades < 8 ? 0.02 : 0.1));
    CHECK(fit.terms.size() <= 16);
  }
}

TEST_CASE("what a passive term stores grows by no more than what it is given") {
  const std::vector<PoleTerm> terms{{1, 3, 0, 2.4, 0},   {1, 0, 0, 2, 0},   {2, 40, 0, 30, 0}, {2, 0, 2, 9, 0},
                                    {2, 25, 3, 13, 1.5}, {2, 20, 9, 12, 4}, {2, 0, 3, 0, 1.5}, {2, 4, 5, 2, 2}};
  constexpr double h = 0.02;  // half a step of the trapezoidal rule
  for (const PoleTerm& one : terms) {
    REQUIRE(is_passive(one));
    const auto [alpha, beta, gamma] = stored_energy(one);
    const double a0 = one.states == 1 ? 0 : one.a0, a1 = one.states == 1 ? one.a0 : one.a1;
    const double b0 = one.states == 1 ? 0 : one.b0, b1 = one.states == 1 ? one.b0 : one.b1;
    const double chain = one.states == 1 ? 0 : 1;
    double x1 = 0, x2 = 0, stored = 0, least_loss = 1, most_loss = 0;
    for (int n = 0; n < 400; ++n) {
      const double u = std::sin(0.3 * n) + std::cos(0.011 * n * n);  // the mean over the step
      // m = x + h (A m + b u)
      const double det = (1 + h * a1) + h * h * a0 * chain;
      const double r1 = x1 + h * b1 * u, r2 = x2 + h * b0 * u;
      const double m1 = (r1 + h * chain * r2) / det;
      const double m2 = r2 - h * a0 * m1;
      const double given = 2 * u * 2 * (m1 - x1);
      x1 = 2 * m1 - x1;
      x2 = 2 * m2 - x2;
      const double now = alpha * x1 * x1 + beta * (x2 - gamma * x1) * (x2 - gamma * x1);
      least_loss = std::min(least_loss, given - (now - stored));
      most_loss = std::max(most_loss, given - (now - stored));
      stored = now;
    }
    INFO(one.states << ": " << one.a0 << " " << one.a1 << " " << one.b0 << " " << one.b1);
    CHECK(least_loss > -1e-13);
    const bool lossless = one.states == 2 && one.a1 == 0;
    CHECK((most_loss < 1e-12) == lossless);
  }
}
