#include "modes/fe_iiee/outer_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace tetrawave::modes {

namespace {

using Complex = std::complex<double>;
using Vector = OuterIteration::Vector;

/// Sums and updates of vectors, in pieces that do not depend on the number of threads.
class VectorSpace {
 public:
  VectorSpace(std::vector<double> weights, std::size_t run, int threads)
      : weights_(std::move(weights)), run_(run), threads_(threads) {}

  /// sum w conj(a) b
  [[nodiscard]] Complex product(const Vector& a, const Vector& b) const {
    ensure(a.size() == weights_.size() * run_ && b.size() == a.size(), "vectors have a run of numbers per weight");
    std::vector<Complex> sums(pieces(weights_.size()));
    for_each_task(sums.size(), threads_, [&](std::size_t piece) {
      Complex sum = 0;
      for (std::size_t k = piece * length; k < std::min((piece + 1) * length, weights_.size()); ++k) {
        Complex own = 0;
        for (std::size_t i = k * run_; i < (k + 1) * run_; ++i) own += std::conj(a[i]) * b[i];
        sum += weights_[k] * own;
      }
      sums[piece] = sum;
    });
    Complex total = 0;
    for (const Complex& sum : sums) total += sum;
    return total;
  }

  [[nodiscard]] double norm(const Vector& a) const { return std::sqrt(product(a, a).real()); }

  /// y += factor x
  void add(const Complex& factor, const Vector& x, Vector& y) const {
    for_each_index(y.size(), threads_, [&](std::size_t i) { y[i] += factor * x[i]; });
  }

  void scale(double factor, Vector& x) const {
    for_each_index(x.size(), threads_, [&](std::size_t i) { x[i] *= factor; });
  }

 private:
  static constexpr std::size_t length = 4096;
  static std::size_t pieces(std::size_t count) { return (count + length - 1) / length; }

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

  [[nodiscard]] const std::vector<Vector>& values() const override { return x_; }

 private:
  VectorSpace space_;
  std::vector<Vector> b_, x_;
};

class BlockGmres : public OuterIteration {
 public:
  BlockGmres(std::vector<Vector> b, VectorSpace space)
      : space_(std::move(space)), residuals_(std::move(b)), x_(residuals_.size()) {
    for (std::size_t k = 0; k < x_.size(); ++k) {
      x_[k].assign(residuals_[k].size(), Complex(0));
      changes_.push_back(space_.norm(residuals_[k]) == 0 ? 0 : 1);
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
    is_stuck_ = true;
    for (std::size_t n = 0; n < wanted_.size(); ++n) {
      Vector& image = images[n];  // of I - T
      space_.scale(-1, image);
      space_.add(1, wanted_[n], image);
      if (make_orthonormal(image, wanted_[n])) {
        is_stuck_ = false;
        images_.push_back(std::move(image));
        directions_.push_back(std::move(wanted_[n]));
        reduce();
      }
    }
    for (std::size_t k = 0; k < x_.size(); ++k) changes_[k] = ratio(space_.norm(residuals_[k]), space_.norm(x_[k]));
  }

  [[nodiscard]] const std::vector<Vector>& values() const override { return images_.empty() ? residuals_ : x_; }

 private:
  /// To all images so far, twice, as once leaves rounding errors. False where nothing new is left.
  bool make_orthonormal(Vector& image, Vector& direction) const {
    constexpr double least = 1e-10;
    const double before = space_.norm(image);
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < images_.size(); ++i) {
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

  /// Residuals by the last image.
  void reduce() {
    for (std::size_t k = 0; k < x_.size(); ++k) {
      const Complex part = space_.product(images_.back(), residuals_[k]);
      space_.add(-part, images_.back(), residuals_[k]);
      space_.add(part, directions_.back(), x_[k]);
    }
  }

  VectorSpace space_;
  std::vector<Vector> residuals_, x_, images_, directions_;
  bool is_stuck_ = false;  ///< the last directions have brought nothing new
};

}  // namespace

std::unique_ptr<OuterIteration> make_outer_iteration(OuterMethod method, std::vector<Vector> b,
                                                     std::vector<double> weights, std::size_t run, int threads) {
  ensure(!b.empty(), "there is a right-hand side");
  VectorSpace space(std::move(weights), run, threads);
  if (method == OuterMethod::plain) return std::make_unique<PlainUpdate>(std::move(b), std::move(space));
  return std::make_unique<BlockGmres>(std::move(b), std::move(space));
}

}  // namespace tetrawave::modes
