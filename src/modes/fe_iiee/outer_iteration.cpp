#include "modes/fe_iiee/outer_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "modes/fe_iiee/boundary_vectors.hpp"

namespace tetrawave::modes {

namespace {

using Complex = BoundaryVectors::Complex;
using Vector = OuterIteration::Vector;

double ratio(double change, double size) {
  if (change == 0) return 0;
  return size == 0 ? 1 : change / size;
}

class PlainUpdate : public OuterIteration {
 public:
  PlainUpdate(std::vector<Vector> b, BoundaryVectors space) : space_(std::move(space)), b_(std::move(b)), x_(b_) {
    for (const double size : space_.norms(b_)) changes_.push_back(size == 0 ? 0 : 1);
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
      space_.combine(1, b_[k], 1, images[n]);
      space_.combine(1, images[n], -1, wanted_[n]);  // the x before
    }
    const std::vector<double> changes = space_.norms(wanted_), sizes = space_.norms(images);
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
  BoundaryVectors space_;
  std::vector<Vector> b_, x_;
};

/// Parts of a vector along given vectors, which are added to at the end of the list: those that are missing are 0.
using Parts = std::vector<Complex>;

void add_parts(const Complex& factor, const Parts& from, Parts& to) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += factor * from[i];
}

/// In the span of base vectors and images.
struct Place {
  Parts base, images;

  void add(const Complex& factor, const Place& other) {
    add_parts(factor, other.base, base);
    add_parts(factor, other.images, images);
  }
};

Place unit_of_base(std::size_t number) {
  Place place{Parts(number + 1), {}};
  place.base[number] = 1;
  return place;
}

/// All that is not an image or a base vector lies in their span: residuals are what images leave of base vectors (b and
/// those that `correct` makes), directions were residuals, and solutions are sums of directions. Only images and
/// residuals are kept as vectors.
class BlockGmres : public OuterIteration {
 public:
  BlockGmres(std::vector<Vector> b, BoundaryVectors space)
      : space_(std::move(space)),
        base_(std::move(b)),
        residuals_(base_),
        sizes_(space_.norms(base_)),
        x_(base_.size()) {
    for (std::size_t k = 0; k < x_.size(); ++k) {
      places_of_residuals_.push_back(unit_of_base(k));
      changes_.push_back(sizes_[k] == 0 ? 0 : 1);
    }
    of_base_ = space_.products(base_, base_);
  }

  const std::vector<Vector>& next(double tolerance) override {
    wanted_.clear();
    owners_.clear();
    for (std::size_t k = 0; k < x_.size() && !is_stuck_; ++k) {
      if (changes_[k] <= tolerance || sizes_[k] == 0) continue;
      owners_.push_back(k);
      wanted_.push_back(residuals_[k]);
      space_.scale(1 / sizes_[k], wanted_.back());
    }
    return wanted_;
  }

  void take(std::vector<Vector> images) override {
    std::vector<Place> directions(images.size());
    for (std::size_t n = 0; n < images.size(); ++n) {
      space_.combine(1, wanted_[n], -1, images[n]);  // of I - T
      directions[n].add(1 / sizes_[owners_[n]], places_of_residuals_[owners_[n]]);
    }
    const std::vector<double> before = space_.norms(images);
    make_orthogonal(0, before, images, directions);
    const std::size_t old = images_.size();
    for (std::size_t n = 0; n < images.size(); ++n) {
      std::vector<Vector> image;
      std::vector<Place> direction{std::move(directions[n])};
      image.push_back(std::move(images[n]));
      make_orthogonal(old, space_.norms(image), image, direction);
      const double after = space_.norms(image).front();
      if (!(after > least_that_is_new * before[n])) continue;
      space_.scale(1 / after, image.front());
      images_.push_back(std::move(image.front()));
      directions_.emplace_back().add(1 / after, direction.front());
    }
    is_stuck_ = images_.size() == old;
    has_begun_ = true;
    reduce(old);
  }

  void correct(std::vector<Vector> images, bool keeps) override {
    std::vector<Vector> now = values();
    for (std::size_t k = 0; k < x_.size(); ++k) {
      space_.combine(1, base_[k], 1, images[k]);
      space_.combine(-1, now[k], 1, images[k]);
    }
    if (!keeps) {
      images_.clear();
      directions_.clear();
      of_images_.clear();
      base_.resize(x_.size());
      for (std::size_t k = 0; k < x_.size(); ++k) {
        x_[k] = unit_of_base(base_.size());
        base_.push_back(std::move(now[k]));
      }
    }
    for (std::size_t k = 0; k < x_.size(); ++k) {
      places_of_residuals_[k] = unit_of_base(base_.size());
      base_.push_back(images[k]);
    }
    residuals_ = std::move(images);
    of_base_ = space_.products(base_, base_);
    of_images_ = space_.products(images_, base_);
    is_stuck_ = false;
    reduce(0);
  }

  [[nodiscard]] const std::vector<Vector>& values() const override {
    if (!has_begun_) return base_;
    if (are_found_) return values_;
    values_.assign(x_.size(), Vector(base_.front().size()));
    for (const auto& [vectors, parts] : {std::pair(&base_, &Place::base), std::pair(&images_, &Place::images)}) {
      BoundaryVectors::Parts all(vectors->size(), Parts(x_.size()));
      for (std::size_t k = 0; k < x_.size(); ++k)
        for (std::size_t i = 0; i < (x_[k].*parts).size(); ++i) all[i][k] = (x_[k].*parts)[i];
      space_.add(1, all, *vectors, values_);
    }
    are_found_ = true;
    return values_;
  }

 private:
  static constexpr double least_that_is_new = 1e-10;

  /// To the images from `first` on, with the same for the directions. Where an image has lost most of its size, which
  /// was `before`, rounding errors are left of it: then a second time (J. W. Daniel, W. B. Gragg, L. Kaufman, G. W.
  /// Stewart, Math. Comp. 30 (1976) 772).
  void make_orthogonal(std::size_t first, std::vector<double> before, std::vector<Vector>& images,
                       std::vector<Place>& directions) const {
    constexpr double most = 0.5;
    for (int pass = 0; pass < 2 && images_.size() > first; ++pass) {
      const auto parts = space_.products(images_, images, first);
      space_.add(-1, parts, images_, images, first);
      for (std::size_t i = first; i < images_.size(); ++i)
        for (std::size_t n = 0; n < images.size(); ++n) directions[n].add(-parts[i - first][n], directions_[i]);
      const std::vector<double> after = space_.norms(images);
      bool is_enough = true;
      for (std::size_t n = 0; n < after.size(); ++n) is_enough = is_enough && after[n] > most * before[n];
      if (is_enough) return;
    }
  }

  /// All residuals by the images from `first` on.
  void reduce(std::size_t first) {
    const auto parts = space_.products(images_, residuals_, first);
    space_.add(-1, parts, images_, residuals_, first);
    for (auto& row : space_.products(images_, base_, std::max(first, of_images_.size()))) of_images_.push_back(row);
    for (std::size_t k = 0; k < x_.size(); ++k)
      for (std::size_t i = first; i < images_.size(); ++i) {
        const Complex part = parts[i - first][k];
        Place image;
        image.images.resize(i + 1);
        image.images[i] = 1;
        places_of_residuals_[k].add(-part, image);
        x_[k].add(part, directions_[i]);
      }
    sizes_ = space_.norms(residuals_);
    for (std::size_t k = 0; k < x_.size(); ++k) changes_[k] = ratio(sizes_[k], norm_of(x_[k]));
    are_found_ = false;
  }

  /// From products of base vectors and images, which are orthonormal.
  [[nodiscard]] double norm_of(const Place& place) const {
    double square = 0;
    for (std::size_t i = 0; i < place.base.size(); ++i)
      for (std::size_t k = 0; k < place.base.size(); ++k)
        square += (std::conj(place.base[i]) * of_base_[i][k] * place.base[k]).real();
    for (std::size_t i = 0; i < place.images.size(); ++i) {
      square += std::norm(place.images[i]);
      for (std::size_t k = 0; k < place.base.size(); ++k)
        square += 2 * (std::conj(place.images[i]) * of_images_[i][k] * place.base[k]).real();
    }
    return std::sqrt(std::max(0.0, square));
  }

  BoundaryVectors space_;
  std::vector<Vector> base_, residuals_, images_;  ///< base: b first
  BoundaryVectors::Parts of_base_, of_images_;     ///< products with base vectors
  std::vector<double> sizes_;                      ///< of the residuals
  std::vector<Place> x_, places_of_residuals_, directions_;
  mutable std::vector<Vector> values_;
  mutable bool are_found_ = false;
  bool has_begun_ = false;
  bool is_stuck_ = false;  ///< the last directions have brought nothing new
};

}  // namespace

std::unique_ptr<OuterIteration> make_outer_iteration(OuterMethod method, std::vector<Vector> b,
                                                     std::vector<double> weights, std::size_t run, int threads) {
  ensure(!b.empty(), "there is a right-hand side");
  for (const Vector& one : b) ensure(one.size() == weights.size() * run, "vectors have a run of numbers per weight");
  BoundaryVectors space(std::move(weights), run, threads);
  if (method == OuterMethod::plain) return std::make_unique<PlainUpdate>(std::move(b), std::move(space));
  return std::make_unique<BlockGmres>(std::move(b), std::move(space));
}

}  // namespace tetrawave::modes
