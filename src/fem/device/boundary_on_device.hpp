// A ResidentBoundary by the kernels of a backend.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "fem/device/boundary_kernels.hpp"
#include "fem/device/direct_on_device.hpp"
#include "fem/device/resident_boundary.hpp"
#include "fem/device/staged_copies.hpp"

namespace tetrawave::fem::device {

/// Backend: see fem/device/device_system.hpp.
template <class Backend>
class BoundaryOnDevice final : public ResidentBoundary {
 public:
  using N = ComplexNumber;
  template <class V>
  using Buffer = typename Backend::template Buffer<V>;

  BoundaryOnDevice(Backend backend, const BoundaryMatrices& of)
      : backend_(std::move(backend)),
        copies_(backend_),
        rows_(of.system->rows()),
        inner_(of.mass->pattern->rows()),
        sources_count_(static_cast<std::int32_t>(of.electric.rows() / 3)),
        points_(static_cast<std::int32_t>(of.weights.size())),
        driven_(static_cast<std::int32_t>(of.unknowns.size())),
        weights_(backend_, of.weights),
        moments_(backend_, of.moments),
        electric_(backend_, of.electric),
        magnetic_(backend_, of.magnetic),
        unknowns_(backend_, of.unknowns),
        places_(backend_, of.electric.rows()) {
    if (of.from_outside.rows() > 0) from_outside_.emplace(backend_, of.from_outside);
    if (inner_ == 0) return;
    if (inner_ <= of.most_rows_of_inverse)
      invert(*of.mass, of.factors);
    else
      factorise(*of.mass, of.factors);
  }

  void reserve(std::int32_t columns, std::size_t vectors) override {
    make_room(columns);
    reserve_vectors(vectors);
    reserve_products(vectors * at(columns));
    reserve_results(2 * vectors * at(columns));
  }
  Vector take() override {
    constexpr std::size_t some = 8;  // an array takes the device as long as a product
    if (free_.empty()) reserve_vectors(taken_ + std::max(some, 2 * count()));
    const Vector vector = free_.back();
    free_.pop_back();
    ++taken_;
    return vector;
  }
  void give(Vector vector) override {
    free_.push_back(vector);
    --taken_;
  }
  std::vector<Complex> download(const Complex* vector) override {
    std::vector<Complex> values(length());
    copies_.get(vector, values.size(), values.data());
    return values;
  }

  void combine(std::span<const double> alpha, const Vectors& x, double beta, const std::vector<Vector>& y) override {
    for_groups(y.size(), vectors_at_once, [&](std::size_t first, std::size_t size) {
      CombineVectors kernel;
      kernel.beta = beta;
      kernel.count = static_cast<std::int32_t>(size);
      for (std::size_t k = 0; k < size; ++k) kernel.alpha[k] = alpha[first + k];
      name(x, first, size, kernel.x);
      name(y, first, size, kernel.y);
      backend_.rows(static_cast<std::int32_t>(length()), kernel);
    });
  }

  const Complex* products(const Vectors& a, const Vectors& b) override {
    reserve_products(a.size() * b.size());
    find_products(a, b, products_->data());
    return to_complex(products_->data());
  }
  std::vector<Complex> products_on_host(const Vectors& a, const Vectors& b) override {
    reserve_results(2 * a.size() * b.size());
    find_products(a, b, reinterpret_cast<N*>(results_->data()));
    backend_.synchronize();
    const Complex* const from = to_complex(reinterpret_cast<N*>(results_->data()));
    return {from, from + a.size() * b.size()};
  }

  void add(double factor, const Complex* parts, const Vectors& x, const std::vector<Vector>& y) override {
    add_multiples(factor, parts, x, 1, y);
  }
  void sum(const std::vector<Complex>& parts, const Vectors& x, const std::vector<Vector>& y) override {
    reserve_products(parts.size());
    reserve_results(2 * parts.size());
    std::copy_n(reinterpret_cast<const double*>(parts.data()), 2 * parts.size(), results_->data());
    backend_.move(parts_of(to_complex(products_->data())), static_cast<const double*>(results_->data()),
                  2 * parts.size());
    backend_.synchronize();
    add_multiples(1, to_complex(products_->data()), x, 0, y);
  }

  std::vector<double> squares(const Vectors& a) override { return find_squares(a, weights(), length()); }

  void set_frequency(const CsrMatrix<Complex>& matrix, const SparseRows& flux,
                     const std::vector<double>& places) override {
    if (matrix.on_device != nullptr) {
      const DeviceMatrix<Complex>& there = *matrix.on_device;
      system_ = {there.first(), there.first() + 1, there.column(), to_number(there.values()), 0};
    } else {
      if (!own_system_) own_system_.emplace(backend_, *matrix.pattern);
      copies_.put(matrix.values.data(), matrix.values.size(), to_complex(own_system_->values.data()));
      system_ = own_system_->rows();
    }
    flux_.emplace(backend_, flux);
    places_.upload(places);
    backend_.synchronize();
  }

  void set_drive(const BoundaryDrive& drive) override {
    case_.emplace(backend_, drive);
    backend_.synchronize();
  }

  const ResidentColumns<Complex>& drive(const Vectors& psi, bool with_case) override {
    make_room(static_cast<std::int32_t>(psi.empty() ? case_->sets : psi.size()));
    sides_->clear();
    if (!psi.empty()) multiply(moments_, driven_, psi, columns_of(*sides_, rows_), 0, 1, unknowns_.data());
    if (const auto driven = static_cast<std::int32_t>(with_case ? case_->rows.size() : 0); driven > 0)
      backend_.rows(driven * columns_.count,
                    AddToRows{case_->rows.data(), case_->sides.data(), sides_->data(), driven, rows_});
    backend_.synchronize();
    return columns_;
  }

  std::vector<std::vector<Complex>> download_sides() override { return download_columns(*sides_); }
  void upload_solution(std::size_t k, const std::vector<Complex>& solution) override {
    copies_.put(solution.data(), solution.size(), column(*solutions_, k));
  }
  std::vector<std::vector<Complex>> download_solutions() override { return download_columns(*solutions_); }

  std::span<const double> find_sources(const Vectors& psi, double factor, bool with_case) override {
    const std::span<const double> sources = room_for_sources((3 + 12 * count()) * at(sources_count_));
    find_currents(psi, with_case);
    PutSources kernel{electric_.rows(), magnetic_.rows(), current_->data(), solutions_->data(), inner_, rows_};
    kernel.places = places_.data();
    kernel.factor = factor;
    kernel.sets = columns_.count;
    kernel.to = sources_->data();
    backend_.rows(sources_count_ * columns_.count, kernel);
    if (with_case)
      backend_.rows(static_cast<std::int32_t>(sources.size()), Combine{case_->sources.data(), sources_->data(), 1, 1});
    backend_.synchronize();
    return sources;
  }
  std::vector<double> download_sources() override { return sources_->download(0, source_numbers_); }

  const double* upload_sums(std::span<const double> sums) override {
    if (!sums_ || sums_->size() < sums.size()) sums_.emplace(backend_, sums.size());
    backend_.move(sums_->data(), sums.data(), sums.size());
    backend_.synchronize();
    return sums_->data();
  }
  void take_sums(const double* sums, double scale, const std::vector<Vector>& psi) override {
    for_groups(psi.size(), vectors_at_once, [&](std::size_t first, std::size_t size) {
      TakeSums kernel{sums, static_cast<std::int32_t>(psi.size()), static_cast<std::int32_t>(first),
                      static_cast<std::int32_t>(size), scale};
      name(psi, first, size, kernel.to);
      backend_.rows(points_ * kernel.count, kernel);
    });
    backend_.synchronize();
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return backend_.allocated_bytes() + (mass_solver_ ? mass_solver_->bytes() : 0);
  }

 private:
  /// Of any shape.
  template <class V>
  struct Matrix {
    template <class T>
    Matrix(Backend& backend, const SparseRowsOf<T>& of)
        : first(backend, of.first), column(backend, of.column), values(backend, as_numbers<T>(of.value)) {}
    /// Any values.
    Matrix(Backend& backend, const CsrPattern& of)
        : first(backend, of.first), column(backend, of.column), values(backend, of.column.size()) {}
    [[nodiscard]] WholeRows<V> rows() const {
      return {first.data(), first.data() + 1, column.data(), values.data(), 0};
    }
    Buffer<std::int64_t> first;
    Buffer<std::int32_t> column;
    Buffer<V> values;
  };
  struct Drive {
    Drive(Backend& backend, const BoundaryDrive& of)
        : rows(backend, of.rows),
          sides(backend, as_numbers<Complex>(of.sides)),
          flux(backend, as_numbers<Complex>(of.flux)),
          sources(backend, of.sources),
          sets(of.sets) {}
    Buffer<std::int32_t> rows;
    Buffer<N> sides, flux;
    Buffer<double> sources;
    std::size_t sets;
  };
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  static N* to_number(const Complex* place) { return reinterpret_cast<N*>(const_cast<Complex*>(place)); }
  static Complex* to_complex(N* place) { return reinterpret_cast<Complex*>(place); }
  static double* parts_of(const Complex* place) { return reinterpret_cast<double*>(const_cast<Complex*>(place)); }
  [[nodiscard]] std::size_t length() const { return 2 * at(points_); }
  [[nodiscard]] std::size_t count() const { return at(columns_.count); }
  [[nodiscard]] Complex* column(Buffer<N>& columns, std::size_t k) const {
    return to_complex(columns.data() + k * at(rows_));
  }
  [[nodiscard]] std::vector<Vector> columns_of(Buffer<N>& columns, std::int32_t rows) const {
    std::vector<Vector> places;
    for (std::size_t k = 0; k < count(); ++k) places.push_back(to_complex(columns.data() + k * at(rows)));
    return places;
  }
  [[nodiscard]] RunWeights weights() const { return {weights_.data(), 2}; }

  /// Calls use(first, size) for as few groups of at most `most` as there can be, of about the same size.
  template <class Use>
  static void for_groups(std::size_t count, std::size_t most, const Use& use) {
    const std::size_t groups = (count + most - 1) / most;
    for (std::size_t g = 0; g < groups; ++g) use(g * count / groups, (g + 1) * count / groups - g * count / groups);
  }
  /// The places of some vectors, for a kernel.
  template <class V, class To>
  static void name(const std::vector<V>& vectors, std::size_t first, std::size_t size, To* to) {
    for (std::size_t k = 0; k < size; ++k) to[k] = to_number(vectors[first + k]);
  }

  std::vector<std::vector<Complex>> download_columns(Buffer<N>& columns) {
    std::vector<std::vector<Complex>> values(count());
    for_each_task(count(), backend_.threads(), [&](std::size_t k) { values[k].resize(at(rows_)); });
    for (std::size_t k = 0; k < count(); ++k)
      copies_.get(static_cast<const Complex*>(column(columns, k)), at(rows_), values[k].data());
    return values;
  }

  void reserve_products(std::size_t numbers) {
    if (products_ && products_->size() >= numbers) return;
    products_.reset();
    products_.emplace(backend_, 2 * numbers);
  }
  /// Memory of the host that the device writes to.
  void reserve_results(std::size_t numbers) {
    if (results_ && results_->size() >= numbers) return;
    results_.reset();
    results_.emplace(backend_, 2 * numbers);
  }

  void find_products(const Vectors& a, const Vectors& b, N* to) {
    for_groups(a.size(), BlockProducts::most_rows, [&](std::size_t i, std::size_t rows) {
      for_groups(b.size(), BlockProducts::most_columns, [&](std::size_t k, std::size_t columns) {
        BlockProducts kernel;
        kernel.a_count = static_cast<std::int32_t>(rows);
        kernel.b_count = static_cast<std::int32_t>(columns);
        kernel.weights = weights();
        kernel.stride = static_cast<std::int32_t>(b.size());
        kernel.to = to + i * b.size() + k;
        name(a, i, rows, kernel.a);
        name(b, k, columns, kernel.b);
        backend_.tiles(static_cast<std::int32_t>(length()), kernel);
      });
    });
  }
  /// y_k = scale y_k + factor sum_i parts[i][k] x_i
  void add_multiples(double factor, const Complex* parts, const Vectors& x, double scale,
                     const std::vector<Vector>& y) {
    for_groups(y.size(), sums_at_once, [&](std::size_t k, std::size_t columns) {
      for_groups(x.size(), multiples_at_once, [&](std::size_t i, std::size_t rows) {
        AddMultiples kernel;
        kernel.x_count = static_cast<std::int32_t>(rows);
        kernel.y_count = static_cast<std::int32_t>(columns);
        kernel.parts = to_number(parts) + i * y.size() + k;
        kernel.stride = static_cast<std::int32_t>(y.size());
        kernel.factor = factor;
        kernel.scale = i == 0 ? scale : 1;
        name(x, i, rows, kernel.x);
        name(y, k, columns, kernel.y);
        backend_.rows(static_cast<std::int32_t>(length()), kernel);
      });
    });
  }

  std::span<const double> room_for_sources(std::size_t numbers) {
    if (!sources_ || sources_->size() < numbers) sources_.emplace(backend_, numbers);
    source_numbers_ = numbers;
    return {sources_->data(), numbers};
  }

  void reserve_vectors(std::size_t vectors) {
    if (taken_ + free_.size() >= vectors) return;
    const std::size_t more = vectors - taken_ - free_.size();
    vectors_.emplace_back(backend_, more * length());
    for (std::size_t k = more; k-- > 0;) free_.push_back(to_complex(vectors_.back().data() + k * length()));
  }

  void make_room(std::int32_t columns) {
    columns_.count = columns;
    const std::size_t size = at(columns) * at(rows_);
    if (sides_ && sides_->size() >= size) return;
    for (auto* buffer : {&sides_, &solutions_, &residuals_, &corrections_}) {
      buffer->reset();
      buffer->emplace(backend_, size);
    }
    for (auto* buffer : {&flux_of_inner_, &current_}) {
      buffer->reset();
      buffer->emplace(backend_, at(columns) * at(inner_));
    }
    columns_.sides = column(*sides_, 0);
    columns_.solutions = column(*solutions_, 0);
    columns_.residuals = column(*residuals_, 0);
    columns_.corrections = column(*corrections_, 0);
    columns_.find_residuals = [this] { return find_residuals(); };
    columns_.correct = [this] {
      backend_.rows(2 * columns_.count * rows_,
                    Combine{parts_of(columns_.corrections), parts_of(columns_.solutions), 1, 1});
      backend_.synchronize();
    };
  }

  /// y_k = scale y_k + weight A x_k; `places`: of the rows in y.
  template <class V, class X>
  void multiply(const Matrix<V>& a, std::int32_t rows, const std::vector<X>& x, const std::vector<Vector>& y,
                double scale, double weight, const std::int32_t* places = nullptr) {
    multiply(a.rows(), rows, x, y, y, scale, weight, places);
  }
  template <class Rows, class X>
  void multiply(const Rows& a, std::int32_t rows, const std::vector<X>& x, const std::vector<Vector>& base,
                const std::vector<Vector>& y, double scale, double weight, const std::int32_t* places) {
    for_groups(y.size(), ColumnProducts<Rows>::columns, [&](std::size_t first, std::size_t size) {
      ColumnProducts<Rows> kernel;
      kernel.matrix = a;
      kernel.places = places;
      kernel.count = static_cast<std::int32_t>(size);
      kernel.scale = scale;
      kernel.weight = weight;
      name(x, first, size, kernel.x);
      name(base, first, size, kernel.base);
      name(y, first, size, kernel.y);
      backend_.rows(rows, kernel);
    });
  }

  std::vector<double> find_residuals() {
    const std::vector<Vector> sides = columns_of(*sides_, rows_), residuals = columns_of(*residuals_, rows_);
    multiply(system_, rows_, columns_of(*solutions_, rows_), sides, residuals, 1, -1, nullptr);
    Vectors both(residuals.begin(), residuals.end());
    both.insert(both.end(), sides.begin(), sides.end());
    const std::vector<double> squares = find_squares(both, {}, at(rows_));
    std::vector<double> relative;
    for (std::size_t k = 0; k < count(); ++k)
      relative.push_back(squares[count() + k] == 0 ? 0 : std::sqrt(squares[k] / squares[count() + k]));
    return relative;
  }

  /// S^-1 (F x - T Psi + t)
  void find_currents(const Vectors& psi, bool with_case) {
    if (inner_ == 0) return;
    const std::vector<Vector> flux = columns_of(*flux_of_inner_, inner_);
    multiply(*flux_, inner_, columns_of(*solutions_, rows_), flux, 0, 1);
    if (with_case)
      backend_.rows(2 * inner_ * columns_.count,
                    Combine{parts_of(to_complex(case_->flux.data())), parts_of(flux.front()), 1, 1});
    if (from_outside_ && !psi.empty()) multiply(*from_outside_, inner_, psi, flux, 1, -1);
    if (inverse_)
      multiply(DenseRows{inverse_->data(), inner_}, inner_, flux, flux, columns_of(*current_, inner_), 0, 1, nullptr);
    else
      mass_solver_->solve(*flux_of_inner_, *current_, columns_.count);
  }

  void factorise(const CsrMatrix<double>& mass, const std::shared_ptr<const FactorDevice>& factors) {
    mass_.pattern = mass.pattern;
    mass_.values.assign(mass.values.begin(), mass.values.end());
    mass_solver_.emplace(backend_, *mass_.pattern, factors);
    mass_solver_->factorise(mass_);
  }
  /// Few substitutions take the device longer than the product with all entries of a small inverse.
  void invert(const CsrMatrix<double>& mass, const std::shared_ptr<const FactorDevice>& factors) {
    const std::size_t entries = at(inner_) * at(inner_);
    Buffer<double> ones(backend_, entries);
    backend_.rows(inner_, PutOnes{ones.data(), inner_});
    DirectOnDevice<Backend, double> solver(backend_, *mass.pattern, factors);
    solver.factorise(mass);
    inverse_.emplace(backend_, entries);
    solver.solve(ones, *inverse_, inner_);
  }

  std::vector<double> find_squares(const Vectors& a, const RunWeights& weights, std::size_t numbers) {
    reserve_results(a.size());
    for_groups(a.size(), vectors_at_once, [&](std::size_t first, std::size_t size) {
      WeightedSquares kernel;
      kernel.count = static_cast<std::int32_t>(size);
      kernel.weights = weights;
      kernel.to = results_->data() + first;
      name(a, first, size, kernel.a);
      backend_.rows(static_cast<std::int32_t>(numbers), kernel);
    });
    backend_.synchronize();
    return {results_->data(), results_->data() + a.size()};
  }

  Backend backend_;
  StagedCopies<Backend> copies_;
  std::int32_t rows_, inner_, sources_count_, points_, driven_;
  Buffer<double> weights_;
  Matrix<double> moments_, electric_, magnetic_;
  Buffer<std::int32_t> unknowns_;  ///< of the rows of moments
  std::optional<Matrix<double>> from_outside_;
  std::optional<Matrix<N>> flux_;
  std::optional<Matrix<N>> own_system_;  ///< a copy of the host's
  WholeRows<N> system_;                  ///< at the frequency
  CsrMatrix<Complex> mass_;
  std::optional<DirectOnDevice<Backend, Complex>> mass_solver_;
  std::optional<Buffer<double>> inverse_;  ///< of it, in its place
  Buffer<double> places_;
  std::optional<Drive> case_;  ///< what drives it
  ResidentColumns<Complex> columns_;
  std::optional<Buffer<N>> sides_, solutions_, residuals_, corrections_, flux_of_inner_, current_, products_;
  std::optional<typename Backend::template Staging<double>> results_;
  std::optional<Buffer<double>> sources_, sums_;
  std::size_t source_numbers_ = 0;
  std::vector<Buffer<N>> vectors_;  ///< room for some each
  std::vector<Vector> free_;
  std::size_t taken_ = 0;
};

}  // namespace tetrawave::fem::device
