#include "schemes/leap_frog/stable_step.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/hash.hpp"

namespace tetrawave::march {

namespace {

/// Number of eigenvalues of the tridiagonal matrix below x.
std::size_t count_below(const std::vector<double>& alpha, const std::vector<double>& beta, double x) {
  std::size_t below = 0;
  double pivot = 1;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    const double coupling = i == 0 ? 0 : beta[i - 1] * beta[i - 1];
    pivot = alpha[i] - x - coupling / pivot;
    if (pivot == 0) pivot = 1e-300;
    if (pivot < 0) ++below;
  }
  return below;
}

}  // namespace

double largest_eigenvalue(const std::vector<double>& alpha, const std::vector<double>& beta) {
  double upper = 0;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    const double left = i > 0 ? std::abs(beta[i - 1]) : 0;
    const double right = i + 1 < alpha.size() ? std::abs(beta[i]) : 0;
    upper = std::max(upper, std::abs(alpha[i]) + left + right);
  }
  double lower = -upper;
  for (int k = 0; k < 100; ++k) {
    const double middle = (lower + upper) / 2;
    (count_below(alpha, beta, middle) < alpha.size() ? lower : upper) = middle;
  }
  return upper;
}

double start_value(GlobalIndex element, int dof) {
  const auto counter =
      static_cast<std::uint64_t>(element - 1) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(dof) + 1;
  return 2 * to_unit_interval(mix_bits(counter)) - 1;
}

}  // namespace tetrawave::march
