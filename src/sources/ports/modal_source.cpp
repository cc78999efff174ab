#include "sources/ports/modal_source.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "sources/ports/modal_kernel.hpp"

namespace tetrawave {

/// Each exponential is integrated over half a step by Simpson's rule on exp(pole (t - t')) a(t'); poles are slow
/// compared with it.
ModalSource::ModalSource(Wave wave, double step_over_cutoff, std::int64_t steps) : wave_(std::move(wave)) {
  using Complex = std::complex<double>;
  const ExponentialSum& kernel = modal_transmission();
  const double h = step_over_cutoff / 2;
  std::vector<Complex> over_half, over_quarter, state(kernel.pole.size());
  for (const Complex& pole : kernel.pole) {
    over_half.push_back(std::exp(pole * h));
    over_quarter.push_back(std::exp(pole * h / 2.0));
  }
  tail_.push_back(0);
  double first = wave_(0);
  for (std::int64_t k = 0; k < 2 * (steps + 3); ++k) {
    const double middle = wave_((static_cast<double>(k) + 0.5) / 2);
    const double last = wave_((static_cast<double>(k) + 1) / 2);
    double sum = 0;
    for (std::size_t i = 0; i < state.size(); ++i) {
      const Complex added = over_half[i] * first + 4.0 * over_quarter[i] * middle + last;
      state[i] = over_half[i] * state[i] + h / 6 * kernel.residue[i] * added;
      sum += state[i].real();
    }
    tail_.push_back(sum);
    first = last;
  }
}

double ModalSource::operator()(double steps) const {
  const double own = wave_(steps);
  if (steps <= 0) return own;
  const double place = 2 * steps;
  const auto nearest = static_cast<std::size_t>(std::llround(place));
  if (std::abs(place - static_cast<double>(nearest)) < 1e-9) return own + tail_.at(nearest);
  // Lagrange's polynomial through four half steps around
  const auto low = std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(place)) - 1, 0);
  double sum = 0;
  for (std::int64_t i = low; i < low + 4; ++i) {
    double weight = 1;
    for (std::int64_t k = low; k < low + 4; ++k)
      if (k != i) weight *= (place - static_cast<double>(k)) / static_cast<double>(i - k);
    sum += weight * tail_.at(static_cast<std::size_t>(i));
  }
  return own + sum;
}

}  // namespace tetrawave
