// Convolutions that convert the wave impedance of a medium to that of a waveguide's mode (theory/ports).
#pragma once

#include <complex>
#include <vector>

namespace tetrawave {

/// k(t) = sum Re(residue exp(pole t)), t > 0: a kernel as a sum of decaying exponentials. The time is kc c0 t / n, kc
/// the cutoff wavenumber of the mode and n the refractive index, so that one kernel serves every guide.
struct ExponentialSum {
  std::vector<std::complex<double>> pole;
  std::vector<std::complex<double>> residue;
  double error = 0;  ///< largest error of its transform on the imaginary axis, farther than 1e-5 from a branch point

  [[nodiscard]] double operator()(double t) const;
  /// int k exp(-s t) dt.
  [[nodiscard]] std::complex<double> transform(const std::complex<double>& s) const;
};

/// sqrt(s^2 + 1), positive for large positive s, at s = j w on its right-hand side; beyond the axis of real w, where
/// fields decay (Im w > 0), continued from there, with cuts at Re w = +-1.
std::complex<double> modal_root(std::complex<double> w);

/// R = (s - q)/(s + q), q = sqrt(s^2 + 1), whose kernel is -2 J2(t)/t: the reflection of the outgoing wave by which a
/// wall of the medium's impedance acquires the impedance of a TE mode; for a TM mode it is -R.
const ExponentialSum& modal_reflection();

/// sqrt(1 - R^2) - 1: transmission of an incident wave of the mode at such a wall, minus 1.
const ExponentialSum& modal_transmission();

/// R and sqrt(1 - R^2) in closed form at s = j w.
std::complex<double> exact_modal_reflection(double w);
std::complex<double> exact_modal_transmission(double w);

}  // namespace tetrawave
