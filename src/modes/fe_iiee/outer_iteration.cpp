#include "modes/fe_iiee/outer_iteration.hpp"

#include <algorithm>
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
    const std::vector<double> before = space_.norms(list(images));
    const std::vector<double> left = make_orthogonal(0, before, images, wanted_);
    const std::size_t old = images_.size();
    for (std::size_t n = 0; n < images.size(); ++n) {
      std::vector<Vector> image, direction;
      image.push_back(std::move(images[n]));
      direction.push_back(std::move(wanted_[n]));
      const double after = make_orthogonal(old, {left[n]}, image, direction).front();
      if (!(after > least_that_is_new * before[n])) continue;
      space_.scale(1 / after, image);
      space_.scale(1 / after, direction);
      images_.push_back(std::move(image.front()));
      directions_.push_back(std::move(direction.front()));
    }
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

  /// Of an image's size. What brings less is left out, as its errors would grow by so much; its residual is a direction
  /// of the next iteration, then for what is new in it alone.
  static constexpr double least_that_is_new = 1e-3;

  /// To the images from `first` on, with the same for the directions; returns the images' sizes, which were `before`.
  /// Where one has lost most of its size, rounding errors are left of it: then a second time (J. W. Daniel, W. B.
  /// Gragg, L. Kaufman, G. W. Stewart, Math. Comp. 30 (1976) 772).
  std::vector<double> make_orthogonal(std::size_t first, const std::vector<double>& before, std::vector<Vector>& images,
                                      std::vector<Vector>& directions) const {
    constexpr double most = 0.5;
    std::vector<double> after = before;
    bool is_enough = false;
    for (int pass = 0; pass < 2 && images_.size() > first && !is_enough; ++pass) {
      const auto parts = space_.products(images_, images, first);
      space_.add(-1, parts, images_, images, first);
      space_.add(-1, parts, directions_, directions, first);
      after = space_.norms(list(images));
      is_enough = true;
      for (std::size_t n = 0; n < after.size(); ++n) is_enough = is_enough && after[n] > most * before[n];
    }
    return after;
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
