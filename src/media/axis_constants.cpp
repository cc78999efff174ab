#include "media/axis_constants.hpp"

#include "base/constants.hpp"

namespace tetrawave {

std::array<std::complex<double>, 3> axis_constants(const Medium& medium, bool electric,
                                                   std::complex<double> frequency_hz) {
  const std::complex<double> s = std::complex<double>(0, 1) * (2 * pi * frequency_hz / c0_m_per_s);
  const std::complex<double> constant = electric ? medium.complex_eps_r() : medium.mu_r;
  std::complex<double> added = (electric ? medium.sigma_e : medium.sigma_m) / s;
  for (const PoleTerm& term : electric ? medium.electric_poles : medium.magnetic_poles)
    added += susceptibility(term, s);
  std::array<std::complex<double>, 3> constants;
  for (std::size_t i = 0; i < 3; ++i)
    constants[i] = constant * (electric ? medium.eps_axes : medium.mu_axes)[i] + added;
  return constants;
}

}  // namespace tetrawave
