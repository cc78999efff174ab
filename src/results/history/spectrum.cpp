#include "results/history/spectrum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace tetrawave::results {

namespace {

using Complex = std::complex<double>;

// exp(-j 2 pi turns), from the fraction of a turn so that long histories lose no digits.
Complex phasor(double turns) { return std::polar(1.0, -2 * pi * (turns - std::floor(turns))); }

// Radix-2 transform in place, size a power of two.
void transform(std::vector<Complex>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  std::vector<Complex> roots(n / 2);
  for (std::size_t k = 0; k < roots.size(); ++k) roots[k] = phasor(static_cast<double>(k) / static_cast<double>(n));
  for (std::size_t length = 2; length <= n; length *= 2) {
    const std::size_t half = length / 2;
    for (std::size_t start = 0; start < n; start += length)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex odd = roots[k * (n / length)] * x[start + k + half];
        x[start + k + half] = x[start + k] - odd;
        x[start + k] += odd;
      }
  }
}

// Transform of the history padded with zeros to at least twice its length.
std::vector<Complex> padded_transform(const std::vector<double>& history) {
  std::vector<Complex> padded(std::bit_ceil(2 * std::max<std::size_t>(history.size(), 1)), 0);
  std::copy(history.begin(), history.end(), padded.begin());
  transform(padded);
  return padded;
}

}  // namespace

std::vector<std::vector<Complex>> fourier_sums(const std::vector<const std::vector<double>*>& histories, double dt_s,
                                               const std::vector<double>& frequencies_hz) {
  std::vector<std::vector<Complex>> sums(histories.size(), std::vector<Complex>(frequencies_hz.size(), 0));
  if (histories.empty()) return sums;
  const std::size_t length = histories[0]->size();
  for (const auto* history : histories) ensure(history->size() == length, "histories have one length");
  constexpr std::size_t exact_every = 256;  // steps of the recurrence between exact phasors
  for (std::size_t f = 0; f < frequencies_hz.size(); ++f) {
    const double turns = frequencies_hz[f] * dt_s;
    const Complex advance = phasor(turns);
    for (std::size_t first = 0; first < length; first += exact_every) {
      Complex w = phasor(turns * static_cast<double>(first));
      for (std::size_t k = first; k < std::min(length, first + exact_every); ++k) {
        for (std::size_t h = 0; h < histories.size(); ++h) sums[h][f] += (*histories[h])[k] * w;
        w *= advance;
      }
    }
    for (auto& sum : sums) sum[f] *= dt_s;
  }
  return sums;
}

double spectral_peak(const std::vector<double>& history, double dt_s) {
  const auto padded = padded_transform(history);
  double peak = 0;
  for (const Complex& x : padded) peak = std::max(peak, std::abs(x));
  return peak * dt_s;
}

std::optional<double> band_edge(std::vector<double> history, double dt_s, double share) {
  constexpr double silence = 1e-12;
  constexpr std::size_t longest = std::size_t{1} << 20;
  double largest = 0;
  for (const double x : history) largest = std::max(largest, std::abs(x));
  while (!history.empty() && !(std::abs(history.back()) > silence * largest)) history.pop_back();
  if (history.empty()) return 0.0;
  if (history.size() > longest) return {};
  const auto padded = padded_transform(history);
  double peak = 0;
  for (const Complex& x : padded) peak = std::max(peak, std::abs(x));
  std::size_t k = padded.size() / 2;
  while (k > 0 && !(std::abs(padded[k]) > share * peak)) --k;
  return static_cast<double>(std::min(k + 1, padded.size() / 2)) / (static_cast<double>(padded.size()) * dt_s);
}

std::int64_t sampling_stride(double edge_hz, double highest_hz, double dt_s) {
  for (const std::int64_t every : {16, 8, 4, 2})
    if (static_cast<double>(every) * dt_s * (std::max(edge_hz, highest_hz) + highest_hz) < 1) return every;
  return 1;
}

}  // namespace tetrawave::results
