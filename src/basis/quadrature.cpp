#include "basis/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace tetrawave::basis {

namespace {

/// Points and weights on [0, 1].
std::vector<std::pair<double, double>> gauss_on_unit(int points) {
  const GaussRule rule = gauss_rule(static_cast<std::size_t>(points));
  std::vector<std::pair<double, double>> line;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) line.emplace_back((1 - rule.nodes[i]) / 2, rule.weights[i] / 2);
  return line;
}

/// Collapsing k directions costs degree k of the Jacobian: 2 points - 1 >= degree + k.
int points_for(int degree, int collapsed) { return (degree + collapsed) / 2 + 1; }

}  // namespace

GaussRule gauss_rule(std::size_t points) {
  GaussRule rule;
  const auto n = static_cast<double>(points);
  for (std::size_t i = 0; i < points; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5));
    double slope = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double previous = 1;
      double value = x;
      for (std::size_t degree = 2; degree <= points; ++degree) {
        const auto k = static_cast<double>(degree);
        const double next = ((2 * k - 1) * x * value - (k - 1) * previous) / k;
        previous = value;
        value = next;
      }
      slope = n * (x * value - previous) / (x * x - 1);
      const double change = value / slope;
      x -= change;
      if (std::abs(change) < 1e-16) break;
    }
    rule.nodes.push_back(x);
    rule.weights.push_back(2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

std::vector<TrianglePoint> triangle_rule(int degree) {
  const auto line = gauss_on_unit(points_for(degree, 1));
  std::vector<TrianglePoint> rule;
  for (const auto& [u, wu] : line)
    for (const auto& [v, wv] : line) {
      const double b = v * (1 - u);
      rule.push_back({{1 - u - b, b, u}, 2 * wu * wv * (1 - u)});
    }
  return rule;
}

std::vector<TrianglePoint> symmetric_triangle_rule(int degree) {
  // One point of each orbit: two coordinates, and the weight of each of its points.
  using Orbit = std::array<double, 3>;
  static const std::vector<Orbit> six{{0.445948490915965, 0.445948490915965, 0.223381589678011},
                                      {0.091576213509771, 0.091576213509771, 0.109951743655322}};
  static const std::vector<Orbit> twelve{{0.249286745170910, 0.249286745170910, 0.116786275726379},
                                         {0.063089014491502, 0.063089014491502, 0.050844906370207},
                                         {0.053145049844817, 0.310352451033784, 0.082851075618374}};
  if (degree > 6) return triangle_rule(degree);
  std::vector<TrianglePoint> rule;
  for (const auto& [a, b, weight] : degree > 4 ? twelve : six) {
    std::array<double, 3> point{a, b, 1 - a - b};
    std::sort(point.begin(), point.end());
    do rule.push_back({point, weight});
    while (std::next_permutation(point.begin(), point.end()));
  }
  return rule;
}

std::vector<TetrahedronPoint> symmetric_tetrahedron_rule(int degree) {
  // One point of each orbit: three coordinates, and the weight of each of its points.
  using Orbit = std::array<double, 4>;
  static const std::vector<Orbit> fourteen{
      {0.3108859192633006, 0.3108859192633006, 0.3108859192633006, 0.1126879257180159},
      {0.0927352503108912, 0.0927352503108912, 0.0927352503108912, 0.0734930431163620},
      {0.0455037041256497, 0.0455037041256497, 0.4544962958743503, 0.0425460207770815}};
  static const std::vector<Orbit> twenty_four{
      {0.214602871259151684, 0.214602871259151684, 0.214602871259151684, 0.0399227502581679},
      {0.0406739585346113397, 0.0406739585346113397, 0.0406739585346113397, 0.0100772110553207},
      {0.322337890142275646, 0.322337890142275646, 0.322337890142275646, 0.0553571815436544},
      {0.0636610018750175299, 0.0636610018750175299, 0.269672331458315867, 27. / 560}};
  if (degree > 6) return tetrahedron_rule(degree);
  std::vector<TetrahedronPoint> rule;
  for (const auto& [a, b, c, weight] : degree > 5 ? twenty_four : fourteen) {
    std::array<double, 4> point{a, b, c, 1 - a - b - c};
    if (std::abs(point[3] - c) < 1e-12) point[3] = c;  // equal to the last bit, or it is taken for another one
    std::sort(point.begin(), point.end());
    do rule.push_back({point, weight});
    while (std::next_permutation(point.begin(), point.end()));
  }
  return rule;
}

std::vector<TetrahedronPoint> tetrahedron_rule(int degree) {
  const auto line = gauss_on_unit(points_for(degree, 2));
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
