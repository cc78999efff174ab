#include "fem/solvers/bicgstab.hpp"

#include <algorithm>
#include <cmath>

namespace tetrawave::fem {

namespace {

constexpr int most_restarts = 1000;  // that bring nothing
// Cosine below which an inner product has lost all digits. Restarting costs 10 to 25 % more iterations in cases that
// would continue well despite rounding, and saves those that would grow without limit, at low frequencies.
constexpr double orthogonal = 1e-14;
constexpr double diverged = 1e12;  // times what it began with

template <class T>
bool is_negligible(T product, double square_a, double square_b) {
  return !(std::abs(product) > orthogonal * std::sqrt(square_a) * std::sqrt(square_b));
}

}  // namespace

void ResidualHistory::add(double residual) {
  if (count_++ % stride_ != 0) return;
  if (values_.size() == most) {
    for (std::size_t k = 1; 2 * k < most; ++k) values_[k] = values_[2 * k];
    values_.resize(most / 2);
    stride_ *= 2;
  }
  values_.push_back(residual);
}

template <class T>
BiCgStab<T>::BiCgStab(RowProduct<T>& matrix, ApproximateInverse<T>& inverse, const std::vector<double>& weights,
                      ThreadTeam& team, std::size_t rows, RankSums* ranks)
    : matrix_(matrix), inverse_(inverse), weights_(weights), vectors_(team, rows, ranks) {
  for (std::vector<T>* v : {&r_, &shadow_, &p_, &v_, &t_, &p_hat_, &r_hat_}) v->resize(rows);
}

template <class T>
double BiCgStab<T>::norm(const std::vector<T>& v) {
  return std::sqrt(vectors_.sum<1>([&](std::size_t i, auto& sum) { sum[0] += weight(i) * square(v[i]); })[0]);
}

/// r = b - A x; the shadow and the first direction are r.
template <class T>
void BiCgStab<T>::start(const std::vector<T>& b, const std::vector<T>& x) {
  matrix_.subtract(1, b, 1, x, r_);
  const auto sums = vectors_.sum<2>([&](std::size_t i, auto& sum) {
    shadow_[i] = p_[i] = r_[i];
    sum[0] += weight(i) * square(r_[i]);
    sum[1] += square(r_[i]);
  });
  norm_ = std::sqrt(sums[0]);
  plain_square_ = shadow_square_ = sums[1];
  rho_ = plain_square_;
}

/// alpha = (shadow, r) / (shadow, A M^-1 p); r -= alpha A M^-1 p. False at a breakdown.
template <class T>
bool BiCgStab<T>::advance_direction() {
  inverse_.apply(p_, p_hat_);
  matrix_.multiply(p_hat_, v_);
  const auto dots = vectors_.sum<parts_of<T> + 1>([&](std::size_t i, auto& sum) {
    add_parts(times_conjugate(shadow_[i], v_[i]), sum.data());
    sum[parts_of<T>] += square(v_[i]);
  });
  const T sigma = join_parts<T>(dots.data());
  if (is_negligible(sigma, shadow_square_, dots[parts_of<T>])) return false;
  alpha_ = rho_ / sigma;
  const auto sums = vectors_.sum<2>([&](std::size_t i, auto& sum) {
    r_[i] -= times(alpha_, v_[i]);
    sum[0] += weight(i) * square(r_[i]);
    sum[1] += square(r_[i]);
  });
  norm_ = std::sqrt(sums[0]);
  plain_square_ = sums[1];
  return true;
}

/// omega minimises ||r - omega A M^-1 r||; updates x, r and the next direction p. False at a breakdown, with the
/// previous x.
template <class T>
bool BiCgStab<T>::advance_minimum(std::vector<T>& x) {
  inverse_.apply(r_, r_hat_);
  matrix_.multiply(r_hat_, t_);
  const auto dots = vectors_.sum<parts_of<T> + 1>([&](std::size_t i, auto& sum) {
    add_parts(times_conjugate(t_[i], r_[i]), sum.data());
    sum[parts_of<T>] += square(t_[i]);
  });
  const T projection = join_parts<T>(dots.data());
  if (is_negligible(projection, plain_square_, dots[parts_of<T>])) return false;
  const T omega = projection / dots[parts_of<T>];
  const auto sums = vectors_.sum<2 + parts_of<T>>([&](std::size_t i, auto& sum) {
    x[i] += times(alpha_, p_hat_[i]) + times(omega, r_hat_[i]);
    r_[i] -= times(omega, t_[i]);
    sum[0] += weight(i) * square(r_[i]);
    sum[1] += square(r_[i]);
    add_parts(times_conjugate(shadow_[i], r_[i]), sum.data() + 2);
  });
  norm_ = std::sqrt(sums[0]);
  plain_square_ = sums[1];
  const T rho = join_parts<T>(sums.data() + 2);
  const T beta = rho / rho_ * (alpha_ / omega);
  rho_ = rho;
  vectors_.for_each([&](std::size_t i) { p_[i] = r_[i] + times(beta, p_[i] - times(omega, v_[i])); });
  return true;
}

template <class T>
BiCgStab<T>::Step BiCgStab<T>::iterate(double target, std::vector<T>& x) {
  if (is_negligible(rho_, shadow_square_, plain_square_) || !advance_direction()) return Step::broken;
  const auto step_half = [&] { vectors_.for_each([&](std::size_t i) { x[i] += times(alpha_, p_hat_[i]); }); };
  if (norm_ <= target) {
    step_half();
    return Step::small;
  }
  if (!advance_minimum(x)) {
    step_half();
    return Step::broken;
  }
  return norm_ <= target ? Step::small : Step::on;
}

template <class T>
IterationOutcome BiCgStab<T>::solve(const IterationLimits& limits, const std::vector<T>& b, std::vector<T>& x,
                                    ResidualHistory& history) {
  const double norm_b = norm(b), target = limits.tolerance * norm_b;
  IterationOutcome outcome;
  if (norm_b == 0) {
    vectors_.for_each([&](std::size_t i) { x[i] = 0; });
    return outcome;
  }
  start(b, x);
  if (history.values().empty()) history.add(norm_ / norm_b);
  const double too_large = diverged * std::max(norm_b, norm_);
  bool is_of_x = true;            // norm_ is that of b - A x
  double at_restart = too_large;  // norm_ at the last breakdown
  int restarts = 0;
  while (!(is_of_x && norm_ <= target)) {
    const bool is_lost = !(norm_ < too_large) || restarts > most_restarts;
    if (is_lost || outcome.iterations == limits.most) {
      outcome.end = is_lost ? IterationEnd::breakdown : IterationEnd::limit;
      break;
    }
    ++outcome.iterations;
    const Step step = iterate(target, x);
    is_of_x = step != Step::on;
    if (is_of_x) start(b, x);
    if (step == Step::broken) {
      restarts = norm_ < 0.5 * at_restart ? 1 : restarts + 1;
      at_restart = norm_;
    }
    history.add(norm_ / norm_b);
  }
  if (!is_of_x) start(b, x);
  outcome.residual = norm_ / norm_b;
  return outcome;
}

template class BiCgStab<double>;
template class BiCgStab<Complex>;

}  // namespace tetrawave::fem
