// Exact rational numbers, for reference matrices that are exact and therefore exactly sparse.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace tetrawave::basis {

/// p/q in lowest terms, q > 0. A result that needs more than 128 bits is an InternalError.
class Rational {
 public:
  __extension__ using Integer = __int128;

  constexpr Rational(int value = 0) : p_(value) {}  // NOLINT: numbers are rationals
  Rational(Integer p, Integer q) : p_(q < 0 ? -p : p), q_(q < 0 ? -q : q) {
    ensure(q != 0, "division of a rational by zero");
    const Integer common = gcd(p_ < 0 ? -p_ : p_, q_);
    if (common == 1) return;
    p_ /= common;
    q_ /= common;
  }

  [[nodiscard]] double value() const {
    return static_cast<double>(static_cast<long double>(p_) / static_cast<long double>(q_));
  }
  [[nodiscard]] bool is_zero() const { return p_ == 0; }

  friend Rational operator+(const Rational& a, const Rational& b) {
    const Integer common = gcd(a.q_, b.q_);
    Integer sum = 0;
    ensure(!__builtin_add_overflow(times(a.p_, b.q_ / common), times(b.p_, a.q_ / common), &sum),
           "rationals fit into 128 bits");
    return {sum, times(a.q_, b.q_ / common)};
  }
  friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
  friend Rational operator*(const Rational& a, const Rational& b) { return {times(a.p_, b.p_), times(a.q_, b.q_)}; }
  friend Rational operator/(const Rational& a, const Rational& b) { return {times(a.p_, b.q_), times(a.q_, b.p_)}; }
  friend Rational operator-(const Rational& a) { return {-a.p_, a.q_}; }
  Rational& operator+=(const Rational& b) { return *this = *this + b; }
  Rational& operator-=(const Rational& b) { return *this = *this - b; }
  friend bool operator==(const Rational& a, const Rational& b) { return a.p_ == b.p_ && a.q_ == b.q_; }

 private:
  static Integer times(Integer a, Integer b) {
    Integer product = 0;
    ensure(!__builtin_mul_overflow(a, b, &product), "rationals fit into 128 bits");
    return product;
  }
  static Integer gcd(Integer a, Integer b) {
    constexpr Integer most = std::numeric_limits<std::int64_t>::max();
    while (b != 0) {
      if (a <= most && b <= most) return std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
      const Integer rest = a % b;
      a = b;
      b = rest;
    }
    return a == 0 ? 1 : a;
  }
  Integer p_ = 0;
  Integer q_ = 1;
};

}  // namespace tetrawave::basis
