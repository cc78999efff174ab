// A ResidentStep by the kernels of a backend.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fem/device/kernel_list.hpp"
#include "fem/device/resident_step.hpp"
#include "fem/sparse/device_matrix.hpp"

namespace tetrawave::fem::device {

/// Backend: see fem/device/device_system.hpp.
template <class Backend>
class StepOnDevice final : public ResidentStep {
 public:
  template <class V>
  using Buffer = typename Backend::template Buffer<V>;

  StepOnDevice(Backend backend, const StepMatrices& of)
      : backend_(std::move(backend)),
        mass_(*this, *of.mass),
        moments_(*this, *of.moments),
        curls_(*this, *of.curls),
        electric_(backend_, unknowns()),
        numbers_(backend_, of.numbers),
        side_(backend_, unknowns()),
        mid_(backend_, unknowns()),
        work_(backend_, unknowns()),
        side_places_(*this, of.side_places),
        mid_places_(*this, of.mid_places),
        electric_places_(*this, of.electric_places),
        number_places_(*this, of.number_places),
        plain_(static_cast<std::size_t>(of.curls->pattern->rows())),
        squares_(make(*of.squares)),
        results_(backend_, earlier_solutions) {
    if (!of.keep->empty()) keep_.emplace(make(*of.keep));
    if (of.system != nullptr) {
      ensure(of.system->pattern == of.mass->pattern, "the matrix of a step has the pattern of its mass");
      if (of.system->on_device == nullptr) system_copy_.emplace(make(of.system->values));
      system_ = system_copy_ ? system_copy_->data() : of.system->on_device->values();
      if (!system_copy_) bytes_elsewhere_ += 8 * of.system->pattern->nonzeros();
      for (int k = 0; k < earlier_solutions; ++k) earlier_.emplace_back(backend_, unknowns());
    }
    for (const auto* response : of.responses) responses_.push_back(make(*response));
  }

  void put_fields(const std::vector<double>& electric, const std::vector<double>& numbers) override {
    electric_.upload(electric);
    numbers_.upload(numbers);
  }

  void take_fields(std::vector<double>& electric, std::vector<double>& numbers) override {
    electric = electric_.download();
    const std::vector<double> plain = numbers_.download(0, plain_);
    std::copy(plain.begin(), plain.end(), numbers.begin());
  }

  void put_earlier(const std::vector<std::vector<double>>& x) override {
    for (std::size_t k = 0; k < earlier_.size(); ++k) earlier_[k].upload(x[k]);
  }
  void take_earlier(std::vector<std::vector<double>>& x) override {
    for (std::size_t k = 0; k < earlier_.size(); ++k) x[k] = earlier_[k].download();
  }

  void keep_mid() override {
    std::rotate(earlier_.begin(), earlier_.end() - 1, earlier_.end());
    backend_.rows(rows(), ScaleRows<double, 1>{nullptr, mid_.data(), earlier_.front().data(), nullptr});
  }

  EarlierNumbers multiply_earlier(int which) override {
    const double* const x = earlier_[static_cast<std::size_t>(which)].data();
    multiply(mass_, system_, x, x, work_.data(), 0, -1);
    return products_with(work_.data());
  }
  EarlierNumbers multiply_side() override { return products_with(side_.data()); }

  void combine_earlier(const EarlierNumbers& factors) override {
    SumVectors<earlier_solutions> kernel;
    for (std::size_t k = 0; k < earlier_.size(); ++k) {
      kernel.x[k] = earlier_[k].data();
      kernel.factors[k] = factors[k];
    }
    kernel.y = mid_.data();
    backend_.rows(rows(), kernel);
    backend_.synchronize();
  }

  std::array<double, 2> energies() override {
    multiply(mass_, mass_.values, electric_.data(), electric_.data(), work_.data(), 0, -1);
    Products kernel;
    kernel.x[0] = electric_.data();
    kernel.y = work_.data();
    const double electric = sum(rows(), kernel)[0];
    kernel.x[0] = kernel.y = numbers_.data();
    kernel.weights = squares_.data();
    return {electric, sum(curls_.rows, kernel)[0]};
  }

  void find_side(const std::vector<double>& added, const std::vector<double>& numbers) override {
    if (numbers.size() > plain_)
      numbers_.upload(std::vector<double>(numbers.begin() + static_cast<std::ptrdiff_t>(plain_), numbers.end()),
                      plain_);
    multiply(mass_, mass_.values, electric_.data(), side_.data(), side_.data(), 0, -1);
    multiply(moments_, moments_.values, numbers_.data(), side_.data(), side_.data(), 1, -1);
    side_places_.put(backend_, added);
    if (side_places_.count() > 0)
      backend_.rows(side_places_.count(),
                    AddNumbers{side_places_.places.data(), side_places_.values.data(), side_.data()});
    backend_.synchronize();
  }

  [[nodiscard]] const double* side() override { return side_.data(); }
  [[nodiscard]] double* mid() override { return mid_.data(); }

  void read_mid(std::vector<double>& mid) override { read(mid_places_, mid_, mid); }

  void add_response(std::size_t which, double factor) override {
    backend_.rows(rows(), Combine{responses_[which].data(), mid_.data(), factor, 1});
  }

  void advance(std::vector<double>& electric, std::vector<double>& numbers) override {
    backend_.rows(rows(), Combine{mid_.data(), electric_.data(), 2, -1});
    if (keep_)
      backend_.rows(curls_.rows, ScaleRows<double, 1>{keep_->data(), numbers_.data(), numbers_.data(), nullptr});
    multiply(curls_, curls_.values, mid_.data(), numbers_.data(), numbers_.data(), 1, 1);
    read(electric_places_, electric_, electric);
    read(number_places_, numbers_, numbers);
  }

  [[nodiscard]] std::int64_t bytes() const override { return backend_.allocated_bytes() + bytes_elsewhere_; }

 private:
  /// A matrix that is there, or a copy of the host's.
  struct Matrix {
    Matrix(StepOnDevice& step, const CsrMatrix<double>& of) : rows(of.pattern->rows()) {
      if (of.on_device != nullptr) {
        first = of.on_device->first();
        column = of.on_device->column();
        values = of.on_device->values();
        step.bytes_elsewhere_ += 12 * of.pattern->nonzeros() + 8 * (rows + 1);
        return;
      }
      first = copy_first.emplace(step.make(of.pattern->first)).data();
      column = copy_column.emplace(step.make(of.pattern->column)).data();
      values = copy_values.emplace(step.make(of.values)).data();
    }
    std::int32_t rows;
    const std::int64_t* first = nullptr;
    const std::int32_t* column = nullptr;
    const double* values = nullptr;
    std::optional<Buffer<std::int64_t>> copy_first;
    std::optional<Buffer<std::int32_t>> copy_column;
    std::optional<Buffer<double>> copy_values;
  };
  /// Places of a vector, and their values.
  struct Places {
    Places(StepOnDevice& step, const std::vector<std::int32_t>& of)
        : on_host(of), places(step.make(of)), values(step.backend_, of.size()), moved(of.size()) {}
    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(on_host.size()); }
    void put(Backend&, const std::vector<double>& from) {
      for (std::size_t k = 0; k < on_host.size(); ++k) moved[k] = from[static_cast<std::size_t>(on_host[k])];
      if (!moved.empty()) values.upload(moved);
    }
    std::vector<std::int32_t> on_host;
    Buffer<std::int32_t> places;
    Buffer<double> values;
    std::vector<double> moved;
  };

  template <class List>
  [[nodiscard]] auto make(const List& values) {
    using V = typename List::value_type;
    return Buffer<V>(backend_, std::span<const V>(values));
  }
  [[nodiscard]] std::int32_t rows() const { return mass_.rows; }
  [[nodiscard]] std::size_t unknowns() const { return static_cast<std::size_t>(mass_.rows); }

  /// y = scale base - weight A x, A with the pattern of `a`
  void multiply(const Matrix& a, const double* values, const double* x, const double* base, double* y, double scale,
                double weight) {
    SweepRows<double, 1, PartOfRows<double>> kernel{{a.first, a.first + 1, a.column, values, 0}, nullptr, x, base, y};
    kernel.scale = scale;
    kernel.weight = weight;
    backend_.rows(a.rows, kernel);
  }

  using Products = VectorProducts<earlier_solutions>;
  [[nodiscard]] EarlierNumbers sum(std::int32_t count, Products kernel) {
    kernel.results = results_.data();
    backend_.rows(count, kernel);
    EarlierNumbers found{};
    const std::vector<double> values = results_.download();
    std::copy(values.begin(), values.end(), found.begin());
    return found;
  }
  [[nodiscard]] EarlierNumbers products_with(const double* y) {
    Products kernel;
    for (std::size_t k = 0; k < earlier_.size(); ++k) kernel.x[k] = earlier_[k].data();
    kernel.y = y;
    return sum(rows(), kernel);
  }

  void read(Places& places, const Buffer<double>& from, std::vector<double>& to) {
    if (places.count() == 0) return;
    backend_.rows(places.count(), TakeRows<double>{places.places.data(), from.data(), places.values.data()});
    const std::vector<double> values = places.values.download();
    for (std::size_t k = 0; k < values.size(); ++k) to[static_cast<std::size_t>(places.on_host[k])] = values[k];
  }

  Backend backend_;
  std::int64_t bytes_elsewhere_ = 0;  ///< of matrices that were there
  Matrix mass_, moments_, curls_;
  const double* system_ = nullptr;  ///< values of A
  std::optional<Buffer<double>> system_copy_;
  Buffer<double> electric_, numbers_, side_, mid_, work_;
  Places side_places_, mid_places_, electric_places_, number_places_;
  std::size_t plain_;  ///< numbers of h
  Buffer<double> squares_, results_;
  std::vector<Buffer<double>> earlier_;  ///< the latest first
  std::optional<Buffer<double>> keep_;
  std::vector<Buffer<double>> responses_;
};

}  // namespace tetrawave::fem::device
