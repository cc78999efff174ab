#include "fem/solvers/eigen_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <numbers>
#include <optional>
#include <random>

#include "base/error.hpp"
#include "fem/solvers/direct_solver.hpp"
#include "fem/solvers/small_eigenproblem.hpp"
#include "fem/solvers/trial_space.hpp"

namespace tetrawave::fem {

namespace {

/// d weights/du by Cauchy's integral on a small circle.
std::vector<Complex> slope_of(const std::function<std::vector<Complex>(Complex)>& weights_at, Complex u) {
  constexpr int points = 4;
  const double radius = 1e-3 * std::abs(u);
  std::vector<Complex> slope;
  for (int k = 0; k < points; ++k) {
    const Complex step = std::polar(radius, 2 * std::numbers::pi * k / points);
    const std::vector<Complex> weights = weights_at(u + step);
    slope.resize(weights.size());
    for (std::size_t q = 0; q < slope.size(); ++q) slope[q] += weights[q] / (static_cast<double>(points) * step);
  }
  return slope;
}

bool has_imaginary_part(const Column& x) {
  return std::any_of(x.begin(), x.end(), [](const Complex& value) { return value.imag() != 0; });
}

/// A(shift)^-1, by real numbers where A is real.
class ShiftedInverse {
 public:
  ShiftedInverse(const EigenOptions& options, CsrMatrix<Complex> matrix, bool is_real) {
    if (is_real) {
      real_matrix_ = real_part(matrix);
      std::vector<std::vector<double>> none;
      real_ = options.make_real();
      bytes_ = real_(&real_matrix_, none, none).bytes;
    } else {
      complex_matrix_ = std::move(matrix);
      Columns none;
      complex_ = options.make_complex();
      bytes_ = complex_(&complex_matrix_, none, none).bytes;
    }
  }

  [[nodiscard]] static CsrMatrix<double> real_part(const CsrMatrix<Complex>& matrix) {
    CsrMatrix<double> part{matrix.pattern, {}};
    for (const Complex& value : matrix.values) part.values.push_back(value.real());
    return part;
  }

  [[nodiscard]] Columns apply(const Columns& sides) {
    Columns x(sides.size(), Column(sides.empty() ? 0 : sides.front().size()));
    if (complex_) {
      complex_(nullptr, sides, x);
      return x;
    }
    std::vector<std::vector<double>> parts;  // of each side the real one, then the imaginary one where it has some
    for (const Column& side : sides)
      for (const bool imaginary : {false, true})
        if (!imaginary || has_imaginary_part(side)) {
          auto& part = parts.emplace_back();
          for (const Complex& value : side) part.push_back(imaginary ? value.imag() : value.real());
        }
    std::vector<std::vector<double>> solutions(parts.size(), std::vector<double>(x.empty() ? 0 : x.front().size()));
    real_(nullptr, parts, solutions);
    auto part = solutions.begin();
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k].assign(part->begin(), part->end());
      ++part;
      if (!has_imaginary_part(sides[k])) continue;
      for (std::size_t i = 0; i < x[k].size(); ++i) x[k][i].imag((*part)[i]);
      ++part;
    }
    return x;
  }

  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  CsrMatrix<double> real_matrix_;
  CsrMatrix<Complex> complex_matrix_;
  FixedSolver<double> real_;
  FixedSolver<Complex> complex_;
  std::int64_t bytes_ = 0;
};

class EigenSearch {
 public:
  EigenSearch(const MatrixFunction& function, const EigenOptions& options)
      : function_(function),
        options_(options),
        rows_(options.shared == nullptr ? RankRows() : RankRows(*options.shared)),
        space_(make_trial_space(function, options.machine.threads, rows_)) {
    slope_ = slope_of(function.weights, options.shift);
    if (function.is_real)
      for (Complex& weight : slope_) weight = weight.real();
    problem_.matrix = [this](Complex u) { return space_->matrix(weights_for_first(u)); };
    problem_.derivative = [this](Complex u) {
      return space_->matrix(slope_of([this](Complex at) { return weights_for_first(at); }, u));
    };
    problem_.is_quadratic = function.is_quadratic;
    problem_.is_real = function.is_real;
    problem_.is_spurious = [this](const Eigen::VectorXcd& y) { return is_curl_free(y); };
  }

  EigenOutcome run() {
    constexpr int starts = 3;
    for (int start = 0; start < starts; ++start) {  // others find what the first may have missed
      if (start == 0 && !has_inertia())             // a count by the reduced model needs more around what is sought
        begin(options_.count + more, 1);
      else
        begin(more, 3);
      converge();
      if (start == 0 && !has_inertia()) continue;
      count();
      if (outcome_.counted == outcome_.found_within) break;
    }
    outcome_.vectors = space_->size();
    return std::move(outcome_);
  }

 private:
  static constexpr std::size_t more = 4;  ///< vectors of a start, at least

  /// Pairs that extend the space at a time: the others gain from it too.
  [[nodiscard]] std::size_t most_open() const {
    return has_inertia() ? std::max<std::size_t>(4, options_.count / 3) : options_.count;
  }

  [[nodiscard]] CsrMatrix<Complex> combine(const std::vector<Complex>& weights) const {
    CsrMatrix<Complex> sum{function_.curls.pattern, {}};
    sum.values.assign(function_.curls.values.size(), Complex(0));
    for (std::size_t q = 0; q < weights.size(); ++q)
      for (std::size_t k = 0; k < sum.values.size(); ++k) sum.values[k] += weights[q] * function_.terms[q].values[k];
    return sum;
  }

  void factorise() {
    if (inverse_) return;
    inverse_.emplace(options_, combine(function_.weights(options_.shift)), function_.is_real);
    outcome_.bytes = inverse_->bytes();
    for (const auto& term : function_.terms)
      outcome_.bytes += static_cast<std::int64_t>(term.values.size() * sizeof(Complex));
  }

  [[nodiscard]] Columns solve(const Columns& sides) {
    outcome_.solutions += static_cast<std::int64_t>(sides.size());
    return inverse_->apply(sides);
  }

  void converge() {
    for (;;) {
      ++outcome_.steps;
      for (SmallPair& pair : found_) {
        const Eigen::Index size = pair.vector.size();
        pair.vector.conservativeResize(space_->size());
        pair.vector.tail(space_->size() - size).setZero();
      }
      electric_ = space_->matrix(slope_) * (options_.shift / 2);
      on_first_rank(
          [this] { found_ = solve_small(problem_, options_.shift, options_.target, options_.count + 2, found_); });
      broadcast_found();
      const Columns open = open_residuals();
      const Eigen::Index size = space_->size();
      if (open.empty()) {
        if (found_.size() >= options_.count || outcome_.steps >= options_.max_steps) return;
        begin(more, 3);
        if (space_->size() == size) return;  // all that the mesh has
        continue;
      }
      space_->extend(solve(open));
      if (outcome_.steps >= options_.max_steps || space_->size() == size) fail_to_converge();
    }
  }

  /// Work on small matrices, which takes weights: on the others two runs may differ in the last bit, and in their
  /// number of steps.
  template <class Work>
  void on_first_rank(const Work& work) {
    const comm::Communicator ranks = rows_.ranks();
    if (ranks.size() == 1) return work();
    std::exception_ptr error;
    if (ranks.rank() == 0) {
      try {
        work();
      } catch (...) {
        error = std::current_exception();
      }
      (void)weights_for_first(no_more);
    } else {
      while (!weights_for_first(0).empty()) {
      }
    }
    ranks.agree([&] {
      if (error) std::rethrow_exception(error);
    });
  }

  /// At what the first rank gives; none for `no_more`.
  [[nodiscard]] std::vector<Complex> weights_for_first(Complex u) const {
    std::vector<Complex> given{u};
    if (rows_.is_shared()) rows_.ranks().broadcast(given);
    return given.front() == no_more ? std::vector<Complex>() : function_.weights(given.front());
  }

  void broadcast_found() {
    if (!rows_.is_shared()) return;
    std::vector<Complex> numbers;
    for (const SmallPair& pair : found_) {
      numbers.push_back(pair.value);
      numbers.insert(numbers.end(), pair.vector.begin(), pair.vector.end());
    }
    rows_.ranks().broadcast(numbers);
    const auto size = static_cast<std::size_t>(space_->size()) + 1;
    found_.resize(numbers.size() / size);
    for (std::size_t k = 0; k < found_.size(); ++k)
      found_[k] = {numbers[k * size],
                   Eigen::Map<const Eigen::VectorXcd>(numbers.data() + k * size + 1, space_->size())};
  }

  /// Random vectors, of which K leaves no gradient, and `powers` steps of inverse iteration.
  void begin(std::size_t width, int powers) {
    factorise();
    const auto rows = static_cast<std::size_t>(function_.curls.pattern->rows());
    width = std::min(width, static_cast<std::size_t>(rows_.total(static_cast<Eigen::Index>(rows))));
    std::uniform_real_distribution<double> uniform(-1, 1);
    Columns block(width, Column(rows));
    for (Column& column : block)
      for (Complex& value : column) value = uniform(random_);
    block = solve(space_->curls_of(block));
    Columns all;
    for (int k = 0; k < powers && !block.empty(); ++k) {
      block = space_->orthonormal(block);  // of a resonance at the shift one vector has all
      block = solve(space_->products(std::vector(block.size(), slope_), block));
      all.insert(all.end(), block.begin(), block.end());
    }
    space_->extend(all);
  }

  /// Whether what a vector has of curls is nothing beside its electric energy.
  [[nodiscard]] bool is_curl_free(const Eigen::VectorXcd& y) const {
    constexpr double nothing = 1e-6;
    return std::abs(y.dot(space_->curls() * y)) < nothing * std::abs(y.dot(electric_ * y));
  }

  /// A(u) x of pairs that have not converged, nearest the target first; all are examined again when none is left.
  Columns open_residuals() {
    const std::size_t wanted = std::min(options_.count, found_.size());
    for (; settled_ < wanted; settled_ += most_open())
      if (Columns open = examine(settled_, std::min(wanted, settled_ + most_open())); !open.empty()) return open;
    settled_ = 0;
    return examine(0, wanted);
  }

  /// A(u) x of those of some pairs that have not converged; all of them go into `pairs`.
  Columns examine(std::size_t first, std::size_t last) {
    Columns open;
    outcome_.pairs.clear();
    Eigen::MatrixXcd coefficients(space_->size(), static_cast<Eigen::Index>(last - first));
    std::vector<std::vector<Complex>> weights;
    for (std::size_t k = first; k < last; ++k) {
      coefficients.col(static_cast<Eigen::Index>(k - first)) = found_[k].vector;
      weights.push_back(function_.weights(found_[k].value));
    }
    Columns vectors = space_->expand(coefficients), images = space_->products(weights, vectors);
    const Columns curls = space_->curls_of(vectors);
    for (std::size_t k = 0; k < images.size(); ++k) {
      const double size = space_->length_of(images[k]);
      const EigenPair& pair = outcome_.pairs.emplace_back(
          EigenPair{found_[first + k].value, size / space_->length_of(curls[k]), std::move(vectors[k])});
      if (pair.residual <= options_.tolerance || open.size() == most_open()) continue;
      for (Complex& value : images[k]) value /= size;
      open.push_back(std::move(images[k]));
    }
    return open;
  }

  [[noreturn]] void fail_to_converge() const {
    const EigenPair* worst = &outcome_.pairs.front();
    for (const EigenPair& pair : outcome_.pairs)
      if (!(pair.residual <= worst->residual)) worst = &pair;
    fail(ExitCode::unstable,
         "after {} steps and {} solutions the residual of a resonance at {:.6g} times the target is still {:.2g} "
         "(eigenmode.tolerance {:.2g}): move eigenmode.target nearer to it, ask for fewer, or raise the tolerance",
         outcome_.steps, outcome_.solutions, worst->value.real() / options_.target, worst->residual,
         options_.tolerance);
  }

  void count() {
    inverse_.reset();                  // before other factors are made
    constexpr double of_target = 0.7;  // static fields lie at 0, relaxing ones above
    if (has_inertia() && count_within(std::numeric_limits<double>::infinity(), true)) return;
    count_within(of_target * options_.target, false);
  }

  /// Eigenvalues within a radius, at most `most`, that lies in a gap behind some of those that were found. False where
  /// the factors do not tell their inertia.
  bool count_within(double most, bool by_inertia) {
    outcome_.counted = outcome_.found_within = 0;
    outcome_.counted_within = 0;
    if (found_.empty()) return true;
    constexpr double gap = 1e-3, behind = 0.1;
    for (const double branch : function_.branches) most = std::min(most, 0.99 * std::abs(branch - options_.target));
    const auto distance = [&](std::size_t k) { return std::abs(found_[k].value - options_.target); };
    std::size_t within = std::min(options_.count, found_.size());
    while (within > 0 && distance(within - 1) >= most) --within;
    if (within == 0) return true;
    const double end = within < found_.size() ? distance(within) : 1.2 * distance(within - 1);
    double next = std::min(end, most);
    for (; within > 0; next = std::min(distance(--within), most))
      if (next - distance(within - 1) > gap * options_.target) break;
    if (within == 0) return true;
    outcome_.found_within = static_cast<std::int64_t>(within);
    outcome_.counted_within = (1 - behind) * distance(within - 1) + behind * next;
    outcome_.counted_by = by_inertia ? EigenCount::inertia : EigenCount::contour;
    if (by_inertia) {
      const auto counted = count_by_inertia();
      outcome_.counted = counted.value_or(0);
      return counted.has_value();
    }
    std::vector<std::int64_t> turns(1);
    on_first_rank([&] { turns[0] = count_in_disc(problem_, options_.target, outcome_.counted_within, found_); });
    if (rows_.is_shared()) rows_.ranks().broadcast(turns);
    outcome_.counted = turns[0];
    return true;
  }

  [[nodiscard]] bool has_inertia() const {
    return function_.is_real && function_.is_quadratic && (options_.machine.factor_device || has_direct_solver());
  }

  /// By Sylvester's law the number of negative pivots of A(u) for real u is that of eigenvalues below u.
  [[nodiscard]] std::optional<std::int64_t> count_by_inertia() const {
    const auto solver = make_direct_solver<double>(
        {function_.curls.pattern, MatrixKind::symmetric, false, rows_.is_shared() ? options_.shared : nullptr},
        options_.machine, rows_.ranks());
    std::array<std::int64_t, 2> below{};
    for (const int side : {0, 1}) {
      constexpr double above_static = 0.01;
      const double u =
          std::max(options_.target + (2 * side - 1) * outcome_.counted_within, above_static * options_.target);
      solver->factorise(ShiftedInverse::real_part(combine(function_.weights(u))));
      const auto found = solver->negative_pivots();
      if (!found) return std::nullopt;
      below[static_cast<std::size_t>(side)] = *found;
    }
    return below[1] - below[0];
  }

  static constexpr Complex no_more{-1};  ///< is no u

  const MatrixFunction& function_;
  const EigenOptions& options_;
  RankRows rows_;
  std::unique_ptr<TrialSpace> space_;
  std::size_t settled_ = 0;    ///< nearest pairs that were within the tolerance when they were last examined
  Eigen::MatrixXcd electric_;  ///< of the space: what stores electric energy
  std::optional<ShiftedInverse> inverse_;
  std::vector<Complex> slope_;  ///< of A at the shift
  SmallEigenproblem problem_;
  std::vector<SmallPair> found_;  ///< some more than are wanted
  std::mt19937_64 random_{1};
  EigenOutcome outcome_;
};

}  // namespace

EigenOutcome find_eigenpairs(const MatrixFunction& function, const EigenOptions& options) {
  return EigenSearch(function, options).run();
}

}  // namespace tetrawave::fem
