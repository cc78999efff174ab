// A DeviceAssembly by the kernels of a backend (fem/assembly/assembly_on.hpp, fem/device/device_system.hpp).
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fem/assembly/assembly_on.hpp"
#include "fem/device/matrix_on_device.hpp"

namespace tetrawave::fem::device {

template <class Backend>
class AssemblyOnDevice : public DeviceAssembly {
 public:
  template <class V>
  using Buffer = typename Backend::template Buffer<V>;

  AssemblyOnDevice(Backend backend, const EdgeSpace& space, const ElementShapes& shapes,
                   std::span<const ElementFace> walls, AssemblyMethod method)
      : backend_(std::move(backend)), group_(space.vertex), on_(backend_, space, shapes, walls, method) {}

  [[nodiscard]] CsrPattern read_pattern() override {
    CsrPattern pattern;
    pattern.first = on_.first().download();
    StagedCopies copies(backend_);
    pattern.column.resize(on_.column().size());
    copies.get(static_cast<const std::int32_t*>(on_.column().data()), pattern.column.size(), pattern.column.data());
    pattern.positions.resize(static_cast<std::size_t>(on_.rows()));
    const Buffer<double> positions(backend_, 3 * pattern.positions.size());
    on_.place_unknowns(positions.data());
    copies.get(static_cast<const double*>(positions.data()), positions.size(), pattern.positions.data()->data());
    pattern.group = group_;
    return pattern;
  }
  void set_kinds(std::span<const std::int32_t> kind) override { on_.set_kinds(kind); }
  DeviceMatrix<double>& assemble(std::span<const EdgeCoefficients<double>> coefficients,
                                 std::span<const double> factors) override {
    return assemble_in(real_, coefficients, factors);
  }
  DeviceMatrix<Complex>& assemble(std::span<const EdgeCoefficients<Complex>> coefficients,
                                  std::span<const Complex> factors) override {
    return assemble_in(complex_, coefficients, factors);
  }
  [[nodiscard]] std::unique_ptr<DeviceMatrix<double>> take_real() override { return std::move(real_); }
  void reserve_complex() override { reserve(complex_); }
  void release() override { on_.release(); }
  [[nodiscard]] const WallLists& walls() const override { return on_.walls(); }
  [[nodiscard]] const ElementTables& tables() const override { return on_.tables(); }
  [[nodiscard]] const AssemblyFigures& figures() const override { return on_.figures(); }

 private:
  template <class T>
  using Place = std::unique_ptr<MatrixOnDevice<Backend, T>>;

  template <class T>
  void reserve(Place<T>& place) {
    if (place) return;
    Buffer<NumberOf<T>> values(backend_, static_cast<std::size_t>(on_.nonzeros()));
    place = std::make_unique<MatrixOnDevice<Backend, T>>(backend_, on_.rows(), on_.first().data(), on_.column().data(),
                                                         std::move(values));
  }
  template <class T>
  DeviceMatrix<T>& assemble_in(Place<T>& place, std::span<const EdgeCoefficients<T>> coefficients,
                               std::span<const T> factors) {
    reserve(place);
    on_.template assemble<T>(coefficients, factors, place->numbers());
    return *place;
  }

  Backend backend_;
  std::vector<std::int32_t> group_;
  AssemblyOn<Backend> on_;
  Place<double> real_;
  Place<Complex> complex_;
};

/// `make`: a backend.
template <class Make>
class AssemblyDeviceOf final : public AssemblyDevice {
 public:
  AssemblyDeviceOf(Make make, std::string name) : make_(std::move(make)), name_(std::move(name)) {}

  [[nodiscard]] std::unique_ptr<DeviceAssembly> make(const EdgeSpace& space, const ElementShapes& shapes,
                                                     std::span<const ElementFace> walls,
                                                     AssemblyMethod method) const override {
    return std::make_unique<AssemblyOnDevice<decltype(make_())>>(make_(), space, shapes, walls, method);
  }
  [[nodiscard]] std::string name() const override { return name_; }

 private:
  Make make_;
  std::string name_;
};

}  // namespace tetrawave::fem::device
