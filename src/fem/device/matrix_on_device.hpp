// A DeviceMatrix by the kernels of a backend.
#pragma once

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fem/device/as_numbers.hpp"
#include "fem/device/kernel_list.hpp"
#include "fem/device/staged_copies.hpp"
#include "fem/sparse/device_matrix.hpp"

namespace tetrawave::fem::device {

/// Backend: see fem/device/device_system.hpp.
template <class Backend, class T>
class MatrixOnDevice final : public DeviceMatrix<T> {
 public:
  using N = NumberOf<T>;

  /// The backend and what it has at these places must outlive it.
  MatrixOnDevice(Backend& backend, std::int32_t rows, const std::int64_t* first, const std::int32_t* column,
                 typename Backend::template Buffer<N> values)
      : backend_(backend),
        copies_(backend),
        rows_(rows),
        values_(std::move(values)),
        matrix_{first, first + 1, column, values_.data(), 0} {}

  [[nodiscard]] const std::int64_t* first() const override { return matrix_.begin; }
  [[nodiscard]] const std::int32_t* column() const override { return matrix_.column; }
  [[nodiscard]] const T* values() const override { return reinterpret_cast<const T*>(matrix_.values); }
  [[nodiscard]] N* numbers() { return values_.data(); }
  void read(UnsetVector<T>& values) override {
    values.resize(values_.size());
    copies_.get(this->values(), values.size(), values.data());
  }

  const ResidentColumns<T>& put(std::span<const std::vector<T>> sides,
                                std::span<const std::vector<T>> solutions) override {
    ensure(solutions.empty() || solutions.size() == sides.size(), "a right-hand side has a solution");
    const std::size_t numbers = sides.size() * size();
    T* const to = reserve(sides_, numbers);
    columns_ = {static_cast<std::int32_t>(sides.size()),
                to,
                reserve(solutions_, numbers),
                reserve(residuals_, numbers),
                solutions.empty() ? reserve(corrections_, numbers) : nullptr,
                [this] { return find_residuals(); },
                [this] { correct(); }};
    if (!squares_ || squares_->size() < 2 * sides.size()) {
      squares_.reset();
      squares_.emplace(backend_, 2 * sides.size());
    }
    for (std::size_t k = 0; k < sides.size(); ++k) copies_.put(sides[k].data(), size(), to + k * size());
    for (std::size_t k = 0; k < solutions.size(); ++k)
      copies_.put(solutions[k].data(), size(), columns_.solutions + k * size());
    return columns_;
  }
  void take(std::span<std::vector<T>> solutions) override {
    for (std::size_t k = 0; k < solutions.size(); ++k)
      copies_.get(static_cast<const T*>(columns_.solutions + k * size()), size(), solutions[k].data());
  }

 private:
  using Columns = std::optional<typename Backend::template Buffer<N>>;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(rows_); }
  T* reserve(Columns& columns, std::size_t numbers) {
    if (!columns || columns->size() < numbers) {
      columns.reset();
      columns.emplace(backend_, numbers);
    }
    return reinterpret_cast<T*>(columns->data());
  }

  std::vector<double> find_residuals() {
    const auto count = static_cast<std::size_t>(columns_.count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = k * size();
      backend_.rows(rows_, FindResidual<N>{matrix_, sides_->data() + at, solutions_->data() + at,
                                           residuals_->data() + at, squares_->data() + 2 * k});
    }
    backend_.synchronize();
    std::vector<double> relative;
    for (std::size_t k = 0; k < count; ++k) {
      const double of_residual = squares_->data()[2 * k], of_side = squares_->data()[2 * k + 1];
      relative.push_back(of_side == 0 ? 0 : std::sqrt(of_residual / of_side));
    }
    return relative;
  }
  void correct() {
    for (std::int32_t k = 0; k < columns_.count; ++k) {
      const std::size_t at = static_cast<std::size_t>(k) * size();
      backend_.rows(parts<N> * rows_, Combine{reinterpret_cast<const double*>(corrections_->data() + at),
                                              reinterpret_cast<double*>(solutions_->data() + at), 1, 1});
    }
    backend_.synchronize();
  }

  Backend& backend_;
  StagedCopies<Backend> copies_;
  std::int32_t rows_;
  typename Backend::template Buffer<N> values_;
  WholeRows<N> matrix_;
  ResidentColumns<T> columns_;
  Columns sides_, solutions_, residuals_, corrections_;
  std::optional<typename Backend::template Staging<double>> squares_;  ///< of residual and side, column by column
};

}  // namespace tetrawave::fem::device
