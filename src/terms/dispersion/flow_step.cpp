#include "terms/dispersion/flow_step.hpp"

#include <algorithm>
#include <cmath>

#include "basis/dense_matrix.hpp"

namespace tetrawave::schemes {

namespace {

using basis::DenseMatrix;

DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b) {
  DenseMatrix c(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < a.columns(); ++k)
      for (std::size_t j = 0; j < b.columns(); ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// Taylor's series of A/2^s, whose rows have sums below 1/2, squared s times.
DenseMatrix exponential(DenseMatrix a) {
  double largest = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < a.columns(); ++j) sum += std::abs(a(i, j));
    largest = std::max(largest, sum);
  }
  const int squarings = largest > 0.5 ? std::ilogb(largest) + 2 : 0;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) a(i, j) = std::ldexp(a(i, j), -squarings);
  constexpr int terms = 16;  // 0.5^17/17! is below rounding
  DenseMatrix sum(a.rows(), a.rows());
  for (int k = terms; k >= 0; --k) {  // sum <- 1 + A sum/(k + 1)
    DenseMatrix next = product(a, sum);
    for (std::size_t i = 0; i < a.rows(); ++i)
      for (std::size_t j = 0; j < a.rows(); ++j) sum(i, j) = (i == j ? 1.0 : 0.0) + next(i, j) / (k + 1);
  }
  for (int k = 0; k < squarings; ++k) sum = product(sum, sum);
  return sum;
}

/// The rates of (u, x, f dt/c) times dt.
DenseMatrix rates_of(const Law& law, double dt_m) {
  const std::size_t states = 2 * law.terms.size();
  DenseMatrix a(states + 2, states + 2);
  a(0, 0) = -dt_m * law.loss / law.constant;
  a(0, states + 1) = 1;
  for (std::size_t t = 0; t < law.terms.size(); ++t) {
    const PoleTerm& term = law.terms[t];
    const std::size_t x = 1 + 2 * t;
    if (term.states == 1) {
      a(x, x) = -dt_m * term.a0;
      a(x, 0) = dt_m * term.b0;
    } else {
      a(x, x) = -dt_m * term.a1;
      a(x, x + 1) = dt_m;
      a(x, 0) = dt_m * term.b1;
      a(x + 1, x) = -dt_m * term.a0;
      a(x + 1, 0) = dt_m * term.b0;
    }
    for (std::size_t j = 0; j <= states; ++j) a(0, j) -= a(x, j) / law.constant;
  }
  return a;
}

}  // namespace

FlowStep flow_step(const Law& law, double dt_m) {
  FlowStep flow;
  if (law.terms.empty()) {
    const double z = dt_m * law.loss / law.constant;
    if (z != 0) flow = {std::exp(-z), -std::expm1(-z) / z};
    return flow;
  }
  const std::size_t states = 2 * law.terms.size();
  const DenseMatrix e = exponential(rates_of(law, dt_m));
  flow.keep = e(0, 0);
  flow.force = e(0, states + 1);
  for (std::size_t i = 1; i <= states; ++i) {
    flow.fed.push_back(e(0, i));
    flow.share.push_back(e(i, states + 1) / flow.force);
    flow.own.push_back(e(i, 0) - flow.share.back() * flow.keep);
  }
  for (std::size_t i = 1; i <= states; ++i)
    for (std::size_t j = 1; j <= states; ++j) flow.mix.push_back(e(i, j) - flow.share[i - 1] * e(0, j));
  return flow;
}

std::vector<double> stored_flow(const FlowStep& flow) {
  const std::size_t states = flow.fed.size();
  std::vector<double> numbers;
  const auto add_row = [&](double of_u, const double* of_states) {
    for (std::size_t j = 0; j < states; ++j) of_u += of_states[j] * flow.share[j];
    numbers.push_back(of_u);
    numbers.insert(numbers.end(), of_states, of_states + states);
  };
  add_row(flow.keep, flow.fed.data());
  for (std::size_t i = 0; i < states; ++i) add_row(flow.own[i], flow.mix.data() + i * states);
  return numbers;
}

}  // namespace tetrawave::schemes
