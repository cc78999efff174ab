#include "fem/sparse/diagonal_scaling.hpp"

#include <cmath>

namespace tetrawave::fem {

namespace {

Complex root_of(Complex d) { return std::sqrt(d); }
double root_of(double d) { return std::sqrt(std::abs(d)); }

/// d / root_of(d)^2
Complex unit_of(Complex) { return 1; }
double unit_of(double d) { return std::copysign(1., d); }

}  // namespace

template <class T>
DiagonalScaling<T>::DiagonalScaling(const CsrPattern& pattern, const std::vector<std::int64_t>& diagonal,
                                    ThreadTeam& team)
    : diagonal_(diagonal),
      vectors_(team, static_cast<std::size_t>(pattern.rows())),
      factor_(vectors_.size()),
      weights_(vectors_.size()) {}

template <class T>
void DiagonalScaling<T>::scale(const CsrMatrix<T>& matrix, CsrMatrix<T>& scaled) {
  const CsrPattern& pattern = *matrix.pattern;
  vectors_.for_each([&](std::size_t i) {
    const T d = matrix.values[static_cast<std::size_t>(diagonal_[i])];
    factor_[i] = d == T(0) ? 1. : 1. / root_of(d);
    weights_[i] = 1 / square(factor_[i]);
  });
  scaled.pattern = &pattern;
  scaled.values.resize(matrix.values.size());
  vectors_.for_each([&](std::size_t i) {
    for (auto k = static_cast<std::size_t>(pattern.first[i]); k < static_cast<std::size_t>(pattern.first[i + 1]); ++k)
      // The factors' product first: it is the same for a_ij and a_ji.
      scaled.values[k] =
          times(times(factor_[i], factor_[static_cast<std::size_t>(pattern.column[k])]), matrix.values[k]);
    T& d = scaled.values[static_cast<std::size_t>(diagonal_[i])];
    if (d != T(0)) d = unit_of(d);
  });
}

template <class T>
void DiagonalScaling<T>::scale_right_hand_side(const std::vector<T>& b, std::vector<T>& scaled) {
  vectors_.for_each([&](std::size_t i) { scaled[i] = times(factor_[i], b[i]); });
}

template <class T>
void DiagonalScaling<T>::scale_solution(std::vector<T>& x) {
  vectors_.for_each([&](std::size_t i) { x[i] /= factor_[i]; });
}

template <class T>
void DiagonalScaling<T>::restore_solution(std::vector<T>& x) {
  vectors_.for_each([&](std::size_t i) { x[i] = times(factor_[i], x[i]); });
}

template class DiagonalScaling<double>;
template class DiagonalScaling<Complex>;

}  // namespace tetrawave::fem
