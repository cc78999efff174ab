#include "modes/fe_iiee/outer_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "modes/fe_iiee/boundary_vectors.hpp"

namespace tetrawave::modes {

namespace {

double ratio(double change, double size) {
  if (change == 0) return 0;
  return size == 0 ? 1 : change / size;
}

template <class Vector>
std::vector<const Vector*> list(const std::vector<Vector>& vectors) {
  std::vector<const Vector*> all;
  for (const Vector& vector : vectors) all.push_back(&vector);
  return all;
}
template <class Vector>
std::vector<const Vector*> list(const std::vector<Vector>& vectors, const std::vector<std::size_t>& which) {
  std::vector<const Vector*> some;
  for (const std::size_t k : which) some.push_back(&vectors[k]);
  return some;
}

/// Vectors [k] sum_i parts[i][k] x_i that are orthonormal to each other and to the x of before.
struct Orthonormal {
  BoundaryVectors::Table parts;
  bool is_exact = true;  ///< none has lost so much of its size that rounding errors are left of it

  [[nodiscard]] bool is_empty() const { return parts.front().empty(); }
};

/// By Gram and Schmidt from inner products [i][n] of vectors with the last of them, of which `old` are orthonormal: in
/// place of vectors their combinations are made orthogonal, so that all of them are read once. Where one has lost most
/// of its size, a second time follows (J. W. Daniel, W. B. Gragg, L. Kaufman, G. W. Stewart, Math. Comp. 30 (1976)
/// 772). What brings less that is new than a thousandth of its size is left out, as its errors would grow by so much;
/// its residual is a direction of the next iteration, then for what is new in it alone.
Orthonormal make_orthonormal(const BoundaryVectors::Table& products, std::size_t old) {
  constexpr double least_that_is_new = 1e-3, most_lost = 0.5;
  const std::size_t all = products.size();
  Orthonormal result{BoundaryVectors::Table(all)};
  std::vector<std::vector<std::complex<double>>> kept;
  for (std::size_t n = 0; old + n < all; ++n) {
    std::vector<std::complex<double>> own(all);
    own[old + n] = 1;
    const double before = products[old + n][n].real();
    double left = before;
    const auto take_off = [&](const std::complex<double>& part) { left -= std::norm(part); };
    for (std::size_t i = 0; i < old; ++i) {
      own[i] = -products[i][n];
      take_off(products[i][n]);
    }
    for (const auto& other : kept) {
      std::complex<double> part = 0;
      for (std::size_t i = 0; i < all; ++i)
        if (other[i] != 0.0) part += std::conj(other[i]) * products[i][n];
      for (std::size_t i = 0; i < all; ++i) own[i] -= part * other[i];
      take_off(part);
    }
    if (!(left > least_that_is_new * least_that_is_new * before)) continue;
    result.is_exact = result.is_exact && left > most_lost * most_lost * before;
    for (auto& number : own) number /= std::sqrt(left);
    kept.push_back(std::move(own));
  }
  for (const auto& own : kept)
    for (std::size_t i = 0; i < all; ++i) result.parts[i].push_back(own[i]);
  return result;
}

/// Space: BoundaryVectors or ResidentVectors.
template <class Space>
class PlainUpdate : public OuterIterationOf<typename Space::Vector> {
 public:
  using Vector = typename Space::Vector;

  PlainUpdate(std::vector<Vector> b, Space space) : space_(std::move(space)), b_(std::move(b)), x_(b_) {
    for (const double size : space_.norms(list(b_))) changes_.push_back(size == 0 ? 0 : 1);
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
    space_.combine(1, list(b_, owners_), 1, images);
    space_.combine(1, list(images), -1, wanted_);  // the x before
    const std::vector<double> changes = space_.norms(list(wanted_)), sizes = space_.norms(list(images));
    for (std::size_t n = 0; n < owners_.size(); ++n) {
      changes_[owners_[n]] = ratio(changes[n], sizes[n]);
      x_[owners_[n]] = std::move(images[n]);
    }
  }

  void correct(std::vector<Vector> images, bool /*keeps*/) override {
    (void)next(-1);
    take(std::move(images));
  }

  [[nodiscard]] const std::vector<Vector>& values() const override { return x_; }

 private:
  using Base = OuterIterationOf<Vector>;
  using Base::changes_;
  using Base::owners_;
  using Base::wanted_;

  Space space_;
  std::vector<Vector> b_, x_;
};

template <class Space>
class BlockGmres : public OuterIterationOf<typename Space::Vector> {
 public:
  using Vector = typename Space::Vector;

  BlockGmres(std::vector<Vector> b, Space space)
      : space_(std::move(space)),
        b_(std::move(b)),
        residuals_(b_),
        x_(space_.scaled(std::vector<double>(b_.size(), 0), list(b_))),
        sizes_(space_.norms(list(b_))) {
    for (const double size : sizes_) changes_.push_back(size == 0 ? 0 : 1);
  }

  const std::vector<Vector>& next(double tolerance) override {
    owners_.clear();
    for (std::size_t k = 0; k < x_.size() && !is_stuck_; ++k)
      if (!(changes_[k] <= tolerance || sizes_[k] == 0)) owners_.push_back(k);
    std::vector<double> factors;
    for (const std::size_t k : owners_) factors.push_back(1 / sizes_[k]);
    wanted_ = space_.scaled(factors, list(residuals_, owners_));
    return wanted_;
  }

  void take(std::vector<Vector> images) override {
    space_.combine(1, list(wanted_), -1, images);  // of I - T
    const std::size_t old = images_.size();
    bool is_exact = false;
    for (int pass = 0; pass < 2 && !is_exact && !images.empty(); ++pass) {
      const Orthonormal found = make_orthonormal(space_.table(images_, images), old);
      is_exact = found.is_exact;
      if (found.is_empty()) {
        images.clear();
        wanted_.clear();
        break;
      }
      images = space_.sums(found.parts, images_, images);
      wanted_ = space_.sums(found.parts, directions_, wanted_);
    }
    append(wanted_, directions_);
    append(images, images_);
    wanted_.clear();
    is_stuck_ = images_.size() == old;
    has_begun_ = true;
    reduce(old);
  }

  void correct(std::vector<Vector> images, bool keeps) override {
    space_.combine(1, list(b_), 1, images);
    space_.combine(-1, list(x_), 1, images);
    residuals_ = std::move(images);
    is_stuck_ = false;
    if (!keeps) {
      images_.clear();
      directions_.clear();
    }
    reduce(0);
  }

  [[nodiscard]] const std::vector<Vector>& values() const override { return has_begun_ ? x_ : b_; }

 private:
  using Base = OuterIterationOf<Vector>;
  using Base::changes_;
  using Base::owners_;
  using Base::wanted_;

  static void append(std::vector<Vector>& from, std::vector<Vector>& to) {
    for (Vector& vector : from) to.push_back(std::move(vector));
  }

  /// All residuals by the images from `first` on.
  void reduce(std::size_t first) {
    const auto parts = space_.products(images_, residuals_, first);
    space_.add(-1, parts, images_, residuals_, first);
    space_.add(1, parts, directions_, x_, first);
    std::vector<const Vector*> both = list(residuals_), of_x = list(x_);
    both.insert(both.end(), of_x.begin(), of_x.end());
    const std::vector<double> sizes = space_.norms(both);
    for (std::size_t k = 0; k < x_.size(); ++k) {
      sizes_[k] = sizes[k];
      changes_[k] = ratio(sizes[k], sizes[x_.size() + k]);
    }
  }

  Space space_;
  std::vector<Vector> b_, residuals_, x_, images_, directions_;
  std::vector<double> sizes_;  ///< of the residuals
  bool has_begun_ = false;
  bool is_stuck_ = false;  ///< the last directions have brought nothing new
};

template <class Space>
std::unique_ptr<OuterIterationOf<typename Space::Vector>> make(OuterMethod method,
                                                               std::vector<typename Space::Vector> b, Space space) {
  if (method == OuterMethod::plain) return std::make_unique<PlainUpdate<Space>>(std::move(b), std::move(space));
  return std::make_unique<BlockGmres<Space>>(std::move(b), std::move(space));
}

}  // namespace

std::unique_ptr<OuterIteration> make_outer_iteration(OuterMethod method, std::vector<OuterIteration::Vector> b,
                                                     std::vector<double> weights, std::size_t run, int threads) {
  ensure(!b.empty(), "there is a right-hand side");
  for (const auto& one : b) ensure(one.size() == weights.size() * run, "vectors have a run of numbers per weight");
  return make(method, std::move(b), BoundaryVectors(std::move(weights), run, threads));
}

std::unique_ptr<OuterIterationOf<fem::ResidentVector>> make_outer_iteration(OuterMethod method,
                                                                            std::vector<fem::ResidentVector> b,
                                                                            const ResidentVectors& space) {
  ensure(!b.empty(), "there is a right-hand side");
  return make(method, std::move(b), space);
}

}  // namespace tetrawave::modes
