#include "schemes/upwind/spectrum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "schemes/upwind/coefficients.hpp"

namespace tetrawave::march {

namespace {

SmallMatrix multiply(const SmallMatrix& a, const SmallMatrix& b) {
  SmallMatrix c(a.size);
  for (std::size_t i = 0; i < a.size; ++i)
    for (std::size_t k = 0; k < a.size; ++k)
      for (std::size_t j = 0; j < a.size; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

double norm(const SmallMatrix& a) {
  double sum = 0;
  for (const double x : a.entries) sum += x * x;
  return std::sqrt(sum);
}

/// A^(2^squarings) = exp(log_scale) times the result.
SmallMatrix high_power(SmallMatrix a, int squarings, double& log_scale) {
  log_scale = 0;
  for (int k = 0; k <= squarings; ++k) {
    const double size = norm(a);
    if (size == 0) return a;
    for (double& x : a.entries) x /= size;
    log_scale += std::log(size);
    if (k == squarings) break;
    a = multiply(a, a);
    log_scale *= 2;
  }
  return a;
}

/// The longest column at length 1, of which the others lose their part; nothing where it is not longer than `least`.
std::vector<double> take_longest_column(SmallMatrix& a, double least) {
  std::size_t longest = 0;
  double largest = 0;
  for (std::size_t j = 0; j < a.size; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size; ++i) sum += a(i, j) * a(i, j);
    if (sum <= largest) continue;
    largest = sum;
    longest = j;
  }
  std::vector<double> unit;
  if (!(std::sqrt(largest) > least)) return unit;
  for (std::size_t i = 0; i < a.size; ++i) unit.push_back(a(i, longest) / std::sqrt(largest));
  for (std::size_t j = 0; j < a.size; ++j) {
    double along = 0;
    for (std::size_t i = 0; i < a.size; ++i) along += unit[i] * a(i, j);
    for (std::size_t i = 0; i < a.size; ++i) a(i, j) -= along * unit[i];
  }
  return unit;
}

}  // namespace

double spectral_radius(const SmallMatrix& matrix) {
  constexpr int squarings = 40;
  double log_scale = 0;
  const SmallMatrix power = high_power(matrix, squarings, log_scale);
  return norm(power) == 0 ? 0 : std::exp(std::ldexp(log_scale, -squarings));
}

std::vector<double> dominant_direction(const SmallMatrix& matrix) {
  double log_scale = 0;
  SmallMatrix power = high_power(matrix, 40, log_scale);
  constexpr double nothing = 1e-4;  // of the columns' lengths
  std::vector<double> direction = take_longest_column(power, 0);
  if (direction.empty()) return std::vector<double>(matrix.size, 1 / std::sqrt(static_cast<double>(matrix.size)));
  const std::vector<double> other = take_longest_column(power, nothing);
  if (other.empty() || std::hypot(direction[0], other[0]) < nothing) return direction;
  const std::array<double, 2> along{direction[0], other[0]};
  for (std::size_t i = 0; i < matrix.size; ++i)
    direction[i] = (along[0] * direction[i] + along[1] * other[i]) / std::hypot(along[0], along[1]);
  return direction;
}

SmallMatrix runge_kutta_step(const SmallMatrix& a, double h) {
  SmallMatrix u(a.size);
  SmallMatrix w(a.size);
  for (std::size_t i = 0; i < a.size; ++i) u(i, i) = 1;
  for (const schemes::RungeKuttaStage& stage : schemes::lserk54) {
    const SmallMatrix rate = multiply(a, u);
    for (std::size_t k = 0; k < w.entries.size(); ++k) {
      w.entries[k] = stage.a * w.entries[k] + h * rate.entries[k];
      u.entries[k] += stage.b * w.entries[k];
    }
  }
  return u;
}

double runge_kutta_limit(const SmallMatrix& matrix) {
  const double radius = spectral_radius(matrix);
  if (radius == 0) return std::numeric_limits<double>::infinity();
  const auto is_stable = [&matrix](double h) { return spectral_radius(runge_kutta_step(matrix, h)) <= 1 + 1e-9; };
  double low = 0;
  double high = 4.7 / radius;
  for (int k = 0; k < 40; ++k) {
    const double middle = (low + high) / 2;
    (is_stable(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace tetrawave::march
