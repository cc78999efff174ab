// Real and complex numbers of iterations on devices: std::complex's functions are not compiled for GPUs.
#pragma once

#include <cmath>
#include <type_traits>

#include "base/target.hpp"
#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem::device {

/// Laid out as std::complex<double>.
struct alignas(16) ComplexNumber {
  double re = 0;
  double im = 0;
};

template <class T>
using NumberOf = std::conditional_t<std::is_same_v<T, double>, double, ComplexNumber>;

/// Doubles of a number.
template <class N>
inline constexpr int parts = sizeof(N) / sizeof(double);

TW_FN double times(double a, double b) { return a * b; }
TW_FN double times_conjugate(double a, double b) { return a * b; }
TW_FN double plus(double a, double b) { return a + b; }
TW_FN double minus(double a, double b) { return a - b; }
TW_FN double square(double a) { return a * a; }
TW_FN double over(double a, double b) { return a / b; }
TW_FN double magnitude(double a) { return fabs(a); }
TW_FN bool is_zero(double a) { return a == 0; }
/// Of the scaling by a diagonal: the root, of |a| if a is real, and a / root^2.
TW_FN double root_of(double a) { return sqrt(fabs(a)); }
TW_FN double unit_of(double a) { return a < 0 ? -1 : 1; }
/// sum += a b
TW_FN void add_product(double& sum, double a, double b) { sum += a * b; }
TW_FN void put_parts(double a, double* out) { out[0] += a; }
TW_FN void join(const double* from, double& a) { a = from[0]; }

TW_FN ComplexNumber times(ComplexNumber a, ComplexNumber b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
TW_FN ComplexNumber times(double a, ComplexNumber b) { return {a * b.re, a * b.im}; }
/// conj(a) b
TW_FN ComplexNumber times_conjugate(ComplexNumber a, ComplexNumber b) {
  return {a.re * b.re + a.im * b.im, a.re * b.im - a.im * b.re};
}
TW_FN ComplexNumber plus(ComplexNumber a, ComplexNumber b) { return {a.re + b.re, a.im + b.im}; }
TW_FN ComplexNumber minus(ComplexNumber a, ComplexNumber b) { return {a.re - b.re, a.im - b.im}; }
TW_FN double square(ComplexNumber a) { return a.re * a.re + a.im * a.im; }
TW_FN double magnitude(ComplexNumber a) { return hypot(a.re, a.im); }
TW_FN bool is_zero(ComplexNumber a) { return a.re == 0 && a.im == 0; }
/// The principal one.
TW_FN ComplexNumber root_of(ComplexNumber a) {
  const double larger = sqrt(0.5 * (magnitude(a) + fabs(a.re))), smaller = 0.5 * a.im / larger;
  if (a.re >= 0) return {larger, smaller};
  return {fabs(smaller), copysign(larger, a.im)};
}
TW_FN ComplexNumber unit_of(ComplexNumber) { return {1, 0}; }
TW_FN ComplexNumber over(ComplexNumber a, ComplexNumber b) {
  const double size = magnitude(b);
  const ComplexNumber unit{b.re / size, b.im / size};  // without overflow of a square
  const ComplexNumber product = times_conjugate(unit, a);
  return {product.re / size, product.im / size};
}
TW_FN ComplexNumber over(ComplexNumber a, double b) { return {a.re / b, a.im / b}; }
TW_FN void add_product(ComplexNumber& sum, ComplexNumber a, ComplexNumber b) {
  sum.re += a.re * b.re - a.im * b.im;
  sum.im += a.re * b.im + a.im * b.re;
}
TW_FN void add_product(ComplexNumber& sum, double a, ComplexNumber b) {
  sum.re += a * b.re;
  sum.im += a * b.im;
}
TW_FN void put_parts(ComplexNumber a, double* out) {
  out[0] += a.re;
  out[1] += a.im;
}
TW_FN void join(const double* from, ComplexNumber& a) { a = {from[0], from[1]}; }

}  // namespace tetrawave::fem::device
