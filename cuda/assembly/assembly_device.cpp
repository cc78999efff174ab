#include "cuda/assembly/assembly_device.hpp"

#include <utility>
#include <vector>

#include "cuda/assembly/assembly_backend.hpp"
#include "fem/assembly/assembly_on.hpp"
#include "fem/device/matrix_on_device.hpp"

namespace tetrawave::cuda {

namespace {

template <class T>
class CudaAssembly final : public fem::DeviceAssembly<T> {
 public:
  using N = fem::device::NumberOf<T>;

  CudaAssembly(AssemblyBackend backend, const fem::EdgeSpace& space, const fem::ElementShapes& shapes,
               std::span<const fem::ElementFace> walls, AssemblyMethod method)
      : backend_(std::move(backend)),
        group_(space.vertex),
        on_(backend_, space, shapes, walls, method),
        values_(backend_, static_cast<std::size_t>(on_.nonzeros())),
        matrix_(backend_, on_.rows(), on_.nonzeros(), on_.first().data(), on_.column().data(), values_.data()) {}

  [[nodiscard]] fem::CsrPattern read_pattern() override {
    fem::CsrPattern pattern;
    pattern.first = on_.first().download();
    pattern.column.resize(on_.column().size());
    fem::device::StagedCopies(backend_).get(matrix_.column(), pattern.column.size(), pattern.column.data());
    pattern.positions.resize(static_cast<std::size_t>(on_.rows()));
    AssemblyBackend::Buffer<double> positions(backend_, 3 * pattern.positions.size());
    on_.place_unknowns(positions.data());
    backend_.stream().to_host(pattern.positions.data(), positions.data(), positions.size() * sizeof(double));
    pattern.group = group_;
    return pattern;
  }
  void set_kinds(std::span<const std::int32_t> kind) override { on_.set_kinds(kind); }
  void assemble(std::span<const fem::EdgeCoefficients<T>> coefficients, std::span<const T> factors) override {
    on_.template assemble<T>(coefficients, factors, values_.data());
  }
  [[nodiscard]] fem::DeviceMatrix<T>& matrix() override { return matrix_; }
  void release() override { on_.release(); }
  [[nodiscard]] const fem::AssemblyFigures& figures() const override { return on_.figures(); }

 private:
  AssemblyBackend backend_;
  std::vector<std::int32_t> group_;
  fem::device::AssemblyOn<AssemblyBackend> on_;
  AssemblyBackend::Buffer<N> values_;
  fem::device::MatrixOnDevice<AssemblyBackend, T> matrix_;
};

class CudaAssemblyDevice final : public fem::AssemblyDevice {
 public:
  CudaAssemblyDevice(int device, int threads) : device_(device), threads_(threads) {}

  [[nodiscard]] std::unique_ptr<fem::DeviceAssembly<double>> make_real(const fem::EdgeSpace& space,
                                                                       const fem::ElementShapes& shapes,
                                                                       std::span<const fem::ElementFace> walls,
                                                                       AssemblyMethod method) const override {
    return std::make_unique<CudaAssembly<double>>(AssemblyBackend(device_, threads_), space, shapes, walls, method);
  }
  [[nodiscard]] std::unique_ptr<fem::DeviceAssembly<fem::Complex>> make_complex(const fem::EdgeSpace& space,
                                                                                const fem::ElementShapes& shapes,
                                                                                std::span<const fem::ElementFace> walls,
                                                                                AssemblyMethod method) const override {
    return std::make_unique<CudaAssembly<fem::Complex>>(AssemblyBackend(device_, threads_), space, shapes, walls,
                                                        method);
  }
  [[nodiscard]] std::string name() const override { return place_of(device_).name; }

 private:
  int device_, threads_;
};

}  // namespace

std::shared_ptr<const fem::AssemblyDevice> make_assembly_device(int device, int threads) {
  return std::make_shared<CudaAssemblyDevice>(device, threads);
}

}  // namespace tetrawave::cuda
