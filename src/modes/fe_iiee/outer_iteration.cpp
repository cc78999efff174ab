#include "modes/fe_iiee/outer_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace tetrawave::modes {

namespace {

using Complex = std::complex<double>;
using Vector = OuterIteration::Vector;

/// Sums and updates of vectors, in pieces that do not depend on the number of threads and fit into caches.
class VectorSpace {
 public:
  VectorSpace(std::vector<double> weights, std::size_t run, int threads)
      : weights_(std::move(weights)), run_(run), threads_(threads) {}

  /// sum w conj(a_i) b_k as [i][k], i from `from` on
  [[nodiscard]] std::vector<std::vector<Complex>> products(const std::vector<Vector>& a, const std::vector<Vector>& b,
                                                           std::size_t from = 0) const {
    const std::size_t count = (a.size() - from) * b.size();
    std::vector<std::vector<Complex>> pieces(count_pieces(), std::vector<Complex>(count));
    for_each_task(pieces.size(), threads_, [&](std::size_t piece) {
      std::size_t at = 0;
      for (std::size_t i = from; i < a.size(); ++i)
        for (const Vector& other : b) pieces[piece][at++] = product_of_piece(a[i], other, piece);
    });
    std::vector<std::vector<Complex>> result(a.size() - from, std::vector<Complex>(b.size(), Complex(0)));
    for (const auto& sums : pieces)
      for (std::size_t at = 0; at < count; ++at) result[at / b.size()][at % b.size()] += sums[at];
    return result;
  }

  [[nodiscard]] Complex product(const Vector& a, const Vector& b) const {
    std::vector<Complex> pieces(count_pieces());
    for_each_task(pieces.size(), threads_, [&](std::size_t piece) { pieces[piece] = product_of_piece(a, b, piece); });
    Complex total = 0;
    for (const Complex& sum : pieces) total += sum;
    return total;
  }

  [[nodiscard]] double norm(const Vector& a) const { return std::sqrt(product(a, a).real()); }

  /// y_k += factor sum_i parts[i][k] x_i, i from `from` on
  void add(double factor, const std::vector<std::vector<Complex>>& parts, const std::vector<Vector>& x,
           std::vector<Vector>& y, std::size_t from = 0) const {
    for_each_task(count_pieces(), threads_, [&](std::size_t piece) {
      for (std::size_t i = from; i < x.size(); ++i)
        for (std::size_t k = 0; k < y.size(); ++k) {
          const Complex part = factor * parts[i - from][k];
          for (std::size_t n = begin_of(piece); n < begin_of(piece + 1); ++n) y[k][n] += part * x[i][n];
        }
    });
  }

  /// y += factor x
  void add(const Complex& factor, const Vector& x, Vector& y) const {
    for_each_index(y.size(), threads_, [&](std::size_t i) { y[i] += factor * x[i]; });
  }

  void scale(double factor, Vector& x) const {
    for_each_index(x.size(), threads_, [&](std::size_t i) { x[i] *= factor; });
  }

 private:
  static constexpr std::size_t length = 1024;  // weights of a piece
  [[nodiscard]] std::size_t count_pieces() const { return (weights_.size() + length - 1) / length; }
  [[nodiscard]] std::size_t begin_of(std::size_t piece) const {
    return std::min(piece * length, weights_.size()) * run_;
  }

  [[nodiscard]] Complex product_of_piece(const Vector& a, const Vector& b, std::size_t piece) const {
    Complex sum = 0;
    for (std::size_t k = piece * length; k < std::min((piece + 1) * length, weights_.size()); ++k) {
      Complex own = 0;
      for (std::size_t i = k * run_; i < (k + 1) * run_; ++i) own += std::conj(a[i]) * b[i];
      sum += weights_[k] * own;
    }
    return sum;
  }

  std::vector<double> weights_;
  std::size_t run_;
  int threads_;
};

double ratio(double change, double size) {
  if (change == 0) return 0;
  return size == 0 ? 1 : change / size;
}

class PlainUpdate : public OuterIteration {
 public:
  PlainUpdate(std::vector<Vector> b, VectorSpace space) : space_(std::move(space)), b_(std::move(b)), x_(b_) {
    for (const Vector& one : b_) changes_.push_back(space_.norm(one) == 0 ? 0 : 1);
  }

  const std::vector<Vector>& next(double tolerance) override {
    wanted_.clear();
    owners_.clear();
    for (std::size_t k = 0; k < x_.size(); ++k)
      if (!(changes_[k] <= tolerance)) {
        wanted_.push_back(x_[k]);
        owners_.push_back(k);
      }
    return wanted_;
  }

  void take(std::vector<Vector> images) override {
    for (std::size_t n = 0; n < owners_.size(); ++n) {
      const std::size_t k = owners_[n];
      Vector& now = images[n];
      space_.add(1, b_[k], now);
      space_.add(-1, now, x_[k]);
      changes_[k] = ratio(space_.norm(x_[k]), space_.norm(now));
      x_[k] = std::move(now);
    }
  }

  void correct(std::vector<Vector> images, bool /*keeps*/) override {
    owners_.resize(x_.size());
    std::iota(owners_.begin(), owners_.end(), 0);
    take(std::move(images));
  }

  [[nodiscard]] const std::vector<Vector>& values() const override { return x_; }

 private:
  VectorSpace space_;
  std::vector<Vector> b_, x_;
};

class BlockGmres : public OuterIteration {
 public:
  BlockGmres(std::vector<Vector> b, VectorSpace space) : space_(std::move(space)), b_(std::move(b)), residuals_(b_) {
    for (const Vector& one : b_) {
      x_.emplace_back(one.size(), Complex(0));
      changes_.push_back(space_.norm(one) == 0 ? 0 : 1);
    }
  }

  const std::vector<Vector>& next(double tolerance) override {
    wanted_.clear();
    owners_.clear();
    for (std::size_t k = 0; k < x_.size() && !is_stuck_; ++k) {
      const double size = space_.norm(residuals_[k]);
      if (changes_[k] <= tolerance || size == 0) continue;
      owners_.push_back(k);
      wanted_.push_back(residuals_[k]);
      space_.scale(1 / size, wanted_.back());
    }
    return wanted_;
  }

  void take(std::vector<Vector> images) override {
    std::vector<double> before;
    for (std::size_t n = 0; n < wanted_.size(); ++n) {  // images of I - T
      space_.scale(-1, images[n]);
      space_.add(1, wanted_[n], images[n]);
      before.push_back(space_.norm(images[n]));
    }
    for (int pass = 0; pass < 2; ++pass) {  // once leaves rounding errors
      const auto parts = space_.products(images_, images);
      space_.add(-1, parts, images_, images);
      space_.add(-1, parts, directions_, wanted_);
    }
    const std::size_t old = images_.size();
    for (std::size_t n = 0; n < wanted_.size(); ++n)
      if (make_orthonormal(old, before[n], images[n], wanted_[n])) {
        images_.push_back(std::move(images[n]));
        directions_.push_back(std::move(wanted_[n]));
      }
    is_stuck_ = images_.size() == old;
    has_begun_ = true;
    reduce(old);
  }

  void correct(std::vector<Vector> images, bool keeps) override {
    for (std::size_t k = 0; k < x_.size(); ++k) {
      space_.add(1, b_[k], images[k]);
      space_.add(-1, x_[k], images[k]);
      residuals_[k] = std::move(images[k]);
    }
    is_stuck_ = false;
    if (!keeps) {
      images_.clear();
      directions_.clear();
    }
    reduce(0);
  }

  [[nodiscard]] const std::vector<Vector>& values() const override { return has_begun_ ? x_ : b_; }

 private:
  /// To the images from `first` on. False where nothing new is left of what was `before` large.
  bool make_orthonormal(std::size_t first, double before, Vector& image, Vector& direction) const {
    constexpr double least = 1e-10;
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = first; i < images_.size(); ++i) {
        const Complex part = space_.product(images_[i], image);
        space_.add(-part, images_[i], image);
        space_.add(-part, directions_[i], direction);
      }
    const double after = space_.norm(image);
    if (!(after > least * before)) return false;
    space_.scale(1 / after, image);
    space_.scale(1 / after, direction);
    return true;
  }

  /// All residuals by the images from `first` on.
  void reduce(std::size_t first) {
    const auto parts = space_.products(images_, residuals_, first);
    space_.add(-1, parts, images_, residuals_, first);
    space_.add(1, parts, directions_, x_, first);
    for (std::size_t k = 0; k < x_.size(); ++k) changes_[k] = ratio(space_.norm(residuals_[k]), space_.norm(x_[k]));
  }

  VectorSpace space_;
  std::vector<Vector> b_, residuals_, x_, images_, directions_;
  bool has_begun_ = false;
  bool is_stuck_ = false;  ///< the last directions have brought nothing new
};

}  // namespace

std::unique_ptr<OuterIteration> make_outer_iteration(OuterMethod method, std::vector<Vector> b,
                                                     std::vector<double> weights, std::size_t run, int threads) {
  ensure(!b.empty(), "there is a right-hand side");
  for (const Vector& one : b) ensure(one.size() == weights.size() * run, "vectors have a run of numbers per weight");
  VectorSpace space(std::move(weights), run, threads);
  if (method == OuterMethod::plain) return std::make_unique<PlainUpdate>(std::move(b), std::move(space));
  return std::make_unique<BlockGmres>(std::move(b), std::move(space));
}

}  // namespace tetrawave::modes
