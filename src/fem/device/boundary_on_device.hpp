// A ResidentBoundary by the kernels of a backend.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fem/device/boundary_kernels.hpp"
#include "fem/device/direct_on_device.hpp"
#include "fem/device/resident_boundary.hpp"

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
        rows_(of.system->rows()),
        inner_(of.mass->pattern->rows()),
        sources_count_(static_cast<std::int32_t>(of.electric.rows() / 3)),
        points_(static_cast<std::int32_t>(of.weights.size())),
        weights_(backend_, of.weights),
        moments_(backend_, of.moments),
        electric_(backend_, of.electric),
        magnetic_(backend_, of.magnetic),
        system_first_(backend_, of.system->first),
        system_column_(backend_, of.system->column),
        system_values_(backend_, of.system->column.size()),
        places_(backend_, of.electric.rows()),
        electric_current_(backend_, of.electric.rows()),
        magnetic_current_(backend_, of.electric.rows()) {
    if (of.from_outside.rows() > 0) from_outside_.emplace(backend_, of.from_outside);
    if (inner_ == 0) return;
    mass_.pattern = of.mass->pattern;
    mass_.values.assign(of.mass->values.begin(), of.mass->values.end());
    mass_solver_.emplace(backend_, *mass_.pattern, of.factors);
    mass_solver_->factorise(mass_);
  }

  Vector take() override {
    constexpr std::size_t some = 8;
    if (free_.empty()) {
      vectors_.emplace_back(backend_, some * length());
      for (std::size_t k = some; k-- > 0;) free_.push_back(to_complex(vectors_.back().data() + k * length()));
    }
    const Vector vector = std::exchange(free_.back(), nullptr);
    free_.pop_back();
    combine(0, vector, 0, vector);
    return vector;
  }
  void give(Vector vector) override { free_.push_back(vector); }
  std::vector<Complex> download(const Complex* vector) override { return get(vector, length()); }

  void combine(double alpha, const Complex* x, double beta, Vector y) override {
    backend_.rows(static_cast<std::int32_t>(2 * length()), Combine{parts_of(x), parts_of(y), alpha, beta});
  }

  void add(std::span<const Complex> factors, std::span<const Complex* const> x, Vector y) override {
    for (std::size_t first = 0; first < x.size(); first += vectors_at_once) {
      AddMultiples kernel;
      for (std::size_t k = first; k < std::min(x.size(), first + vectors_at_once); ++k) {
        kernel.factor[k - first] = {factors[k].real(), factors[k].imag()};
        kernel.x[k - first] = to_number(x[k]);
        ++kernel.count;
      }
      kernel.y = to_number(y);
      backend_.rows(static_cast<std::int32_t>(length()), kernel);
    }
  }

  std::vector<Complex> products(const Vectors& a, const Vectors& b) override {
    std::vector<Complex> result(a.size() * b.size());
    N* to = results(result.size());
    for (const Complex* vector : b) to = queue_products(a, vector, weights_.data(), 2, length(), to);
    const std::vector<Complex> found = get(to_complex(results_->data()), result.size());  // [k][i]
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t i = 0; i < a.size(); ++i) result[i * b.size() + k] = found[k * a.size() + i];
    return result;
  }

  std::vector<double> squares(const Vectors& a) override {
    N* to = results(a.size());
    for (const Complex* vector : a) to = queue_products({vector}, vector, weights_.data(), 2, length(), to);
    return read_squares(a.size());
  }

  void set_frequency(const CsrMatrix<Complex>& matrix, const SparseRows& flux) override {
    backend_.move(system_values_.data(), reinterpret_cast<const N*>(matrix.values.data()), matrix.values.size());
    flux_.emplace(backend_, flux);
    backend_.synchronize();
  }

  const ResidentColumns& drive(const Vectors& psi) override {
    make_room(static_cast<std::int32_t>(psi.size()));
    for (std::size_t k = 0; k < psi.size(); ++k) multiply(moments_, rows_, psi[k], column(*sides_, k), 0, -1);
    backend_.synchronize();
    return columns_;
  }

  void add_to_sides(const std::vector<std::vector<Complex>>& sides) override {
    for (std::size_t k = 0; k < count(); ++k) {
      Complex* const added = column(*corrections_, k);
      put(sides[k], added);
      backend_.rows(2 * rows_, Combine{parts_of(added), parts_of(column(*sides_, k)), 1, 1});
    }
    backend_.synchronize();
  }
  std::vector<std::vector<Complex>> download_sides() override {
    std::vector<std::vector<Complex>> sides;
    for (std::size_t k = 0; k < count(); ++k) sides.push_back(get(column(*sides_, k), at(rows_)));
    return sides;
  }
  void upload_solutions(const std::vector<std::vector<Complex>>& solutions) override {
    for (std::size_t k = 0; k < count(); ++k) put(solutions[k], column(*solutions_, k));
  }

  std::vector<Complex> download_solution(std::size_t k) override { return get(column(*solutions_, k), at(rows_)); }

  std::span<const double> find_sources(const Vectors& psi, const std::vector<double>& places, double factor) override {
    const std::span<const double> sources = room_for_sources((3 + 12 * count()) * at(sources_count_));
    places_.upload(places);
    find_currents(psi);
    for (std::size_t k = 0; k < count(); ++k) {
      multiply(electric_, 3 * sources_count_, inner_column(*current_, k), to_complex(electric_current_.data()), 0, -1);
      multiply(magnetic_, 3 * sources_count_, column(*solutions_, k), to_complex(magnetic_current_.data()), 0, -1);
      backend_.rows(sources_count_,
                    PutSources{places_.data(), electric_current_.data(), magnetic_current_.data(), factor,
                               static_cast<std::int32_t>(k), static_cast<std::int32_t>(count()), sources_->data()});
    }
    backend_.synchronize();
    return sources;
  }
  std::span<const double> upload_sources(const std::vector<double>& sources) override {
    const std::span<const double> room = room_for_sources(sources.size());
    sources_->upload(sources);
    return room;
  }
  std::vector<double> download_sources() override { return sources_->download(0, source_numbers_); }

  const double* upload_sums(std::span<const double> sums) override {
    if (!sums_ || sums_->size() < sums.size()) sums_.emplace(backend_, sums.size());
    backend_.move(sums_->data(), sums.data(), sums.size());
    backend_.synchronize();
    return sums_->data();
  }
  void take_sums(const double* sums, double scale, const std::vector<Vector>& psi) override {
    for (std::size_t k = 0; k < psi.size(); ++k)
      backend_.rows(points_, TakeSums{sums, static_cast<std::int32_t>(k), static_cast<std::int32_t>(psi.size()), scale,
                                      to_number(psi[k])});
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
    [[nodiscard]] WholeRows<V> rows() const {
      return {first.data(), first.data() + 1, column.data(), values.data(), 0};
    }
    Buffer<std::int64_t> first;
    Buffer<std::int32_t> column;
    Buffer<V> values;
  };
  using ComplexProduct = SweepRows<N, 1, WholeRows<N>>;

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  static N* to_number(const Complex* place) { return reinterpret_cast<N*>(const_cast<Complex*>(place)); }
  static Complex* to_complex(N* place) { return reinterpret_cast<Complex*>(place); }
  static double* parts_of(const Complex* place) { return reinterpret_cast<double*>(const_cast<Complex*>(place)); }
  [[nodiscard]] std::size_t length() const { return 2 * at(points_); }
  [[nodiscard]] std::size_t count() const { return at(columns_.count); }
  [[nodiscard]] Complex* column(Buffer<N>& columns, std::size_t k) const {
    return to_complex(columns.data() + k * at(rows_));
  }
  [[nodiscard]] Complex* inner_column(Buffer<N>& columns, std::size_t k) const {
    return to_complex(columns.data() + k * at(inner_));
  }

  void put(const std::vector<Complex>& values, Complex* to) {
    backend_.move(to, values.data(), values.size());
    backend_.synchronize();
  }
  std::vector<Complex> get(const Complex* from, std::size_t numbers) {
    std::vector<Complex> values(numbers);
    backend_.move(values.data(), from, numbers);
    backend_.synchronize();
    return values;
  }

  std::span<const double> room_for_sources(std::size_t numbers) {
    if (!sources_ || sources_->size() < numbers) sources_.emplace(backend_, numbers);
    source_numbers_ = numbers;
    return {sources_->data(), numbers};
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

  /// y = scale y - weight A x
  void multiply(const Matrix<double>& a, std::int32_t rows, const Complex* x, Complex* y, double scale, double weight) {
    ProductOfParts kernel{a.rows(), nullptr, parts_of(x), parts_of(y), parts_of(y)};
    kernel.scale = scale;
    kernel.weight = weight;
    backend_.rows(rows, kernel);
  }

  std::vector<double> find_residuals() {
    N* to = results(2 * count());
    for (std::size_t k = 0; k < count(); ++k) {
      const Complex* const side = column(*sides_, k);
      Complex* const residual = column(*residuals_, k);
      const WholeRows<N> system{system_first_.data(), system_first_.data() + 1, system_column_.data(),
                                system_values_.data(), 0};
      backend_.rows(rows_, ComplexProduct{system, nullptr, to_number(column(*solutions_, k)), to_number(side),
                                          to_number(residual)});
      for (const Complex* vector : {static_cast<const Complex*>(residual), side})
        to = queue_products({vector}, vector, nullptr, 1, at(rows_), to);
    }
    const std::vector<double> squares = read_squares(2 * count());
    std::vector<double> residuals;
    for (std::size_t k = 0; k < count(); ++k)
      residuals.push_back(squares[2 * k + 1] == 0 ? 0 : std::sqrt(squares[2 * k] / squares[2 * k + 1]));
    return residuals;
  }

  /// S^-1 (F x - T Psi)
  void find_currents(const Vectors& psi) {
    if (inner_ == 0) return;
    for (std::size_t k = 0; k < count(); ++k) {
      Complex* const flux = inner_column(*flux_of_inner_, k);
      ComplexProduct kernel{flux_->rows(), nullptr, to_number(column(*solutions_, k)), to_number(flux),
                            to_number(flux)};
      kernel.scale = 0;
      kernel.weight = -1;
      backend_.rows(inner_, kernel);
      if (from_outside_) multiply(*from_outside_, inner_, psi[k], flux, 1, 1);
    }
    mass_solver_->solve(*flux_of_inner_, *current_, columns_.count);
  }

  /// Room for numbers that are downloaded together.
  N* results(std::size_t numbers) {
    if (!results_ || results_->size() < numbers) results_.emplace(backend_, numbers);
    return results_->data();
  }
  /// (a_i, b) one after the other; returns the place behind them.
  N* queue_products(const Vectors& a, const Complex* b, const double* weights, std::int32_t run, std::size_t numbers,
                    N* to) {
    for (std::size_t first = 0; first < a.size(); first += vectors_at_once) {
      WeightedProducts kernel;
      for (std::size_t i = first; i < std::min(a.size(), first + vectors_at_once); ++i)
        kernel.a[kernel.count++] = to_number(a[i]);
      kernel.b = to_number(b);
      kernel.weights = weights;
      kernel.run = run;
      kernel.to = to;
      backend_.rows(static_cast<std::int32_t>(numbers), kernel);
      to += kernel.count;
    }
    return to;
  }
  std::vector<double> read_squares(std::size_t numbers) {
    std::vector<double> squares;
    for (const Complex& number : get(to_complex(results_->data()), numbers)) squares.push_back(number.real());
    return squares;
  }

  Backend backend_;
  std::int32_t rows_, inner_, sources_count_, points_;
  Buffer<double> weights_;
  Matrix<double> moments_, electric_, magnetic_;
  std::optional<Matrix<double>> from_outside_;
  std::optional<Matrix<N>> flux_;
  Buffer<std::int64_t> system_first_;
  Buffer<std::int32_t> system_column_;
  Buffer<N> system_values_;
  CsrMatrix<Complex> mass_;
  std::optional<DirectOnDevice<Backend, Complex>> mass_solver_;
  Buffer<double> places_;
  Buffer<N> electric_current_, magnetic_current_;
  ResidentColumns columns_;
  std::optional<Buffer<N>> sides_, solutions_, residuals_, corrections_, flux_of_inner_, current_, results_;
  std::optional<Buffer<double>> sources_, sums_;
  std::size_t source_numbers_ = 0;
  std::vector<Buffer<N>> vectors_;  ///< room for some each
  std::vector<Vector> free_;
};

}  // namespace tetrawave::fem::device
