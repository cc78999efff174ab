#include "media/passivity.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"

namespace tetrawave {

namespace {

using Complex = std::complex<double>;
constexpr double rounding = 1e-10;

/// -Im of the sum at wave number k, and the sum of the absolute values of its parts.
struct Loss {
  double value = 0;
  double scale = 0;
};

Loss loss_at(const std::vector<PoleTerm>& terms, double sigma, double k) {
  Loss loss{sigma / k, sigma / k};
  for (const PoleTerm& term : terms) {
    const double part = -susceptibility(term, Complex(0, k)).imag();
    loss.value += part;
    loss.scale += std::abs(part);
  }
  return loss;
}

// Points that resolve every resonance: around each pole's imaginary part in multiples of its width, and logarithmically
// over all scales with three further decades.
std::vector<double> scan_points(const std::vector<PoleTerm>& terms) {
  std::vector<double> points;
  double least = INFINITY, most = 0;
  for (const PoleTerm& term : terms)
    for (const Complex& pole : poles_of(term)) {
      const double centre = std::abs(pole.imag());
      const double width = std::max(std::abs(pole.real()), 1e-9 * centre);
      for (double x = 1e-3; x < 1.1e4; x *= 1.3) {
        points.push_back(centre + x * width);
        points.push_back(centre - x * width);
      }
      points.push_back(centre);
      if (std::abs(pole) == 0) continue;
      least = std::min(least, std::abs(pole));
      most = std::max(most, std::abs(pole));
    }
  if (most > 0)
    for (double k = 1e-3 * least; k < 1e3 * most; k *= 1.1) points.push_back(k);
  std::sort(points.begin(), points.end());
  points.erase(std::remove_if(points.begin(), points.end(), [](double k) { return !(k > 0); }), points.end());
  return points;
}

// The minimum of f between a and b, assuming there is a single one.
template <class F>
double minimise(const F& f, double a, double b) {
  for (int i = 0; i < 60; ++i) {
    const double left = a + (b - a) / 3, right = b - (b - a) / 3;
    if (f(left) < f(right))
      b = right;
    else
      a = left;
  }
  return (a + b) / 2;
}

// The gain of a pole on the axis itself is unbounded: its own frequency is reported.
std::optional<ActiveFrequency> find_undamped_gain(const std::vector<PoleTerm>& terms) {
  for (const PoleTerm& term : terms)
    if (term.states == 2 && term.a1 == 0 && !is_passive(term))
      return ActiveFrequency{std::sqrt(term.a0) * c0_m_per_s / (2 * pi), INFINITY};
  return {};
}

}  // namespace

bool is_stable(const PoleTerm& term) { return term.a0 >= 0 && (term.states == 1 || term.a1 >= 0); }

std::array<double, 3> stored_energy(const PoleTerm& term) {
  if (!is_passive(term)) return {0, 0, 0};
  if (term.states == 1) return {term.b0 > 0 ? term.a0 / term.b0 : 0, 0, 0};
  if (term.b0 == 0) return {term.b1 > 0 ? term.a1 / term.b1 : 0, 0, 0};  // one of Debye
  const double gamma = term.a1 - term.a0 * term.b1 / term.b0;
  const double stiff = std::abs(term.b0 - term.b1 * gamma);  // 0: a resistance beside the capacitance
  return {term.a0 / term.b0, stiff > 0 ? 1 / stiff : 0, gamma};
}

bool is_passive(const PoleTerm& term) {
  if (!(term.b0 >= 0)) return false;
  return term.states == 1 || (term.b1 >= 0 && term.b0 * term.a1 >= (1 - 1e-12) * term.b1 * term.a0);
}

std::optional<ActiveFrequency> find_active_frequency(const std::vector<PoleTerm>& terms, double sigma) {
  if (std::all_of(terms.begin(), terms.end(), is_passive)) return {};
  if (const auto gain = find_undamped_gain(terms)) return gain;
  const auto loss = [&](double k) { return loss_at(terms, sigma, k).value; };
  const std::vector<double> points = scan_points(terms);
  std::optional<ActiveFrequency> worst;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double below = points[i == 0 ? 0 : i - 1], above = points[std::min(i + 1, points.size() - 1)];
    if (loss(points[i]) > std::min(loss(below), loss(above))) continue;
    const double k = minimise(loss, below, above);
    const Loss found = loss_at(terms, sigma, k);
    const bool active = found.value < -rounding * found.scale;
    if (active && (!worst || -found.value > worst->imaginary_part))
      worst = ActiveFrequency{k * c0_m_per_s / (2 * pi), -found.value};
  }
  return worst;
}

}  // namespace tetrawave
