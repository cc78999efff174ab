#include "fem/solvers/reduced_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "base/parallel.hpp"
#include "fem/solvers/orthogonal.hpp"

namespace tetrawave::fem {

namespace {

using Vector = Eigen::VectorXcd;
using Matrix = Eigen::MatrixXcd;

Eigen::Map<const Vector> mapped(const std::vector<Complex>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// Pseudorandom numbers from a counter (splitmix64).
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Residuals of combinations are formed from the sketches of their parts, without the cancellation of Gram matrices (O.
/// Balabanov, A. Nouy, Adv. Comput. Math. 45, 2019). Every entry enters `copies` sums.
constexpr Eigen::Index sums = 192;
constexpr int copies = 4;

void add_to_sketch(Vector& sketch, std::int64_t row, Complex value) {
  static const double scale = 1 / std::sqrt(static_cast<double>(copies));
  if (value == 0.0) return;
  std::uint64_t bits = scrambled(static_cast<std::uint64_t>(row));
  for (int c = 0; c < copies; ++c, bits >>= 16U) {
    const auto place = static_cast<Eigen::Index>((bits & 0x7fffU) * static_cast<std::uint64_t>(sums) >> 15U);
    sketch[place] += (bits & 0x8000U) != 0 ? scale * value : -scale * value;
  }
}

Vector sketch_of(const Vector& x, const RankRows& rows = {}) {
  Vector to = Vector::Zero(sums);
  for (Eigen::Index i = 0; i < x.size(); ++i) add_to_sketch(to, rows.number(i), x[i]);
  rows.add(to);
  return to;
}

Vector product(const CsrMatrix<Complex>& matrix, const Eigen::VectorXd& x, int threads) {
  Vector to(x.size());
  const CsrPattern& pattern = *matrix.pattern;
  for_each_index(static_cast<std::size_t>(x.size()), threads, [&](std::size_t row) {
    Complex sum = 0;
    for (std::int64_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      sum += matrix.values[at] * x[pattern.column[at]];
    }
    to[static_cast<Eigen::Index>(row)] = sum;
  });
  return to;
}

}  // namespace

std::vector<std::vector<Complex>> sketches(const std::vector<std::vector<Complex>>& columns,
                                           const comm::Communicator& ranks) {
  const auto own = static_cast<std::int64_t>(columns.front().size());
  const std::vector<std::int64_t> of_ranks = ranks.all_gather(std::span<const std::int64_t>(&own, 1));
  const std::int64_t first = std::accumulate(of_ranks.begin(), of_ranks.begin() + ranks.rank(), std::int64_t{0});
  Matrix all = Matrix::Zero(sums, static_cast<Eigen::Index>(columns.size()));
  for (Eigen::Index c = 0; c < all.cols(); ++c) {
    Vector to = Vector::Zero(sums);
    for (std::int64_t k = 0; k < own; ++k)
      add_to_sketch(to, first + k, columns[static_cast<std::size_t>(c)][static_cast<std::size_t>(k)]);
    all.col(c) = to;
  }
  ranks.sum_in_place(
      std::span<double>(reinterpret_cast<double*>(all.data()), 2 * static_cast<std::size_t>(all.size())));
  std::vector<std::vector<Complex>> result;
  for (Eigen::Index c = 0; c < all.cols(); ++c) result.emplace_back(all.col(c).begin(), all.col(c).end());
  return result;
}

ColumnInterpolation interpolate_columns(const std::vector<std::vector<Complex>>& columns, double tolerance) {
  const auto count = static_cast<Eigen::Index>(columns.size());
  const auto rows = static_cast<Eigen::Index>(columns.front().size());
  Matrix all(rows, count);
  for (Eigen::Index c = 0; c < count; ++c) all.col(c) = mapped(columns[static_cast<std::size_t>(c)]);
  const double largest = all.colwise().norm().maxCoeff();
  Matrix left = all;
  ColumnInterpolation result;
  Matrix basis(rows, 0);
  while (basis.cols() < std::min(rows, count)) {
    Eigen::Index next = 0;
    if (left.colwise().norm().maxCoeff(&next) <= tolerance * largest) break;
    result.chosen.push_back(static_cast<std::size_t>(next));
    Vector direction = left.col(next), unused;
    orthogonalise(basis, basis.cols(), direction, unused);
    direction.normalize();
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.col(basis.cols() - 1) = direction;
    left -= direction * (direction.adjoint() * left).eval();
  }
  Matrix selected(rows, basis.cols());
  for (Eigen::Index q = 0; q < basis.cols(); ++q)
    selected.col(q) = all.col(static_cast<Eigen::Index>(result.chosen[static_cast<std::size_t>(q)]));
  const Matrix weights = (basis.adjoint() * selected).eval().partialPivLu().solve(basis.adjoint() * all);
  for (Eigen::Index c = 0; c < count; ++c) {
    const Vector column = weights.col(c);
    result.weights.emplace_back(column.begin(), column.end());
  }
  return result;
}

struct ColumnBasis::Factors {
  Eigen::ColPivHouseholderQR<Matrix> qr;
};

ColumnBasis::ColumnBasis(const std::vector<std::vector<Complex>>& columns) {
  Matrix all(static_cast<Eigen::Index>(columns.front().size()), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) all.col(static_cast<Eigen::Index>(c)) = mapped(columns[c]);
  factors_ = std::make_shared<Factors>(Factors{all.colPivHouseholderQr()});
}

std::vector<Complex> ColumnBasis::coefficients(const std::vector<Complex>& vector) const {
  const Vector found = factors_->qr.solve(mapped(vector));
  return {found.begin(), found.end()};
}

struct ReducedModel::Impl {
  std::vector<CsrMatrix<Complex>> terms;
  std::vector<std::vector<Complex>> weights;
  int threads = 1;
  RankRows ranks;
  Eigen::MatrixXd basis;  ///< orthonormal; columns beyond `count` are unused
  Eigen::Index count = 0;
  std::vector<Matrix> reduced;        ///< per term: V^T A_q V
  std::vector<Matrix> term_sketches;  ///< per term: of A_q V
  Matrix sides;                       ///< of orthonormal sketches
  Eigen::Index side_count = 0;
  Matrix side_sketches;
  Matrix reduced_sides;                              ///< V^T of `sides`
  std::vector<std::vector<Vector>> side_components;  ///< [set][frequency]
  std::vector<std::vector<double>> side_norms;
  struct Update {
    Matrix columns;  ///< components, as of sides
    Matrix middle;
  };
  std::map<std::size_t, Update> updates;  ///< by frequency number

  AppliedTerms applied;
  std::vector<Matrix> images;  ///< of applied terms and the basis, in their rows

  [[nodiscard]] Eigen::Index rows() const { return terms.front().pattern->rows(); }
  /// In the orthonormal sides, which are extended; `size`: its norm, by its sketch.
  Vector find_components(const std::vector<std::int32_t>& at, const std::vector<Complex>& values, double& size);
  void add_vector(Eigen::VectorXd x);
  void apply_terms(Eigen::Index old);
};

void ReducedModel::Impl::add_vector(Eigen::VectorXd x) {
  constexpr double held = 1e-9;
  const double size = ranks.norms(x)[0];
  Eigen::VectorXd unused;
  orthogonalise(basis, count, x, unused, ranks);
  const double left = ranks.norms(x)[0];
  if (!(left > held * size)) return;
  x /= left;
  make_room(basis, rows(), count + 1);
  basis.col(count) = x;
  ++count;
  const auto vectors = basis.leftCols(count);
  for (std::size_t q = 0; q < terms.size(); ++q) {
    const Vector image = product(terms[q], x, threads);
    make_room(term_sketches[q], sums, count);
    term_sketches[q].col(count - 1) = sketch_of(image, ranks);
    reduced[q].conservativeResize(count, count);
    Vector column = vectors.transpose() * image;
    ranks.add(column);
    reduced[q].col(count - 1) = column;
    reduced[q].row(count - 1) = column.transpose();
  }
  reduced_sides.conservativeResize(count, sides.cols());
  Vector driven = sides.leftCols(side_count).transpose() * x;
  ranks.add(driven);
  reduced_sides.row(count - 1).head(side_count) = driven.transpose();
}

/// To the vectors of the basis from number `old` on.
void ReducedModel::Impl::apply_terms(Eigen::Index old) {
  if (applied.count == 0 || old == count) return;
  const auto height = static_cast<Eigen::Index>(applied.rows.size());
  std::vector<std::vector<Complex>> vectors;
  Eigen::MatrixXd traces(height, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    if (k >= old) vectors.emplace_back(basis.col(k).begin(), basis.col(k).end());
    for (Eigen::Index r = 0; r < height; ++r) traces(r, k) = basis(applied.rows[static_cast<std::size_t>(r)], k);
  }
  for (std::size_t a = 0; a < applied.count; ++a) {
    const std::size_t q = terms.size() + a;
    images[a].conservativeResize(height, count);
    make_room(term_sketches[q], sums, count);
    const auto found = applied.apply(a, vectors);
    for (Eigen::Index k = old; k < count; ++k) {
      images[a].col(k) = mapped(found[static_cast<std::size_t>(k - old)]);
      Vector sketch = Vector::Zero(sums);
      for (Eigen::Index r = 0; r < height; ++r)
        add_to_sketch(sketch, applied.rows[static_cast<std::size_t>(r)], images[a](r, k));
      term_sketches[q].col(k) = sketch;
    }
    reduced[q] = traces.transpose() * images[a];
  }
}

ReducedModel::ReducedModel(std::vector<CsrMatrix<Complex>> terms, AppliedTerms applied,
                           std::vector<std::vector<Complex>> weights, std::size_t sets, int threads,
                           const SharedRows* rows)
    : impl_(std::make_unique<Impl>()) {
  if (rows != nullptr) impl_->ranks = RankRows(*rows);
  impl_->terms = std::move(terms);
  impl_->weights = std::move(weights);
  impl_->threads = threads;
  impl_->applied = std::move(applied);
  impl_->images.resize(impl_->applied.count);
  impl_->reduced.resize(impl_->terms.size() + impl_->applied.count);
  impl_->term_sketches.resize(impl_->reduced.size());
  impl_->side_components.assign(sets, std::vector<Vector>(impl_->weights.size()));
  impl_->side_norms.assign(sets, std::vector<double>(impl_->weights.size(), 0));
}

ReducedModel::~ReducedModel() = default;

Vector ReducedModel::Impl::find_components(const std::vector<std::int32_t>& at, const std::vector<Complex>& values,
                                           double& size) {
  constexpr double held = 1e-13;
  // Linear dependence is that of sketches.
  Vector rest = Vector::Zero(sums), components;
  for (std::size_t k = 0; k < values.size(); ++k)
    add_to_sketch(rest, ranks.number(at.empty() ? static_cast<Eigen::Index>(k) : at[k]), values[k]);
  ranks.add(rest);
  size = rest.norm();
  orthogonalise(side_sketches, side_count, rest, components);
  if (const double length = rest.norm(); length > held * size) {
    make_room(sides, rows(), side_count + 1);
    make_room(side_sketches, sums, side_count + 1);
    Vector side = -sides.leftCols(side_count) * components;
    if (side_count == 0) side = Vector::Zero(rows());
    for (std::size_t k = 0; k < values.size(); ++k)
      side[at.empty() ? static_cast<Eigen::Index>(k) : at[k]] += values[k];
    sides.col(side_count) = side / length;
    side_sketches.col(side_count) = rest / length;
    make_room(reduced_sides, count, side_count + 1);
    if (count > 0) {
      Vector reduced = basis.leftCols(count).transpose() * sides.col(side_count);
      ranks.add(reduced);
      reduced_sides.col(side_count) = reduced;
    }
    ++side_count;
    components.conservativeResize(side_count);
    components[side_count - 1] = length;
  }
  return components;
}

void ReducedModel::add_side(std::size_t set, std::size_t f, const std::vector<std::int32_t>& rows,
                            const std::vector<Complex>& values) {
  impl_->side_components[set][f] = impl_->find_components(rows, values, impl_->side_norms[set][f]);
}

void ReducedModel::add_update(std::size_t f, const std::vector<std::int32_t>& rows,
                              const std::vector<std::vector<Complex>>& columns, const std::vector<Complex>& middle) {
  std::vector<Vector> found;
  double unused = 0;
  for (const auto& column : columns) found.push_back(impl_->find_components(rows, column, unused));
  const auto size = static_cast<Eigen::Index>(columns.size());
  Impl::Update& update = impl_->updates[f];
  update.columns = Matrix::Zero(impl_->side_count, size);
  update.middle.resize(size, size);
  for (Eigen::Index c = 0; c < size; ++c) {
    const Vector& of_column = found[static_cast<std::size_t>(c)];
    update.columns.col(c).head(of_column.size()) = of_column;
    for (Eigen::Index r = 0; r < size; ++r) update.middle(r, c) = middle[static_cast<std::size_t>(r * size + c)];
  }
}

void ReducedModel::extend(const std::vector<std::vector<Complex>>& solutions) {
  const Eigen::Index old = impl_->count;
  for (const std::vector<Complex>& solution : solutions) {
    impl_->add_vector(mapped(solution).real());
    impl_->add_vector(mapped(solution).imag());
  }
  impl_->apply_terms(old);
}

std::size_t ReducedModel::size() const { return static_cast<std::size_t>(impl_->count); }

ReducedModel::Solution ReducedModel::solve(std::size_t f) const {
  const Impl& impl = *impl_;
  Solution solution;
  if (impl.count == 0) {  // all solutions so far are zero
    for (const auto& norms : impl.side_norms) {
      solution.coefficients.emplace_back();
      solution.residual.push_back(norms[f] > 0 ? 1 : 0);
      solution.indicator.push_back(solution.residual.back());
    }
    return solution;
  }
  Matrix matrix = Matrix::Zero(impl.count, impl.count);
  Matrix sketches = Matrix::Zero(sums, impl.count);
  for (std::size_t q = 0; q < impl.reduced.size(); ++q) {
    matrix += impl.weights[f][q] * impl.reduced[q];
    sketches += impl.weights[f][q] * impl.term_sketches[q].leftCols(impl.count);
  }
  Matrix of_update = Matrix::Zero(0, impl.count);  // U^T V
  if (const auto found = impl.updates.find(f); found != impl.updates.end()) {
    const auto& [columns, middle] = found->second;
    of_update = (impl.reduced_sides.leftCols(columns.rows()) * columns).transpose();
    matrix += of_update.transpose() * middle * of_update;
    sketches += impl.side_sketches.leftCols(columns.rows()) * columns * middle * of_update;
  }
  const Eigen::PartialPivLU<Matrix> factors(matrix);
  const double gain = 1 / (factors.rcond() * matrix.cwiseAbs().colwise().sum().maxCoeff());
  const auto sets = static_cast<Eigen::Index>(impl.side_components.size());
  Matrix sides = Matrix::Zero(impl.side_count, sets);
  for (Eigen::Index set = 0; set < sets; ++set) {
    const Vector& side = impl.side_components[static_cast<std::size_t>(set)][f];
    sides.col(set).head(side.size()) = side;
  }
  const Matrix x = factors.solve(impl.reduced_sides.leftCols(impl.side_count) * sides);
  const Matrix left = impl.side_sketches.leftCols(impl.side_count) * sides - sketches * x;
  for (Eigen::Index set = 0; set < sets; ++set) {
    const Vector updated = of_update * x.col(set);
    solution.of_update.emplace_back(updated.begin(), updated.end());
    const double size = x.col(set).norm(), rest = left.col(set).norm();
    const double driven = impl.side_norms[static_cast<std::size_t>(set)][f];
    solution.coefficients.emplace_back(x.col(set).begin(), x.col(set).end());
    solution.residual.push_back(driven > 0 ? rest / driven : 0);
    solution.indicator.push_back(size > 0 ? gain * rest / size : rest > 0 ? 1 : 0);
  }
  return solution;
}

void ReducedModel::expand(const std::vector<Complex>& coefficients, const std::vector<std::int32_t>& rows,
                          std::vector<Complex>& to) const {
  const auto x = mapped(coefficients);
  if (x.size() == 0) return;
  for (const std::int32_t row : rows)
    to[static_cast<std::size_t>(row)] = impl_->basis.row(row).head(x.size()).cast<Complex>() * x;
}

std::vector<Complex> ReducedModel::expand(const std::vector<Complex>& coefficients) const {
  const auto x = mapped(coefficients);
  std::vector<Complex> to(static_cast<std::size_t>(impl_->rows()));
  if (x.size() == 0) return to;
  Eigen::Map<Vector> field(to.data(), impl_->rows());
  field.real() = impl_->basis.leftCols(x.size()) * x.real();
  field.imag() = impl_->basis.leftCols(x.size()) * x.imag();
  return to;
}

std::int64_t ReducedModel::bytes() const {
  const std::int64_t numbers =
      2 * static_cast<std::int64_t>(impl_->terms.size()) * impl_->terms.front().pattern->nonzeros() +
      impl_->basis.size() + 2 * impl_->sides.size() +
      2 * static_cast<std::int64_t>(impl_->applied.count * impl_->applied.rows.size()) * impl_->count;
  return numbers * static_cast<std::int64_t>(sizeof(double));
}

}  // namespace tetrawave::fem
