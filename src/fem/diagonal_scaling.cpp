#include "fem/diagonal_scaling.hpp"

#include <cmath>

namespace tetrawave::fem {

DiagonalScaling::DiagonalScaling(const CsrPattern& pattern, const std::vector<std::int64_t>& diagonal, ThreadTeam& team)
    : diagonal_(diagonal),
      vectors_(team, static_cast<std::size_t>(pattern.rows())),
      factor_(vectors_.size()),
      weights_(vectors_.size()) {}

void DiagonalScaling::scale(const CsrMatrix& matrix, CsrMatrix& scaled) {
  const CsrPattern& pattern = *matrix.pattern;
  vectors_.for_each([&](std::size_t i) {
    const Complex d = matrix.values[static_cast<std::size_t>(diagonal_[i])];
    factor_[i] = d == Complex(0) ? 1. : 1. / std::sqrt(d);
    weights_[i] = 1 / square(factor_[i]);
  });
  scaled.pattern = &pattern;
  scaled.values.resize(matrix.values.size());
  vectors_.for_each([&](std::size_t i) {
    for (auto k = static_cast<std::size_t>(pattern.first[i]); k < static_cast<std::size_t>(pattern.first[i + 1]); ++k)
      // The factors' product first: it is the same for a_ij and a_ji.
      scaled.values[k] =
          times(times(factor_[i], factor_[static_cast<std::size_t>(pattern.column[k])]), matrix.values[k]);
    Complex& d = scaled.values[static_cast<std::size_t>(diagonal_[i])];
    if (d != Complex(0)) d = 1;
  });
}

void DiagonalScaling::scale_right_hand_side(const Vector& b, Vector& scaled) {
  vectors_.for_each([&](std::size_t i) { scaled[i] = times(factor_[i], b[i]); });
}

void DiagonalScaling::scale_solution(Vector& x) {
  vectors_.for_each([&](std::size_t i) { x[i] /= factor_[i]; });
}

void DiagonalScaling::restore_solution(Vector& x) {
  vectors_.for_each([&](std::size_t i) { x[i] = times(factor_[i], x[i]); });
}

}  // namespace tetrawave::fem
