// Fields that a point of an equivalent current radiates to another point (Garcia-Donoro et al., FE-IIEE, eqs. 10, 11).
#pragma once

#include <array>
#include <cmath>
#include <complex>

#include "base/types.hpp"

namespace tetrawave::kernels {

/// E and curl E at a point.
template <class Real>
struct RadiatedFields {
  std::array<std::complex<Real>, 3> electric{};
  std::array<std::complex<Real>, 3> curl{};
};

/// What all pairs share: k of the medium [1/m] and k0 mu_r [1/m], exp(+j omega t).
template <class Real>
struct GreenMedium {
  Real k = 0;
  Real k0_mu = 0;
};

/// Without the library's test for infinities, which costs more than the product.
template <class Real>
std::complex<Real> product(const std::complex<Real>& a, const std::complex<Real>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Adds the fields at r of J = n x eta0 H and M = -n x E, times their area, at r', with R = |r - r'|, u = (r - r')/R,
/// G = exp(-jkR)/(4 pi R):
///   E      = M x grad G - j k0 mu_r [J G + (grad grad G . J)/k^2]
///   curl E = j k0 mu_r J x grad G - [k^2 M G + grad grad G . M],
///   grad G = -(jk + 1/R) G u,  (grad grad G) . V = G [(-k^2 + 3jk/R + 3/R^2)(u . V) u - (jk/R + 1/R^2) V].
template <class Real>
void add_radiation(const GreenMedium<Real>& medium, const Vec3& to, const Vec3& from,
                   const std::array<std::complex<Real>, 3>& j_current,
                   const std::array<std::complex<Real>, 3>& m_current, RadiatedFields<Real>& sum) {
  using Complex = std::complex<Real>;
  const Vec3 away = to - from;
  const Real distance = std::sqrt(dot(away, away));
  const Real inverse = 1 / distance;
  const Vec3 u = inverse * away;
  const Real phase = -medium.k * distance;
  const Real scale = inverse / Real(4 * 3.14159265358979323846);
  const Complex green(scale * std::cos(phase), scale * std::sin(phase));
  const Complex slope = product(green, Complex(-inverse, -medium.k));                   // grad G = slope u
  const Complex bend = product(green, Complex(inverse * inverse, medium.k * inverse));  // grad grad G . V =
  const Complex stretch = Real(3) * bend - (medium.k * medium.k) * green;               // stretch (u . V) u - bend V
  const Complex self = (medium.k * medium.k) * green - bend;
  const Complex j_along = product(stretch, u[0] * j_current[0] + u[1] * j_current[1] + u[2] * j_current[2]);
  const Complex m_along = product(stretch, u[0] * m_current[0] + u[1] * m_current[1] + u[2] * m_current[2]);
  const Real of_j = medium.k0_mu / (medium.k * medium.k);
  for (std::size_t x = 0; x < 3; ++x) {
    const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
    const Complex m_cross = product(slope, u[z] * m_current[y] - u[y] * m_current[z]);
    const Complex j_cross = product(slope, u[z] * j_current[y] - u[y] * j_current[z]);
    const Complex j_self = product(self, j_current[x]) + u[x] * j_along;
    const Complex m_self = product(self, m_current[x]) + u[x] * m_along;
    sum.electric[x] += Complex(m_cross.real() + of_j * j_self.imag(), m_cross.imag() - of_j * j_self.real());
    sum.curl[x] +=
        Complex(-medium.k0_mu * j_cross.imag() - m_self.real(), medium.k0_mu * j_cross.real() - m_self.imag());
  }
}

}  // namespace tetrawave::kernels
