#include "fem/solvers/eigen_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "fem/solvers/direct_solver.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "fem/solvers/orthogonal.hpp"
#include "fem/solvers/small_eigenproblem.hpp"

namespace tetrawave::fem {

namespace {

using Column = std::vector<Complex>;
using Columns = std::vector<Column>;

double length_of(const Column& x) {
  double sum = 0;
  for (const Complex& value : x) sum += std::norm(value);
  return std::sqrt(sum);
}

/// sum_q weights[q] terms[q] x, of terms with one pattern.
Column combined_product(const std::vector<const CsrMatrix<Complex>*>& terms, const std::vector<Complex>& weights,
                        const Column& x, int threads) {
  const CsrPattern& pattern = *terms.front()->pattern;
  Column to(x.size());
  for_each_index(x.size(), threads, [&](std::size_t row) {
    Complex sum = 0;
    for (std::int64_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k) {
      Complex entry = 0;
      for (std::size_t q = 0; q < terms.size(); ++q)
        entry += weights[q] * terms[q]->values[static_cast<std::size_t>(k)];
      sum += entry * x[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)])];
    }
    to[row] = sum;
  });
  return to;
}

/// d weights/du by Cauchy's integral on a small circle.
std::vector<Complex> slope_of(const MatrixFunction& function, Complex u) {
  constexpr int points = 4;
  const double radius = 1e-3 * std::abs(u);
  std::vector<Complex> slope(function.terms.size());
  for (int k = 0; k < points; ++k) {
    const Complex step = std::polar(radius, 2 * std::numbers::pi * k / points);
    const std::vector<Complex> weights = function.weights(u + step);
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
  ShiftedInverse(const SolverSpec& spec, const SolverMachine& machine, CsrMatrix<Complex> matrix, bool is_real) {
    if (is_real) {
      real_matrix_ = real_part(matrix);
      std::vector<std::vector<double>> none;
      real_.emplace(spec, machine, *matrix.pattern);
      bytes_ = real_->solve(real_matrix_, none, none).bytes;
    } else {
      complex_matrix_ = std::move(matrix);
      Columns none;
      complex_.emplace(spec, machine, *complex_matrix_.pattern);
      bytes_ = complex_->solve(complex_matrix_, none, none).bytes;
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
      complex_->solve_again(sides, x);
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
    real_->solve_again(parts, solutions);
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
  std::optional<LinearSolver<double>> real_;
  std::optional<LinearSolver<Complex>> complex_;
  std::int64_t bytes_ = 0;
};

/// The space in which eigenvectors are sought: an orthonormal basis V, and V^T A_q V of all terms. As A = A^T, left
/// eigenvectors are conjugate right ones: eigenvalues are right to second order.
class TrialSpace {
 public:
  TrialSpace(const MatrixFunction& function, int threads) : function_(function), threads_(threads) {
    for (const auto& term : function.terms) terms_.push_back(&term);
    terms_.push_back(&function.curls);
    reduced_.resize(terms_.size());
  }

  [[nodiscard]] Eigen::Index size() const { return count_; }
  [[nodiscard]] std::int64_t bytes() const { return basis_.size() * static_cast<std::int64_t>(sizeof(Complex)); }

  /// Takes vectors up, but for what the space has already.
  void extend(const Columns& vectors) {
    for (const Column& x : vectors)
      add(Eigen::Map<const Eigen::VectorXcd>(x.data(), static_cast<Eigen::Index>(x.size())));
  }

  /// An orthonormal basis of what vectors have beside the space and one another.
  [[nodiscard]] Columns orthonormal(const Columns& vectors) const {
    constexpr double nothing = 1e-12;
    Columns result;
    Eigen::MatrixXcd block(static_cast<Eigen::Index>(vectors.front().size()), 0);
    for (const Column& vector : vectors) {
      Eigen::VectorXcd x = Eigen::Map<const Eigen::VectorXcd>(vector.data(), block.rows()), unused;
      const double size = x.norm();
      orthogonalise(basis_, count_, x, unused);
      orthogonalise(block, block.cols(), x, unused);
      if (!(x.norm() > nothing * size)) continue;
      block.conservativeResize(Eigen::NoChange, block.cols() + 1);
      block.rightCols<1>() = x.normalized();
      result.emplace_back(block.rightCols<1>().begin(), block.rightCols<1>().end());
    }
    return result;
  }

  [[nodiscard]] Eigen::MatrixXcd matrix(const std::vector<Complex>& weights) const {
    Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(count_, count_);
    for (std::size_t q = 0; q < weights.size(); ++q) sum += weights[q] * reduced_[q];
    return sum;
  }
  [[nodiscard]] const Eigen::MatrixXcd& curls() const { return reduced_.back(); }

  [[nodiscard]] Column expand(const Eigen::VectorXcd& y) const {
    const Eigen::VectorXcd x = basis_.leftCols(y.size()) * y;
    return {x.begin(), x.end()};
  }

  [[nodiscard]] Column product(const std::vector<Complex>& weights, const Column& x) const {
    return combined_product({terms_.begin(), terms_.end() - 1}, weights, x, threads_);
  }
  [[nodiscard]] Column curls_of(const Column& x) const { return combined_product({terms_.back()}, {1}, x, threads_); }

 private:
  void add(Eigen::VectorXcd x) {
    constexpr double held = 1e-7;
    const double size = x.norm();
    Eigen::VectorXcd unused;
    orthogonalise(basis_, count_, x, unused);
    if (!(x.norm() > held * size) || count_ >= x.size()) return;
    x.normalize();
    make_room(basis_, x.size(), count_ + 1);
    basis_.col(count_) = x;
    ++count_;
    const Column column(x.begin(), x.end());
    for (std::size_t q = 0; q < terms_.size(); ++q) {
      const Column image = combined_product({terms_[q]}, {1}, column, threads_);
      const Eigen::Map<const Eigen::VectorXcd> values(image.data(), x.size());
      const Eigen::VectorXcd entries = basis_.leftCols(count_).transpose() * values;
      reduced_[q].conservativeResize(count_, count_);
      reduced_[q].col(count_ - 1) = entries;
      reduced_[q].row(count_ - 1) = entries.transpose();
    }
  }

  const MatrixFunction& function_;
  int threads_;
  std::vector<const CsrMatrix<Complex>*> terms_;  ///< the last: of curls
  Eigen::MatrixXcd basis_;
  Eigen::Index count_ = 0;
  std::vector<Eigen::MatrixXcd> reduced_;
};

class EigenSearch {
 public:
  EigenSearch(const MatrixFunction& function, const SolverSpec& solver, const EigenOptions& options)
      : function_(function), solver_(solver), options_(options), space_(function, options.machine.threads) {
    slope_ = slope_of(function, options.shift);
    if (function.is_real)
      for (Complex& weight : slope_) weight = weight.real();
    problem_.matrix = [this](Complex u) { return space_.matrix(function_.weights(u)); };
    problem_.derivative = [this](Complex u) { return space_.matrix(slope_of(function_, u)); };
    problem_.is_quadratic = function.is_quadratic;
    problem_.is_real = function.is_real;
    problem_.is_spurious = [this](const Eigen::VectorXcd& y) { return is_curl_free(y); };
  }

  EigenOutcome run() {
    constexpr int starts = 3;
    for (int start = 0; start < starts; ++start) {  // others find what the first may have missed
      if (start == 0)
        begin(options_.count + more, 1);
      else
        begin(more, 3);
      converge();
      if (start == 0 && !has_inertia()) continue;
      count();
      if (outcome_.counted == outcome_.found_within) break;
    }
    outcome_.vectors = space_.size();
    return std::move(outcome_);
  }

 private:
  static constexpr std::size_t more = 4;  ///< vectors of a start, at least

  [[nodiscard]] CsrMatrix<Complex> combine(const std::vector<Complex>& weights) const {
    CsrMatrix<Complex> sum{function_.curls.pattern, Column(function_.curls.values.size())};
    for (std::size_t q = 0; q < weights.size(); ++q)
      for (std::size_t k = 0; k < sum.values.size(); ++k) sum.values[k] += weights[q] * function_.terms[q].values[k];
    return sum;
  }

  void factorise() {
    if (inverse_) return;
    inverse_.emplace(solver_, options_.machine, combine(function_.weights(options_.shift)), function_.is_real);
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
        pair.vector.conservativeResize(space_.size());
        pair.vector.tail(space_.size() - size).setZero();
      }
      found_ = solve_small(problem_, options_.shift, options_.target, options_.count + 2, found_);
      const Columns open = open_residuals();
      const Eigen::Index size = space_.size();
      if (open.empty()) {
        if (found_.size() >= options_.count || outcome_.steps >= options_.max_steps) return;
        begin(more, 3);
        if (space_.size() == size) return;  // all that the mesh has
        continue;
      }
      space_.extend(solve(open));
      if (outcome_.steps >= options_.max_steps || space_.size() == size) fail_to_converge();
    }
  }

  /// Random vectors, of which K leaves no gradient, and `powers` steps of inverse iteration.
  void begin(std::size_t width, int powers) {
    factorise();
    const auto rows = static_cast<std::size_t>(function_.curls.pattern->rows());
    width = std::min(width, rows);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Columns block(width, Column(rows));
    for (Column& column : block) {
      for (Complex& value : column) value = uniform(random_);
      column = space_.curls_of(column);
    }
    block = solve(block);
    Columns all;
    for (int k = 0; k < powers && !block.empty(); ++k) {
      block = space_.orthonormal(block);  // of a resonance at the shift one vector has all
      for (Column& column : block) column = space_.product(slope_, column);
      block = solve(block);
      all.insert(all.end(), block.begin(), block.end());
    }
    space_.extend(all);
  }

  /// Whether what a vector has of curls is nothing beside its electric energy.
  [[nodiscard]] bool is_curl_free(const Eigen::VectorXcd& y) const {
    constexpr double nothing = 1e-6;
    const Eigen::MatrixXcd slope = space_.matrix(slope_) * (options_.shift / 2);
    return std::abs(y.dot(space_.curls() * y)) < nothing * std::abs(y.dot(slope * y));
  }

  /// A(u) x of pairs that have not converged; residuals of all that are wanted go into `pairs`.
  Columns open_residuals() {
    Columns open;
    outcome_.pairs.clear();
    const std::size_t wanted = std::min(options_.count, found_.size());
    for (std::size_t k = 0; k < wanted; ++k) {
      EigenPair pair{found_[k].value, 0, space_.expand(found_[k].vector)};
      Column image = space_.product(function_.weights(pair.value), pair.vector);
      const double size = length_of(image), curls = length_of(space_.curls_of(pair.vector));
      pair.residual = size / curls;
      if (!(pair.residual <= options_.tolerance)) {
        for (Complex& value : image) value /= size;
        open.push_back(std::move(image));
      }
      outcome_.pairs.push_back(std::move(pair));
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

  /// Eigenvalues within a radius that lies in a gap behind some of those that were found.
  void count() {
    inverse_.reset();  // before other factors are made
    outcome_.counted = outcome_.found_within = 0;
    if (found_.empty()) return;
    constexpr double gap = 1e-3, behind = 0.1;
    const double most = (has_inertia() ? 0.99 : 0.7) * options_.target;  // static fields lie at 0, relaxing ones above
    const auto distance = [&](std::size_t k) { return std::abs(found_[k].value - options_.target); };
    std::size_t within = std::min(options_.count, found_.size());
    const double end = within < found_.size() ? distance(within) : 1.2 * distance(within - 1);
    double next = std::min(end, most);
    for (; within > 0; next = std::min(distance(--within), most))
      if (next - distance(within - 1) > gap * options_.target) break;
    if (within == 0) return;
    outcome_.found_within = static_cast<std::int64_t>(within);
    outcome_.counted_within = (1 - behind) * distance(within - 1) + behind * next;
    if (const auto counted = count_by_inertia()) {
      outcome_.counted_by = EigenCount::inertia;
      outcome_.counted = *counted;
    } else {
      outcome_.counted_by = EigenCount::contour;
      outcome_.counted = count_in_disc(problem_, options_.target, outcome_.counted_within, found_);
    }
  }

  [[nodiscard]] bool has_inertia() const {
    return function_.is_real && function_.is_quadratic && (options_.machine.factor_device || has_direct_solver());
  }

  /// By Sylvester's law the number of negative pivots of A(u) for real u is that of eigenvalues below u.
  [[nodiscard]] std::optional<std::int64_t> count_by_inertia() const {
    if (!has_inertia()) return std::nullopt;
    const auto solver =
        make_direct_solver<double>({function_.curls.pattern}, options_.machine, comm::Communicator::self());
    std::array<std::int64_t, 2> below{};
    for (const int side : {0, 1}) {
      const double u = options_.target + (2 * side - 1) * outcome_.counted_within;
      solver->factorise(ShiftedInverse::real_part(combine(function_.weights(u))));
      const auto found = solver->negative_pivots();
      if (!found) return std::nullopt;
      below[static_cast<std::size_t>(side)] = *found;
    }
    return below[1] - below[0];
  }

  const MatrixFunction& function_;
  const SolverSpec& solver_;
  const EigenOptions& options_;
  TrialSpace space_;
  std::optional<ShiftedInverse> inverse_;
  std::vector<Complex> slope_;  ///< of A at the shift
  SmallEigenproblem problem_;
  std::vector<SmallPair> found_;  ///< some more than are wanted
  std::mt19937_64 random_{1};
  EigenOutcome outcome_;
};

}  // namespace

EigenOutcome find_eigenpairs(const MatrixFunction& function, const SolverSpec& solver, const EigenOptions& options) {
  return EigenSearch(function, solver, options).run();
}

}  // namespace tetrawave::fem
