#include "results/rational/rational_interpolation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace tetrawave::results {

namespace {

using Complex = std::complex<double>;
using Table = Eigen::MatrixXcd;

/// Combinations of all entries that supports and weights are found from, as entries share their poles.
constexpr Eigen::Index mixtures = 8;

/// Fixed combinations of entries, about as large as the largest of them.
Table mixed(const std::vector<std::vector<Complex>>& samples) {
  const auto entries = static_cast<Eigen::Index>(samples.front().size());
  Table values(static_cast<Eigen::Index>(samples.size()), entries);
  for (Eigen::Index k = 0; k < values.rows(); ++k)
    values.row(k) = Eigen::Map<const Eigen::RowVectorXcd>(samples[static_cast<std::size_t>(k)].data(), entries);
  if (entries <= mixtures) return values;
  Table mix(entries, mixtures);
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (Eigen::Index c = 0; c < mixtures; ++c)
    for (Eigen::Index e = 0; e < entries; ++e) {
      const auto n = static_cast<double>(e);
      mix(e, c) = std::polar(1 / std::sqrt(static_cast<double>(entries)),
                             2 * 3.14159265358979 * golden * n * (n + 1 + 2 * static_cast<double>(c)));
    }
  return values * mix;
}

/// The vector of unit length that a matrix shortens most, by inverse iteration with its triangular factor.
Eigen::VectorXcd least_vector(const Table& matrix) {
  const Eigen::Index n = matrix.cols();
  const Eigen::HouseholderQR<Table> qr(matrix);
  Table upper = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  const double tiny = 1e-300 + 1e-18 * upper.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < n; ++k)
    if (std::abs(upper(k, k)) < tiny) upper(k, k) = tiny;
  Eigen::VectorXcd x = Eigen::VectorXcd::Ones(n).normalized();
  for (int step = 0; step < 4; ++step) {
    upper.adjoint().triangularView<Eigen::Lower>().solveInPlace(x);
    x.normalize();
    upper.triangularView<Eigen::Upper>().solveInPlace(x);
    x.normalize();
  }
  return x;
}

/// Samples of largest error that are larger than their neighbours', at most `count`.
std::vector<Eigen::Index> peaks(const Eigen::VectorXd& errors, std::size_t count) {
  std::vector<Eigen::Index> found;
  for (Eigen::Index k = 0; k < errors.size(); ++k)
    if (errors[k] > 0 && (k == 0 || errors[k] >= errors[k - 1]) &&
        (k + 1 == errors.size() || errors[k] > errors[k + 1]))
      found.push_back(k);
  std::sort(found.begin(), found.end(), [&](Eigen::Index a, Eigen::Index b) { return errors[a] > errors[b]; });
  found.resize(std::min(found.size(), count));
  return found;
}

}  // namespace

RationalInterpolation::RationalInterpolation(std::vector<double> x,
                                             const std::vector<std::vector<std::complex<double>>>& values,
                                             double tolerance) {
  const auto count = static_cast<Eigen::Index>(x.size());
  const Table mix = mixed(values);
  std::vector<Eigen::Index> chosen;
  std::vector<bool> is_support(x.size(), false);
  Eigen::VectorXd errors = (mix.rowwise() - mix.colwise().mean()).cwiseAbs().rowwise().maxCoeff();
  while (chosen.empty() || (errors.maxCoeff() > tolerance && 2 * chosen.size() < x.size())) {
    const std::size_t room = std::max<std::size_t>(1, x.size() / 2 - chosen.size());
    auto next = peaks(errors, std::min(room, 1 + chosen.size() / 3));
    if (next.empty()) next.push_back(0);  // all values are alike
    for (const Eigen::Index k : next) {
      chosen.push_back(k);
      is_support[static_cast<std::size_t>(k)] = true;
    }
    const auto supports = static_cast<Eigen::Index>(chosen.size());
    const Eigen::Index others = count - supports;
    Table quotients(others, supports), loewner(others * mix.cols(), supports);
    std::vector<Eigen::Index> other;
    for (Eigen::Index k = 0; k < count; ++k)
      if (!is_support[static_cast<std::size_t>(k)]) other.push_back(k);
    for (Eigen::Index j = 0; j < supports; ++j)
      for (Eigen::Index o = 0; o < others; ++o) {
        const Eigen::Index k = other[static_cast<std::size_t>(o)], at = chosen[static_cast<std::size_t>(j)];
        quotients(o, j) = 1 / (x[static_cast<std::size_t>(k)] - x[static_cast<std::size_t>(at)]);
        loewner.col(j).segment(o * mix.cols(), mix.cols()) = (quotients(o, j) * (mix.row(k) - mix.row(at))).transpose();
      }
    const Eigen::VectorXcd weights = least_vector(loewner);
    Table of_supports(supports, mix.cols());
    for (Eigen::Index j = 0; j < supports; ++j) of_supports.row(j) = mix.row(chosen[static_cast<std::size_t>(j)]);
    const Eigen::VectorXcd below = quotients * weights;
    const Table above = quotients * (weights.asDiagonal() * of_supports);
    errors.setZero();
    for (Eigen::Index o = 0; o < others; ++o) {
      const Eigen::Index k = other[static_cast<std::size_t>(o)];
      errors[k] = (above.row(o) / below[o] - mix.row(k)).cwiseAbs().maxCoeff();
    }
    weights_.assign(weights.begin(), weights.end());
  }
  for (const Eigen::Index k : chosen) {
    x_.push_back(x[static_cast<std::size_t>(k)]);
    values_.push_back(values[static_cast<std::size_t>(k)]);
  }
}

std::vector<std::complex<double>> RationalInterpolation::at(double x) const {
  std::vector<Complex> sum(values_.front().size(), Complex(0));
  Complex below = 0;
  for (std::size_t j = 0; j < x_.size(); ++j) {
    if (x == x_[j]) return values_[j];
    const Complex share = weights_[j] / (x - x_[j]);
    below += share;
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += share * values_[j][e];
  }
  const Complex scale = 1.0 / below;
  for (Complex& value : sum) value *= scale;
  return sum;
}

}  // namespace tetrawave::results
