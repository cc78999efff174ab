#include "terms/pml/coefficients.hpp"

#include <algorithm>
#include <cmath>
#include "base/scheme.hpp"

namespace tetrawave::schemes {

namespace {

bool is_mixed(Space space) { return space == Space::mixed_1 || space == Space::mixed_2 || space == Space::mixed_3; }

}  // namespace

// (s + n_0)(s + n_1)(s + n_2)/((s + p_0)(s + p_1)): the remainder N - (s + rate) D is a line, N at both zeros of D.
std::array<LayerTerm, 3> layer_terms(const LayerStretch& stretch) {
  const auto beta = [&](std::size_t i) { return stretch.alpha + stretch.sigma[i % 3]; };
  std::array<LayerTerm, 3> terms;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 n{stretch.loss, beta(i + 1), beta(i + 2)};
    const std::array<double, 2> p{beta(i), stretch.alpha};
    const double square = n[0] + n[1] + n[2];
    const double linear = n[0] * n[1] + n[0] * n[2] + n[1] * n[2];
    terms[i].rate = square - p[0] - p[1];
    terms[i].residues[0] = p[0] * p[0] + p[0] * p[1] + p[1] * p[1] - square * (p[0] + p[1]) + linear;
    terms[i].residues[1] = (n[0] - p[1]) * (n[1] - p[1]) * (n[2] - p[1]);
    terms[i].poles = p;
  }
  return terms;
}

// P_1' = u - poles_1 P_1, P_2' = P_1 - poles_2 P_2 with means over the step; P_1 = g_1 p_1, P_2 = g_1 g_2 p_2.
LayerStep layer_step(const LayerTerm& term, double dt_m) {
  const double half = dt_m / 2;
  LayerStep step;
  std::array<double, 2> g{};
  for (std::size_t k = 0; k < 2; ++k) {
    g[k] = half / (1 + half * term.poles[k]);
    step.keep[k] = (1 - half * term.poles[k]) / (1 + half * term.poles[k]);
  }
  const double first = g[0] * (term.residues[0] + g[1] * term.residues[1]);
  step.axis = 1 + half * (term.rate + first);
  step.push = {half * (1 + step.keep[0]) * first, half * (1 + step.keep[1]) * g[0] * g[1] * term.residues[1]};
  return step;
}

std::array<LayerSection, 3> inverse_sections(const LayerStretch& stretch, std::size_t axis, double dt_m) {
  const auto beta = [&](std::size_t i) { return stretch.alpha + stretch.sigma[i % 3]; };
  const auto [low, high] = std::minmax({beta(axis + 1), beta(axis + 2)});
  const auto section = [&](double zero, double pole) {
    const double n = dt_m / 2 * zero;
    const double d = dt_m / 2 * pole;
    return LayerSection{(1 + n) / (1 + d), (1 - d) / (1 + d), (1 - n) / (1 + d)};
  };
  return {section(beta(axis), high), section(stretch.alpha, low), section(0, stretch.loss)};
}

double largest_rate_per_m(double reflection, double thickness_m) { return -2 * std::log(reflection) / thickness_m; }

double static_rate_per_m(double thickness_m) { return 0.1 / thickness_m; }

double layer_profile(double depth, std::int64_t cells) {
  const double inside = std::clamp(depth, 0.0, 1.0);
  if (cells == 0) return inside * inside * inside;
  const auto n = static_cast<double>(cells);
  const double from = std::min(std::floor(inside * n), n - 1) / n;
  const double to = from + 1 / n;
  return n / 4 * (std::pow(to, 4) - std::pow(from, 4));
}

double most_brake(Scheme scheme, Space space) { return has_rates(scheme) ? 8 : is_mixed(space) ? 10 : 1; }

double brake_share(Scheme scheme, Space space, double flatness) {
  const double most = most_brake(scheme, space);
  const double more = std::pow((has_rates(scheme) ? 0.18 : 0.26) / flatness, 1.5);
  return std::clamp((0.65 - flatness) / 0.2, 0.0, 1.0) * std::clamp(more, 1.0, most) / most;
}

double brake_along(Scheme scheme, Space space, double share) {
  if (is_mixed(space)) return 0.5;
  if (!has_rates(scheme)) return 0;
  const double more = most_brake(scheme, space) * share;
  return std::clamp(0.1 * more * more, 0.1, 0.5);
}

double brake_strength(Scheme scheme, Space space, bool electric, double impedance, double other) {
  const double of_upwind = !has_rates(scheme) ? 0.25 : is_mixed(space) ? 0.6 : 0.5;
  return of_upwind * most_brake(scheme, space) * (electric ? 1 : impedance * other) / (impedance + other);
}

double braked_share_of_step(Scheme scheme, Space space, double strongest) {
  const double more = most_brake(scheme, space) * strongest - 1;
  if (has_rates(scheme)) return 1 / ((is_mixed(space) ? 1.4 : 1.14) + 0.4 * std::max(0.0, more));
  if (!is_mixed(space)) return 0.95;
  return 1 / (1.25 + (space == Space::mixed_1 ? 0.55 : 0.2) * std::max(0.0, more - 0.5));
}

}  // namespace tetrawave::schemes
