#include "basis/quadrature.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace tetrawave::basis {

namespace {

/// Points and weights of Gauss-Legendre on [0, 1], by Newton iteration on the Legendre polynomial.
std::vector<std::pair<double, double>> gauss_legendre(int points) {
  std::vector<std::pair<double, double>> rule;
  for (int i = 0; i < points; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (points + 0.5));
    double slope = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double previous = 1;
      double value = x;
      for (int k = 2; k <= points; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * previous) / k;
        previous = value;
        value = next;
      }
      slope = points * (x * value - previous) / (x * x - 1);
      const double change = value / slope;
      x -= change;
      if (std::abs(change) < 1e-16) break;
    }
    rule.emplace_back((1 - x) / 2, 1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

/// Collapsing k directions costs degree k of the Jacobian: 2 points - 1 >= degree + k.
int points_for(int degree, int collapsed) { return (degree + collapsed) / 2 + 1; }

}  // namespace

std::vector<TrianglePoint> triangle_rule(int degree) {
  const auto line = gauss_legendre(points_for(degree, 1));
  std::vector<TrianglePoint> rule;
  for (const auto& [u, wu] : line)
    for (const auto& [v, wv] : line) {
      const double b = v * (1 - u);
      rule.push_back({{1 - u - b, b, u}, 2 * wu * wv * (1 - u)});
    }
  return rule;
}

std::vector<TetrahedronPoint> tetrahedron_rule(int degree) {
  const auto line = gauss_legendre(points_for(degree, 2));
  std::vector<TetrahedronPoint> rule;
  for (const auto& [u, wu] : line)
    for (const auto& [v, wv] : line)
      for (const auto& [t, wt] : line) {
        const double b = v * (1 - u);
        const double c = t * (1 - u) * (1 - v);
        rule.push_back({{1 - u - b - c, c, b, u}, 6 * wu * wv * wt * (1 - u) * (1 - u) * (1 - v)});
      }
  return rule;
}

}  // namespace tetrawave::basis
