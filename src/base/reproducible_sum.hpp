// A sum of doubles independent of their order, hence of threads and ranks.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/error.hpp"

namespace tetrawave {

/// Fixed-point sum in two passes: first the largest magnitude m of all addends (a maximum is order independent),
/// then the sum relative to 2^e, the smallest power of two above m.
///
/// An addend is cut exactly into four signed digits of 23 bits, x = sum_i d_i 2^(e - 23 (i + 1)), and each digit is
/// added to an int64 of its own: exact for up to 2^40 addends. Each addend is truncated towards zero below 2^(e - 92).
/// Partial sums of one scale are combined by adding their words, in any order.
class ReproducibleSum {
 public:
  /// `largest_magnitude` bounds all addends, on all ranks and threads. If it or an addend is not finite, the value is
  /// NaN.
  explicit ReproducibleSum(double largest_magnitude) : finite_(std::isfinite(largest_magnitude)) {
    if (finite_ && largest_magnitude != 0) std::frexp(largest_magnitude, &exponent_);
    bound_ = finite_ ? std::abs(largest_magnitude) : 0;
    // 2^-e in two factors, as a single one may overflow. Underflow occurs only far below the truncation.
    scale_ = {std::ldexp(1., -(exponent_ / 2)), std::ldexp(1., -(exponent_ - exponent_ / 2))};
  }

  /// Throws InternalError if |x| is above the bound.
  void add(double x) {
    if (!finite_ || !std::isfinite(x)) {
      ++words_[digits];
      return;
    }
    ensure(std::abs(x) <= bound_, "an addend of a reproducible sum is above its bound");
    double rest = x * scale_[0] * scale_[1];
    for (std::size_t i = 0; i < digits; ++i) {
      rest *= base;
      const double digit = std::trunc(rest);
      words_[i] += static_cast<std::int64_t>(digit);
      rest -= digit;
    }
  }

  /// Adds a partial sum of the same scale.
  void merge(const ReproducibleSum& other) {
    ensure(exponent_ == other.exponent_, "partial sums have one scale");
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] += other.words_[i];
  }

  /// The complete state: to combine partial sums of one scale over ranks, add these words over the ranks.
  [[nodiscard]] std::span<std::int64_t> words() { return words_; }

  /// The sum, rounded to about one unit in the last place.
  [[nodiscard]] double value() const {
    if (words_[digits] != 0) return std::numeric_limits<double>::quiet_NaN();
    std::array<std::int64_t, digits> carried = carry(1);
    const bool negative = carried[0] < 0;
    if (negative) carried = carry(-1);
    double sum = 0;
    for (std::size_t i = digits; i-- > 0;) sum = sum / base + static_cast<double>(carried[i]);
    return std::ldexp(negative ? -sum : sum, exponent_ - digit_bits);
  }

 private:
  static constexpr std::size_t digits = 4;
  static constexpr int digit_bits = 23;
  static constexpr double base = 1 << digit_bits;

  /// The digits of sign * sum, all but the first in [0, 2^23).
  [[nodiscard]] std::array<std::int64_t, digits> carry(std::int64_t sign) const {
    std::array<std::int64_t, digits> result{};
    std::int64_t over = 0;
    for (std::size_t i = digits; i-- > 0;) {
      const std::int64_t word = sign * words_[i] + over;
      over = i > 0 ? word >> digit_bits : 0;
      result[i] = word - over * (std::int64_t{1} << digit_bits);
    }
    return result;
  }

  bool finite_;
  double bound_ = 0;
  int exponent_ = 0;
  std::array<double, 2> scale_{};
  std::array<std::int64_t, digits + 1> words_{};  ///< sums of the digits, and the number of addends that are not finite
};

}  // namespace tetrawave
