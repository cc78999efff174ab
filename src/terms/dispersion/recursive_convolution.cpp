#include "terms/dispersion/recursive_convolution.hpp"

#include <algorithm>
#include <cmath>

namespace tetrawave::schemes {

namespace {

/// (1 - exp(-z))/z.
std::complex<double> mean_decay(std::complex<double> z) {
  if (std::abs(z) > 0.1) return (1.0 - std::exp(-z)) / z;
  std::complex<double> sum = 1, power = 1;
  for (int k = 2; k <= 12; ++k) {
    power *= -z / static_cast<double>(k);
    sum += power;
  }
  return sum;
}

}  // namespace

std::vector<DecayingPole> decaying_poles(const PoleTerm& term) {
  if (term.states == 1) return {{term.b0, term.a0}};
  const double damping = term.a1 / 2;
  const double square = term.a0 - damping * damping;  // of the frequency
  const double least = 1e-6 * damping;
  if (square > -least * least) {
    const double frequency = std::max(std::sqrt(std::max(square, 0.0)), least);
    return {{{term.b1, (term.b1 * damping - term.b0) / frequency}, {damping, -frequency}}};
  }
  const double root = std::sqrt(-square);
  const double fast = damping + root;
  const double slow = term.a0 / fast;
  return {{(term.b0 - term.b1 * slow) / (fast - slow), slow}, {(term.b0 - term.b1 * fast) / (slow - fast), fast}};
}

RecursionConstants recursion_constants(const DecayingPole& pole, double dt_m) {
  const auto decay = std::exp(-pole.b * dt_m);
  const auto c = mean_decay(pole.b * (dt_m / 2)) * (dt_m / 2);
  const auto d = mean_decay(pole.b * dt_m) * dt_m * std::exp(-pole.b * (dt_m / 2));
  const auto weight = pole.a * d;
  return {decay.real(), decay.imag(), weight.real(), weight.imag(), (pole.a * c).real()};
}

std::vector<RecursionConstants> recursions_of(const std::vector<PoleTerm>& terms, double dt_m) {
  std::vector<RecursionConstants> list;
  for (const PoleTerm& term : terms)
    for (const DecayingPole& pole : decaying_poles(term)) list.push_back(recursion_constants(pole, dt_m));
  return list;
}

}  // namespace tetrawave::schemes
