#include "cuda/direct/factor_device.hpp"

#include <cuda_runtime_api.h>
#include <library_types.h>

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/direct/cudss_library.hpp"
#include "fem/sparse/nested_dissection.hpp"

#define TW_CUDSS(call) check_cudss(call, #call)

namespace tetrawave::cuda {

namespace {

template <class F>
constexpr int value_type_of() {
  if constexpr (std::is_same_v<F, float>) return CUDA_R_32F;
  if constexpr (std::is_same_v<F, double>) return CUDA_R_64F;
  if constexpr (std::is_same_v<F, std::complex<float>>) return CUDA_C_32F;
  return CUDA_C_64F;
}

/// T: of the matrix; F: of the factors.
template <class T, class F>
class CudssSolver : public fem::DirectSolver<T> {
 public:
  CudssSolver(std::shared_ptr<const CudssLibrary> library, int device, const FactorOptions& options,
              const fem::FactorRequest& request)
      : library_(std::move(library)),
        options_(options),
        backend_(device, options.threads),
        pattern_(*request.pattern),
        rows_(pattern_.rows()),
        first_(backend_, 0),
        column_(backend_, 0),
        values_(backend_, 0),
        sides_(backend_, 0),
        solutions_(backend_, 0) {
    TW_CUDSS(library_->create(&handle_));
    TW_CUDSS(library_->set_stream(handle_, backend_.stream().handle()));
    if (!library_->threading_layer().empty())
      TW_CUDSS(library_->set_threading_layer(handle_, library_->threading_layer().c_str()));
    TW_CUDSS(library_->config_create(&config_));
    configure(library_->numbers().config_threads, options.threads);
    list_upper_triangle();
    CudssTriangle triangle{rows_,          static_cast<std::int64_t>(source_.size()),
                           first_.data(),  column_.data(),
                           values_.data(), value_type_of<F>(),
                           false};
    triangle.is_definite = is_definite_ = request.kind == fem::MatrixKind::positive_definite;
    matrix_ = library_->make_matrix(triangle);
    TW_CUDSS(library_->data_create(handle_, &data_));
  }

  ~CudssSolver() override {
    if (matrix_ != nullptr) library_->matrix_destroy(matrix_);
    if (data_ != nullptr) library_->data_destroy(handle_, data_);
    if (config_ != nullptr) library_->config_destroy(config_);
    if (handle_ != nullptr) library_->destroy(handle_);
  }
  CudssSolver(const CudssSolver&) = delete;
  CudssSolver& operator=(const CudssSolver&) = delete;

  fem::FactorPlan analyse() override {
    if (!is_analysed_) find_order();
    std::int64_t entries = 0;
    get(cudss_data_factor_entries, entries);
    return {0, static_cast<double>(entries), bytes()};
  }

  void factorise(const fem::CsrMatrix<T>& matrix) override {
    for (std::size_t k = 0; k < source_.size(); ++k) rounded_[k] = static_cast<F>(matrix.values[source_[k]]);
    values_.upload(rounded_);
    if (!is_analysed_) find_order();
    run(is_factorised_ ? cudss_refactorization : cudss_factorization, nullptr, nullptr);
    backend_.synchronize();
    is_factorised_ = true;
    int info = 0;
    get(cudss_data_info, info);
    if (info != 0 && is_definite_)
      fail(ExitCode::unstable,
           "the matrix is not positive definite ({}, row {}): look for a material with a negative constant",
           library_->version(), info);
    if (info != 0)
      fail(ExitCode::unstable, "the matrix is singular ({}, row {}): look for {}a region without equations",
           library_->version(), info,
           std::is_same_v<T, fem::Complex> ? "a resonance without losses at this frequency, or for " : "");
  }

  void solve(std::vector<T>& columns, std::int32_t count) override {
    constexpr std::int32_t together = 64;
    for (std::int32_t from = 0; from < count; from += together)
      solve_some(columns, from, std::min(together, count - from));
  }

  [[nodiscard]] bool is_resident() const override { return std::is_same_v<T, F>; }
  void solve_resident(const T* side, T* solution) override {
    if constexpr (std::is_same_v<T, F>) {
      substitute(const_cast<T*>(side), solution, 1);  // cuDSS' descriptions of vectors are not const
      backend_.synchronize();
    } else {
      fem::DirectSolver<T>::solve_resident(side, solution);
    }
  }

  [[nodiscard]] std::optional<std::int64_t> negative_pivots() const override {
    std::array<int, 2> signs{};  // positive, negative
    int perturbed = 0;
    get(cudss_data_inertia, signs);
    get(cudss_data_perturbed_pivots, perturbed);
    if (perturbed > 0) return std::nullopt;
    return signs[1];
  }

  [[nodiscard]] std::int64_t bytes() const override { return device_bytes_ + host_bytes_; }

 private:
  /// Entries of the memory estimates.
  enum Estimate : std::size_t { peak_of_device = 1, peak_of_host = 3, hybrid_of_host = 5 };

  template <class Value>
  void configure(int parameter, Value value) {
    TW_CUDSS(library_->config_set(config_, parameter, &value, sizeof(value)));
  }
  template <class Value>
  void get(int parameter, Value& value) const {
    std::size_t written = 0;
    TW_CUDSS(library_->data_get(handle_, data_, parameter, &value, sizeof(value), &written));
  }
  void run(int phase, void* solution, void* side) {
    TW_CUDSS(library_->execute(handle_, phase, config_, data_, matrix_, solution, side));
  }

  void list_upper_triangle() {
    std::vector<std::int32_t> first{0}, column;
    for (std::int32_t i = 0; i < rows_; ++i) {
      for (auto k = pattern_.first[static_cast<std::size_t>(i)]; k < pattern_.first[static_cast<std::size_t>(i) + 1];
           ++k)
        if (const std::int32_t j = pattern_.column[static_cast<std::size_t>(k)]; j >= i) {
          column.push_back(j);
          source_.push_back(static_cast<std::size_t>(k));
        }
      first.push_back(static_cast<std::int32_t>(column.size()));
    }
    if (source_.size() > std::numeric_limits<std::int32_t>::max())
      fail(ExitCode::out_of_memory, "the matrix has more than 2^31 entries, which {} does not take: use --backend cpu",
           library_->version());
    rounded_.resize(source_.size());
    first_ = CudaBackend::Buffer<std::int32_t>(backend_, first.size());
    column_ = CudaBackend::Buffer<std::int32_t>(backend_, column.size());
    values_ = CudaBackend::Buffer<F>(backend_, source_.size());
    first_.upload(first);
    column_.upload(column);
  }

  /// With our order where unknowns have positions: cuDSS' own takes most of an analysis, on one or two cores.
  void run_analysis() {
    const int levels =
        library_->numbers().data_tree == 0 || pattern_.positions.empty() ? 0 : fem::dissection_levels(pattern_.rows());
    if (levels > 0) {
      if (order_.levels == 0) order_ = fem::dissect(pattern_, levels, options_.threads);
      configure(library_->numbers().config_levels, levels);
      give(cudss_data_order, order_.row);
      give(library_->numbers().data_tree, order_.sizes);
    }
    run(cudss_analysis, nullptr, nullptr);
  }
  void give(int parameter, const std::vector<std::int32_t>& values) {
    TW_CUDSS(library_->data_set(handle_, data_, parameter, values.data(), values.size() * sizeof(std::int32_t)));
  }

  void find_order() {
    const std::int64_t free = backend_.free_bytes(1);
    const std::int64_t limit = options_.memory_limit > 0 ? std::min(options_.memory_limit, free) : free;
    run_analysis();
    std::array<std::int64_t, 16> estimates{};
    get(library_->numbers().data_memory_estimates, estimates);
    if (estimates[peak_of_device] > limit) {
      keep_on_host(limit, estimates[peak_of_device]);
      get(library_->numbers().data_memory_estimates, estimates);
      device_bytes_ = limit;
      host_bytes_ = estimates[hybrid_of_host];
    } else {
      device_bytes_ = estimates[peak_of_device];
      host_bytes_ = estimates[peak_of_host];
    }
    is_analysed_ = true;
    order_ = {};
  }

  /// Analyses again for factors in the host's memory.
  void keep_on_host(std::int64_t limit, std::int64_t needed) {
    TW_CUDSS(library_->data_destroy(handle_, std::exchange(data_, nullptr)));
    TW_CUDSS(library_->data_create(handle_, &data_));
    configure(library_->numbers().config_hybrid_memory, 1);
    configure(library_->numbers().config_hybrid_limit, limit);
    run_analysis();
    std::int64_t least = 0;
    get(cudss_data_hybrid_minimum, least);
    const auto available = available_bytes();
    if (least > limit || (available && needed > *available))
      fail(ExitCode::out_of_memory,
           "the factors of the matrix take about {} of the GPU's memory, or {} of it with the rest on the host, but {} "
           "are free there and {} on the host: use solver.precision: mixed, a coarser mesh, or solver.method: bicgstab",
           describe_bytes(needed), describe_bytes(least), describe_bytes(limit),
           available ? describe_bytes(*available) : std::string("enough"));
    log::info(
        "the factors take about {} of the GPU, and {} are free: they are kept in the host's memory, which is slower",
        describe_bytes(needed), describe_bytes(limit));
  }

  void solve_some(std::vector<T>& columns, std::int32_t from, std::int32_t count) {
    const auto size = static_cast<std::size_t>(rows_) * static_cast<std::size_t>(count);
    const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(from) * rows_;
    if (size > sides_.size()) {
      sides_ = CudaBackend::Buffer<F>(backend_, size);
      solutions_ = CudaBackend::Buffer<F>(backend_, size);
    }
    if constexpr (std::is_same_v<T, F>)
      backend_.stream().to_device(sides_.data(), &*begin, size * sizeof(F));
    else
      sides_.upload(std::vector<F>(begin, begin + static_cast<std::ptrdiff_t>(size)));
    substitute(sides_.data(), solutions_.data(), count);
    if constexpr (std::is_same_v<T, F>) {
      backend_.stream().to_host(&*begin, solutions_.data(), size * sizeof(F));
    } else {
      const std::vector<F> found = solutions_.download(0, size);
      std::copy(found.begin(), found.end(), begin);
    }
  }

  /// `count` columns on the device.
  void substitute(F* from, F* to, std::int32_t count) {
    constexpr int by_columns = 0;
    void *side = nullptr, *solution = nullptr;
    TW_CUDSS(library_->dense_create(&side, rows_, count, rows_, from, value_type_of<F>(), by_columns));
    TW_CUDSS(library_->dense_create(&solution, rows_, count, rows_, to, value_type_of<F>(), by_columns));
    const int status = library_->execute(handle_, cudss_solve, config_, data_, matrix_, solution, side);
    library_->matrix_destroy(side);
    library_->matrix_destroy(solution);
    check_cudss(status, "cudssExecute of the solution");
  }

  std::shared_ptr<const CudssLibrary> library_;
  FactorOptions options_;
  CudaBackend backend_;
  const fem::CsrPattern& pattern_;
  std::int64_t rows_;
  bool is_definite_ = false;
  bool is_analysed_ = false;
  bool is_factorised_ = false;
  std::int64_t device_bytes_ = 0;
  std::int64_t host_bytes_ = 0;
  fem::EliminationOrder order_;      ///< until the analysis is done
  std::vector<std::size_t> source_;  ///< of the upper triangle in the CSR matrix
  std::vector<F> rounded_;
  CudaBackend::Buffer<std::int32_t> first_, column_;
  CudaBackend::Buffer<F> values_, sides_, solutions_;
  void* handle_ = nullptr;
  void* config_ = nullptr;
  void* data_ = nullptr;
  void* matrix_ = nullptr;
};

class CudssDevice : public fem::FactorDevice {
 public:
  CudssDevice(std::shared_ptr<const CudssLibrary> library, int device, const FactorOptions& options)
      : library_(std::move(library)), device_(device), options_(options) {}

  [[nodiscard]] std::unique_ptr<fem::DirectSolver<double>> make_real(const fem::FactorRequest& request) const override {
    return make<double, float>(request);
  }
  [[nodiscard]] std::unique_ptr<fem::DirectSolver<fem::Complex>> make_complex(
      const fem::FactorRequest& request) const override {
    return make<fem::Complex, std::complex<float>>(request);
  }
  [[nodiscard]] std::string name() const override { return library_->version(); }

 private:
  template <class T, class Rounded>
  std::unique_ptr<fem::DirectSolver<T>> make(const fem::FactorRequest& request) const {
    if (request.is_single) return std::make_unique<CudssSolver<T, Rounded>>(library_, device_, options_, request);
    return std::make_unique<CudssSolver<T, T>>(library_, device_, options_, request);
  }

  std::shared_ptr<const CudssLibrary> library_;
  int device_;
  FactorOptions options_;
};

}  // namespace

std::shared_ptr<const fem::FactorDevice> find_factor_device(int device, const FactorOptions& options) {
  auto library = CudssLibrary::find();
  if (!library) return nullptr;
  return std::make_shared<CudssDevice>(std::move(library), device, options);
}

std::string describe_factor_library() {
  const auto library = CudssLibrary::find();
  if (library) return library->version();
  return tetrawave::format(
      "cuDSS was not found ({}): pip install nvidia-cudss-cu{} has it, and TETRAWAVE_CUDSS names the file",
      CudssLibrary::places(), CUDART_VERSION / 1000);
}

}  // namespace tetrawave::cuda
