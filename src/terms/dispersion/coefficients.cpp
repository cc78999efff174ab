#include "terms/dispersion/coefficients.hpp"

#include <cmath>

#include "base/scheme.hpp"
#include "terms/dispersion/flow_step.hpp"
#include "terms/dispersion/recursive_convolution.hpp"

namespace tetrawave::schemes {

TermConstants trapezoidal(const PoleTerm& term, double dt_m) {
  const double h = dt_m / 2;
  if (term.states == 1) {
    const double below = 1 + h * term.a0;
    return {(1 - h * term.a0) / below, 0, 0, 1, h * term.b0 / below, 0};
  }
  // (1 - h A)^-1 of A = [-a1 1; -a0 0]: [1 h; -h a0 1 + h a1] / det.
  const double det = 1 + h * term.a1 + h * h * term.a0;
  const double m11 = 1 / det, m12 = h / det, m21 = -h * term.a0 / det, m22 = (1 + h * term.a1) / det;
  const double p11 = 1 - h * term.a1, p12 = h, p21 = -h * term.a0, p22 = 1;
  return {m11 * p11 + m12 * p21,
          m11 * p12 + m12 * p22,
          m21 * p11 + m22 * p21,
          m21 * p12 + m22 * p22,
          h * (m11 * term.b1 + m12 * term.b0),
          h * (m21 * term.b1 + m22 * term.b0)};
}

TermConstants rates(const PoleTerm& term, double dt_m) {
  if (term.states == 1) return {0, dt_m * term.a0, 0, dt_m * term.b0, 0, 0};
  return {dt_m * term.a0, dt_m * term.a1, dt_m * term.b0, dt_m * term.b1, dt_m, 0};
}

Law law_of(Scheme scheme, const Medium& medium, bool electric) {
  const double sigma = electric ? medium.sigma_e : medium.sigma_m;
  Law law{electric ? medium.eps_r : medium.mu_r, sigma, electric ? medium.electric_poles : medium.magnetic_poles, false,
          electric ? medium.eps_axes : medium.mu_axes};
  law.exact = medium.exact_steps;
  const bool published = medium.dispersion == Dispersion::published;
  law.published = published && (has_rates(scheme) || (has_central_fluxes(scheme) && !law.terms.empty()));
  if (!has_rates(scheme) || sigma == 0 || published) return law;
  PoleTerm conduction;
  conduction.b0 = sigma;
  law.terms.push_back(conduction);
  law.loss = 0;
  return law;
}

double present_part(const Law& law, double dt_m) {
  double sum = 0;
  if (law.published)
    for (const RecursionConstants& pole : recursions_of(law.terms, dt_m)) sum += pole[4];
  else
    for (const PoleTerm& term : law.terms) sum += trapezoidal(term, dt_m)[4];
  return sum;
}

MassConstant mass_of(const Law& law, double dt_m) {
  if (law.exact) return {law.constant / flow_step(law, dt_m).force, law.axes};
  const double added = present_part(law, dt_m) + dt_m * law.loss / 2;
  if (law.axes == Vec3{1, 1, 1} || added == 0) return {law.constant + added, law.axes};
  Vec3 a;
  for (std::size_t i = 0; i < 3; ++i) a[i] = law.constant * law.axes[i] + added;
  const double mean = std::cbrt(a[0] * a[1] * a[2]);
  return {mean, {a[0] / mean, a[1] / mean, a[2] / mean}};
}

ImplicitConstants implicit_constants(const Medium& medium, bool electric, double dt_m) {
  const Law own = law_of(Scheme::dfdd_eld, medium, electric);
  const Law other = law_of(Scheme::dfdd_eld, medium, !electric);
  return {mass_of(own, dt_m).mean, own.published ? other.constant : mass_of(other, dt_m).mean};
}

}  // namespace tetrawave::schemes
