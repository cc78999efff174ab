#include "basis/polynomial.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace tetrawave::basis {

namespace {

Rational::Integer factorial(int n) {
  Rational::Integer product = 1;
  for (int k = 2; k <= n; ++k) product *= k;
  return product;
}

/// a! b! c! dimension!/(a + b + c + dimension)!
Rational mean_of_monomial(const Polynomial::Powers& p, int dimension) {
  return {factorial(p[0]) * factorial(p[1]) * factorial(p[2]) * factorial(dimension),
          factorial(p[0] + p[1] + p[2] + dimension)};
}

}  // namespace

void Polynomial::add(const Powers& powers, const Rational& coefficient) {
  Rational& term = terms_[powers];
  term += coefficient;
  if (term.is_zero()) terms_.erase(powers);
}

Polynomial Polynomial::monomial(const Powers& powers) {
  Polynomial result;
  result.add(powers, 1);
  return result;
}

Polynomial Polynomial::barycentric(int vertex) {
  const std::array<Polynomial, 3> xi{monomial({1, 0, 0}), monomial({0, 1, 0}), monomial({0, 0, 1})};
  if (vertex == 0) return Polynomial(1) - xi[0] - xi[1] - xi[2];
  return xi[static_cast<std::size_t>(vertex - 1)];
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial result = a;
  for (const auto& [powers, c] : b.terms_) result.add(powers, c);
  return result;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + Polynomial(-1) * b; }

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (const auto& [p, c] : a.terms_)
    for (const auto& [q, d] : b.terms_) result.add({p[0] + q[0], p[1] + q[1], p[2] + q[2]}, c * d);
  return result;
}

Polynomial Polynomial::derivative(int axis) const {
  Polynomial result;
  const auto k = static_cast<std::size_t>(axis);
  for (const auto& [powers, c] : terms_) {
    if (powers[k] == 0) continue;
    Powers lower = powers;
    --lower[k];
    result.add(lower, Rational(powers[k]) * c);
  }
  return result;
}

Rational Polynomial::mean() const {
  Rational sum;
  for (const auto& [p, c] : terms_) sum += c * mean_of_monomial(p, 3);
  return sum;
}

Rational Polynomial::face_mean(int face) const {
  Rational sum;
  for (const auto& [p, c] : terms_) {
    if (face > 0 && p[static_cast<std::size_t>(face - 1)] > 0) continue;  // xi_face = 0 there
    sum += c * mean_of_monomial(p, 2);
  }
  return sum;
}

double Polynomial::evaluate(const std::array<double, 3>& xi) const {
  double sum = 0;
  for (const auto& [p, c] : terms_)
    sum += c.value() * std::pow(xi[0], p[0]) * std::pow(xi[1], p[1]) * std::pow(xi[2], p[2]);
  return sum;
}

void RoundedPolynomials::add(const Polynomial& polynomial) {
  for (const auto& [powers, c] : polynomial.terms()) {
    const auto found = std::find(monomials_.begin(), monomials_.end(), powers);
    terms_.push_back({c.value(), static_cast<std::uint32_t>(found - monomials_.begin())});
    if (found == monomials_.end()) monomials_.push_back(powers);
    degree_ = std::max(degree_, *std::max_element(powers.begin(), powers.end()));
  }
  ends_.push_back(terms_.size());
}

void RoundedPolynomials::evaluate(const std::array<double, 3>& xi, double* values) const {
  constexpr std::size_t most_monomials = 35, most_powers = 5;  // degree 4
  ensure(monomials_.size() <= most_monomials && degree_ < static_cast<int>(most_powers),
         "functions are of degree 4 at most");
  std::array<std::array<double, most_powers>, 3> powers{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    powers[axis][0] = 1;
    for (std::size_t k = 1; k < most_powers; ++k) powers[axis][k] = xi[axis] * powers[axis][k - 1];
  }
  std::array<double, most_monomials> monomials{};
  for (std::size_t m = 0; m < monomials_.size(); ++m) {
    const auto& [a, b, c] = monomials_[m];
    monomials[m] = powers[0][static_cast<std::size_t>(a)] * powers[1][static_cast<std::size_t>(b)] *
                   powers[2][static_cast<std::size_t>(c)];
  }
  std::size_t t = 0;
  for (const std::size_t end : ends_) {
    double sum = 0;
    for (; t < end; ++t) sum += terms_[t].coefficient * monomials[terms_[t].monomial];
    *values++ = sum;
  }
}

}  // namespace tetrawave::basis
