#include "terms/ports/port_memory.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/scheme.hpp"

namespace tetrawave::march {

namespace {

using Complex = std::complex<double>;
using Kind = PortMemory::Kind;

bool is_modal(const PortMemory& memory) { return memory.kind == Kind::te || memory.kind == Kind::tm; }

void append(std::vector<double>& list, const Complex& z) {
  list.push_back(z.real());
  list.push_back(z.imag());
}

/// Frequencies over the cutoff that crowd towards it.
std::vector<double> frequencies_near_cutoff() {
  std::vector<double> w;
  constexpr int count = 400;
  for (int k = 0; k < count; ++k) {
    const double d = std::pow(10.0, -8 + 7.9 * k / (count - 1));
    w.insert(w.end(), {d, 1 - d, 1 + d});
  }
  return w;
}

/// A bound of the kernel's largest return: 1 leaves it as it is.
double safe_scale(double largest) { return 1 / std::max(1.0, largest + 1e-6); }

double sign_of(const PortMemory& memory) { return memory.kind == Kind::te ? 1 : -1; }

/// Each half step both signals, brought to it by averaging, are added with their weight in R (v - Z i)/2, and decay.
/// `increment`: what a wave of one is in the signals' units, dt where they are rates.
MemoryEvents modal_events(const PortMemory& memory, double dt_m, double increment) {
  const ExponentialSum& kernel = modal_reflection();
  const double scale = sign_of(memory) * safe_scale(largest_return(kernel, memory.cutoff_per_m, dt_m));
  MemoryEvents events;
  for (std::size_t k = 0; k < kernel.pole.size(); ++k) {
    const Complex decay = std::exp(memory.cutoff_per_m * dt_m / 2 * kernel.pole[k]);
    append(events.after_electric.decay, decay);
    append(events.after_electric.gain, increment * scale * memory.cutoff_per_m * dt_m * decay * kernel.residue[k]);
  }
  events.after_magnetic = events.after_electric;
  events.after_electric.weight = {0.25, 0.25, 0, 1};
  events.after_magnetic.weight = {-0.25, -0.25, 0, 1};
  return events;
}

/// x = -(L/dt) I with I+ = 2 (v - 2 w + 2 (L/dt) I)/R' - I, R' = R + 2 L/dt; w = w_source + x.
MemoryEvents inductance_events(const PortMemory& memory, double dt_m) {
  const double rate = memory.reactance / dt_m;
  const double ohms = companion_ohms(memory, dt_m);
  return {{{0.5, 0.5, -2, 1}, {4 * rate / ohms - 1, 0}, {-2 * rate / ohms, 0}}, {{0, 0, 0, 1}, {1, 0}, {0, 0}}};
}

/// x = R' (C/dt) v, w = (R'/R) w_source + x.
MemoryEvents capacitance_events(const PortMemory& memory, double dt_m) {
  const double ohms = companion_ohms(memory, dt_m);
  const double scale = ohms / memory.resistance_ohm;
  return {{{1, 0, 0, 1}, {0, 0}, {ohms * memory.reactance / dt_m, 0}}, {{0, 0, 0, scale}, {1, 0}, {0, 0}}};
}

}  // namespace

int memory_terms(const PortMemory& memory) {
  return is_modal(memory) ? static_cast<int>(modal_reflection().pole.size()) : 1;
}

MemoryEvents memory_events(const PortMemory& memory, double dt_m, Scheme scheme) {
  ensure(has_central_fluxes(scheme) || is_modal(memory), "reactances are marched in DGTD-Central");
  switch (memory.kind) {
    case Kind::te:
    case Kind::tm:
      return modal_events(memory, dt_m, has_rates(scheme) ? dt_m : 1);
    case Kind::inductance:
      return inductance_events(memory, dt_m);
    case Kind::capacitance:
      return capacitance_events(memory, dt_m);
  }
  throw InternalError("this port has no memory");
}

MemoryRates memory_rates(const PortMemory& memory, double dt_m) {
  ensure(is_modal(memory), "Runge-Kutta stages know the memory of modes only");
  const ExponentialSum& kernel = modal_reflection();
  double largest = 0;
  for (const double w : frequencies_near_cutoff()) largest = std::max(largest, std::abs(kernel.transform({0, w})));
  const double scale = sign_of(memory) * safe_scale(largest);
  MemoryRates rates;
  for (std::size_t k = 0; k < kernel.pole.size(); ++k) {
    append(rates.pole, memory.cutoff_per_m * dt_m * kernel.pole[k]);
    append(rates.residue, scale * memory.cutoff_per_m * dt_m * kernel.residue[k]);
  }
  return rates;
}

MemoryRecursion memory_recursion(const PortMemory& memory, double dt_m) {
  ensure(is_modal(memory), "a port of one mode remembers that mode");
  const ExponentialSum& kernel = modal_reflection();
  const double step = memory.cutoff_per_m * dt_m;
  const double scale = sign_of(memory) * safe_scale(largest_return_of_steps(kernel, memory.cutoff_per_m, dt_m)) * step;
  MemoryRecursion recursion;
  for (std::size_t k = 0; k < kernel.pole.size(); ++k) {
    const Complex decay = std::exp(step * kernel.pole[k]);
    append(recursion.decay, decay);
    append(recursion.gain, scale * decay * kernel.residue[k]);
  }
  return recursion;
}

double companion_ohms(const PortMemory& memory, double dt_m) {
  if (memory.kind == Kind::inductance) return memory.resistance_ohm + 2 * memory.reactance / dt_m;
  return 1 / (1 / memory.resistance_ohm + 2 * memory.reactance / dt_m);
}

namespace {

/// rho(z) = sum over m >= 1 of h r(m h) z^-m, h a step times the cutoff.
class StepTransform {
 public:
  StepTransform(const ExponentialSum& kernel, double step) : kernel_(kernel), step_(step) {
    for (const Complex& pole : kernel.pole) decay_.push_back(std::exp(step * pole));
  }
  Complex operator()(const Complex& z) const {
    Complex sum = 0;
    for (std::size_t k = 0; k < decay_.size(); ++k) {
      const Complex gain = kernel_.residue[k] * decay_[k];
      sum += step_ / 2 * (gain / (z - decay_[k]) + std::conj(gain) / (z - std::conj(decay_[k])));
    }
    return sum;
  }
  /// The largest value of measure(z) on the unit circle, by samples that crowd towards the cutoff.
  template <class Measure>
  double largest(const Measure& measure) const {
    std::vector<double> angles;
    for (const double w : frequencies_near_cutoff()) angles.push_back(w * step_);
    constexpr int count = 500;
    for (int k = 0; k <= count; ++k) angles.push_back(pi * k / count);
    double result = 0;
    for (const double angle : angles)
      if (angle <= pi) result = std::max(result, measure(std::polar(1.0, angle)));
    return result;
  }

 private:
  const ExponentialSum& kernel_;
  double step_;
  std::vector<Complex> decay_;
};

}  // namespace

double largest_return(const ExponentialSum& kernel, double cutoff_per_m, double dt_m) {
  const StepTransform rho(kernel, cutoff_per_m * dt_m / 2);
  return rho.largest([&](const Complex& z) { return std::abs(rho(z) + std::conj(rho(-z))); });
}

double largest_return_of_steps(const ExponentialSum& kernel, double cutoff_per_m, double dt_m) {
  const StepTransform rho(kernel, cutoff_per_m * dt_m);
  return rho.largest([&](const Complex& z) { return std::abs(rho(z)); });
}

}  // namespace tetrawave::march
