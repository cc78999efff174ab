// Matrices of edge elements by quadrature, in media with complex or real axes, and random elements to compare on.
#pragma once

#include <array>
#include <cmath>
#include <random>

#include "base/names.hpp"
#include "basis/physical_element.hpp"
#include "basis/quadrature_element.hpp"
#include "fem/edge/edge_element.hpp"
#include "unit/fem/edge/helmholtz.hpp"

namespace tetrawave_tests {

using tetrawave::operator-;
using tetrawave::Vec3;
using tetrawave::basis::DenseMatrix;
using tetrawave::basis::QuadratureElement;
using tetrawave::fem::EdgeCoefficients;
using tetrawave::fem::EdgeElement;
template <class T>
using TripleOf = std::array<T, 3>;
using Triple = TripleOf<Complex>;

/// W^T W
inline DenseMatrix gram(const DenseMatrix& w) {
  DenseMatrix a(w.columns(), w.columns());
  for (std::size_t r = 0; r < w.rows(); ++r)
    for (std::size_t i = 0; i < w.columns(); ++i)
      for (std::size_t j = 0; j < w.columns(); ++j) a(i, j) += w(r, i) * w(r, j);
  return a;
}

/// The matrix of weights of any sign, complex or real, from those of positive ones:
/// v = (max(v, 0) + 1) - (max(-v, 0) + 1).
template <class T, class MatrixOf>
DenseOf<T> weighted(const TripleOf<T>& weights, const MatrixOf& matrix_of) {
  DenseOf<T> result;
  std::vector<T> units{1};
  if constexpr (std::is_same_v<T, Complex>) units.emplace_back(0, 1);
  for (const T& unit : units)
    for (const double sign : {1., -1.}) {
      Vec3 part{};
      for (std::size_t x = 0; x < 3; ++x)
        part[x] = 1 + std::max(0., sign * (unit == T(1) ? std::real(weights[x]) : std::imag(weights[x])));
      const DenseMatrix matrix = matrix_of(part);
      result.resize(matrix.rows(), std::vector<T>(matrix.columns()));
      for (std::size_t i = 0; i < matrix.rows(); ++i)
        for (std::size_t j = 0; j < matrix.columns(); ++j) result[i][j] += sign * unit * matrix(i, j);
    }
  return result;
}

template <class T>
DenseOf<T> stiffness_by_quadrature(const QuadratureElement& element, const TripleOf<T>& stiffness) {
  return weighted(stiffness, [&](const Vec3& s) {
    return gram(element.curl_root(tetrawave::basis::Weights(Vec3{1 / s[0], 1 / s[1], 1 / s[2]})));
  });
}

template <class T>
DenseOf<T> mass_by_quadrature(const QuadratureElement& element, const TripleOf<T>& mass) {
  return weighted(mass, [&](const Vec3& m) { return gram(element.mass_root(tetrawave::basis::Weights(m))); });
}

template <class T>
void add(DenseOf<T>& to, const DenseOf<T>& other) {
  for (std::size_t i = 0; i < to.size(); ++i)
    for (std::size_t j = 0; j < to[i].size(); ++j) to[i][j] += other[i][j];
}

template <class T>
double largest(const DenseOf<T>& a) {
  double result = 0;
  for (const auto& row : a)
    for (const T& v : row) result = std::max(result, std::abs(v));
  return result;
}

template <class T>
double distance(const DenseOf<T>& a, const DenseOf<T>& b) {
  DenseOf<T> difference = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[i].size(); ++j) difference[i][j] -= b[i][j];
  return largest(difference) / largest(b);
}

template <class T>
DenseOf<T> rows_of(tetrawave::Space space, const std::array<Vec3, 4>& corners,
                   const EdgeCoefficients<T>& coefficients) {
  EdgeElement<T> element(space);
  element.set(corners, coefficients);
  DenseOf<T> result(element.size(), std::vector<T>(element.size(), make_number<T>(7, 7)));  // rows are overwritten
  for (std::size_t i = 0; i < element.size(); ++i) element.row(i, result[i].data());
  return result;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  std::size_t index(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(engine_); }
  template <class T = Complex>
  T any() {
    const double real = number();
    return make_number<T>(real, std::is_same_v<T, double> ? 0 : number());
  }
  template <class T = Complex>
  TripleOf<T> triple() {
    return {any<T>(), any<T>(), any<T>()};
  }
  /// Of a tenth of the volume of a regular one at least, and of either sign of det J.
  std::array<Vec3, 4> corners() {
    for (;;) {
      std::array<Vec3, 4> result{};
      double longest = 0;
      for (Vec3& corner : result) corner = {number(), number(), number()};
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, tetrawave::norm(result[i] - result[j]));
      const double volume = tetrawave::basis::PhysicalElement(tetrawave::Space::mixed_1, result).volume();
      if (volume > 0.012 * longest * longest * longest) return result;
    }
  }

 private:
  std::mt19937 engine_;
};

}  // namespace tetrawave_tests
