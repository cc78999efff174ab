#include "results/ports/port_model.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "sources/ports/modal_kernel.hpp"

namespace tetrawave::results {

namespace {

/// Frequency over cutoff, never 1.
std::complex<double> over_cutoff(std::complex<double> frequency_hz, double cutoff_hz) {
  const std::complex<double> w = frequency_hz / cutoff_hz;
  return std::abs(w - 1.0) < 1e-9 ? 1 + 1e-9 : w;
}

}  // namespace

std::complex<double> PortModel::impedance_ratio(std::complex<double> frequency_hz) const {
  if (kind != Kind::waveguide) return 1;
  const std::complex<double> w = over_cutoff(frequency_hz, cutoff_hz);
  const std::complex<double> te = std::complex<double>(0, 1) * w / modal_root(w);
  return tm ? 1.0 / te : te;
}

std::complex<double> PortModel::propagation(double frequency_hz) const {
  const auto own = index_at.find(frequency_hz);
  const double per_hz = 2 * pi * (own == index_at.end() ? refractive_index : own->second) / c0_m_per_s;
  if (kind != Kind::waveguide) return {0, per_hz * frequency_hz};
  return per_hz * cutoff_hz * modal_root(over_cutoff(frequency_hz, cutoff_hz));
}

}  // namespace tetrawave::results
