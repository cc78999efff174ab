#include "schemes/newmark/first_guess.hpp"

#include <algorithm>
#include <cmath>

namespace tetrawave::modes {

namespace {

constexpr auto count = static_cast<std::size_t>(fem::earlier_solutions);

}  // namespace

FirstGuess::FirstGuess(const FetdSystem& system, FetdOperators& operators, const comm::Communicator& ranks, int threads)
    : system_(system),
      operators_(operators),
      ranks_(ranks),
      team_(fem::useful_threads(system.space().unknowns, threads)),
      vectors_(team_, system.unknowns()),
      earlier_(count) {}

void FirstGuess::begin() {
  for (auto& x : earlier_) x.assign(vectors_.size(), 0.0);
  put();
  if (operators_.resident() != nullptr) return product_.reset();
  product_ = fem::make_row_product<double>(MatrixFormat::csr, fem::MatrixPart::whole, *system_.matrix().pattern, team_);
  product_->set_values(system_.matrix().values);
  work_.resize(vectors_.size());
}

FirstGuess::Numbers FirstGuess::products_with(const std::vector<double>& y) {
  return vectors_.sum<count>([&](std::size_t u, auto& sums) {
    for (std::size_t k = 0; k < count; ++k) sums[k] += earlier_[k][u] * y[u];
  });
}

FirstGuess::Numbers FirstGuess::multiply(int which) {
  if (fem::ResidentStep* step = operators_.resident()) return step->multiply_earlier(which);
  product_->multiply(earlier_[static_cast<std::size_t>(which)], work_);
  return products_with(work_);
}

void FirstGuess::find(const std::vector<double>& side, std::vector<double>& guess) {
  fem::ResidentStep* step = operators_.resident();
  for (int i = 0; i < (is_whole_ ? 1 : fem::earlier_solutions); ++i) {
    gram_[static_cast<std::size_t>(i)] = multiply(i);
    ranks_.sum_in_place(gram_[static_cast<std::size_t>(i)]);
  }
  is_whole_ = true;
  Numbers of_side = step != nullptr ? step->multiply_side() : products_with(side);
  ranks_.sum_in_place(of_side);
  const Numbers factors = find_factors(gram_, of_side);
  if (step != nullptr) return step->combine_earlier(factors);
  vectors_.for_each([&](std::size_t u) {
    guess[u] = 0;
    for (std::size_t k = 0; k < count; ++k) guess[u] += factors[k] * earlier_[k][u];
  });
}

void FirstGuess::keep(const std::vector<double>& solution) {
  for (std::size_t i = count - 1; i > 0; --i)
    for (std::size_t j = count - 1; j >= i; --j) gram_[i][j] = gram_[i - 1][j - 1];
  if (fem::ResidentStep* step = operators_.resident()) return step->keep_mid();
  std::rotate(earlier_.begin(), earlier_.end() - 1, earlier_.end());
  vectors_.for_each([&](std::size_t u) { earlier_.front()[u] = solution[u]; });
}

void FirstGuess::take() {
  if (fem::ResidentStep* step = operators_.resident()) step->take_earlier(earlier_);
}

void FirstGuess::put() {
  is_whole_ = false;
  if (fem::ResidentStep* step = operators_.resident()) step->put_earlier(earlier_);
}

std::int64_t FirstGuess::bytes() const {
  return static_cast<std::int64_t>(8 * (earlier_.size() * earlier_.front().size() + work_.size())) +
         (product_ ? product_->bytes() : 0);
}

/// By a Cholesky factorisation.
FirstGuess::Numbers find_factors(const std::array<FirstGuess::Numbers, count>& gram, const FirstGuess::Numbers& side) {
  constexpr double negligible = 1e-13;  // of a square
  std::array<FirstGuess::Numbers, count> l{};
  FirstGuess::Numbers z{}, c{};
  for (std::size_t i = 0; i < count; ++i) {
    double square = gram[i][i], rest = side[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (l[j][j] == 0) continue;
      double entry = gram[j][i];
      for (std::size_t k = 0; k < j; ++k) entry -= l[i][k] * l[j][k];
      l[i][j] = entry / l[j][j];
      square -= l[i][j] * l[i][j];
      rest -= l[i][j] * z[j];
    }
    if (!(square > negligible * gram[i][i])) continue;
    l[i][i] = std::sqrt(square);
    z[i] = rest / l[i][i];
  }
  for (std::size_t i = count; i-- > 0;) {
    if (l[i][i] == 0) continue;
    double rest = z[i];
    for (std::size_t j = i + 1; j < count; ++j) rest -= l[j][i] * c[j];
    c[i] = rest / l[i][i];
  }
  return c;
}

}  // namespace tetrawave::modes
