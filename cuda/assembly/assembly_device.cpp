#include "cuda/assembly/assembly_device.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "cuda/assembly/assembly_backend.hpp"
#include "fem/assembly/assembly_on.hpp"

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
        values_(backend_, static_cast<std::size_t>(on_.nonzeros())) {}

  [[nodiscard]] fem::CsrPattern read_pattern() override {
    fem::CsrPattern pattern;
    pattern.first = on_.first().download();
    read(pattern.column, on_.column().data(), on_.column().size());
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
  void read(UnsetVector<T>& values) override {
    read(values, reinterpret_cast<const T*>(values_.data()), values_.size());
  }
  void release() override { on_.release(); }
  [[nodiscard]] const fem::AssemblyFigures& figures() const override { return on_.figures(); }

 private:
  /// By way of page-locked memory, piece by piece.
  template <class V>
  void read(UnsetVector<V>& to, const V* from, std::size_t count) {
    to.resize(count);
    if (!stage_) stage_.emplace(backend_, std::size_t{1} << 26);
    const std::size_t piece = stage_->size() / sizeof(V);
    for (std::size_t first = 0; first < count; first += piece) {
      const std::size_t length = std::min(piece, count - first);
      backend_.stream().to_host(stage_->data(), from + first, length * sizeof(V));
      const auto* read = reinterpret_cast<const V*>(stage_->data());
      for_each_index(length, backend_.threads(), [&](std::size_t k) { to[first + k] = read[k]; });
    }
  }

  AssemblyBackend backend_;
  std::vector<std::int32_t> group_;
  fem::device::AssemblyOn<AssemblyBackend> on_;
  AssemblyBackend::Buffer<N> values_;
  std::optional<AssemblyBackend::Staging<char>> stage_;  ///< pages of the host are written by several threads
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
