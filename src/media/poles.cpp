#include "media/poles.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"

namespace tetrawave {

namespace {

PoleTerm make_term(const DebyeTerm& debye) {
  const double rate = 1 / (c0_m_per_s * debye.tau_s);
  return {1, rate, 0, debye.delta * rate, 0};
}

PoleTerm make_term(const LorentzTerm& lorentz) {
  const double k0 = 2 * pi * lorentz.frequency_hz / c0_m_per_s;
  return {2, k0 * k0, 2 * lorentz.damping_rad_per_s / c0_m_per_s, lorentz.delta * k0 * k0, 0};
}

PoleTerm make_term(const DrudeTerm& drude) {
  const double kp = 2 * pi * drude.plasma_frequency_hz / c0_m_per_s;
  return {2, 0, drude.collision_rad_per_s / c0_m_per_s, kp * kp, 0};
}

// Re(r exp(-p t)) has the transform (r/(s + p) + r*/(s + p*))/2 = (Re r s + Re(r p*))/(s^2 + 2 Re p s + |p|^2).
PoleTerm make_term(const ComplexPoleTerm& pole) {
  const std::complex<double> r = pole.residue_per_s / c0_m_per_s;
  const std::complex<double> p = pole.pole_rad_per_s / c0_m_per_s;
  if (p.imag() == 0) return {1, p.real(), 0, r.real(), 0};
  return {2, std::norm(p), 2 * p.real(), (r * std::conj(p)).real(), r.real()};
}

}  // namespace

PoleTerm make_pole_term(const DispersionTerm& term) {
  return std::visit([](const auto& model) { return make_term(model); }, term.model);
}

std::complex<double> susceptibility(const PoleTerm& term, std::complex<double> s_per_m) {
  if (term.states == 1) return term.b0 / (s_per_m + term.a0);
  return (term.b1 * s_per_m + term.b0) / (s_per_m * (s_per_m + term.a1) + term.a0);
}

std::vector<std::complex<double>> poles_of(const PoleTerm& term) {
  if (term.states == 1) return {-term.a0};
  const double half = term.a1 / 2;
  const std::complex<double> root = std::sqrt(std::complex<double>(half * half - term.a0));
  if (root.imag() != 0) return {-half + root, -half - root};
  // The larger root without cancellation, the other from the product of both.
  const double far = -half - std::copysign(root.real(), half);
  return {far, far == 0 ? 0 : term.a0 / far};
}

double fastest_rate_per_m(const std::vector<PoleTerm>& terms, double constant, double sigma) {
  double relaxation = 0, stiffness = 0, damping = 0;
  double relaxation_sum = sigma / constant, stiffness_sum = 0, damping_sum = 0;
  for (const PoleTerm& term : terms) {
    if (term.states == 1) {
      relaxation = std::max(relaxation, term.a0);
      relaxation_sum += std::abs(term.b0) / constant;
    } else {
      stiffness = std::max(stiffness, term.a0);
      stiffness_sum += std::abs(term.b0) / constant;
      damping = std::max(damping, term.a1);
      damping_sum += std::abs(term.b1) / constant;
    }
  }
  return relaxation + relaxation_sum + std::sqrt(stiffness + stiffness_sum) + damping + damping_sum;
}

}  // namespace tetrawave
