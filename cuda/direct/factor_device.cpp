#include "cuda/direct/factor_device.hpp"

#include <cuda_runtime_api.h>
#include <library_types.h>

#include <algorithm>
#include <array>
#include <complex>
#include <future>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "cuda/check.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/direct/cudss_library.hpp"
#include "cuda/direct/entries.hpp"
#include "fem/elimination/nested_dissection.hpp"
#include "fem/sparse/device_matrix.hpp"

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
        device_(device),
        is_definite_(request.kind == fem::MatrixKind::positive_definite),
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
    configure(cudss_config_matching, 0);  // the analysis sees the pattern alone
    TW_CUDSS(library_->data_create(handle_, &data_));
  }

  ~CudssSolver() override {
    if (analysing_.valid()) analysing_.wait();
    if (matrix_ != nullptr) library_->matrix_destroy(matrix_);
    if (data_ != nullptr) library_->data_destroy(handle_, data_);
    if (config_ != nullptr) library_->config_destroy(config_);
    if (handle_ != nullptr) library_->destroy(handle_);
  }
  CudssSolver(const CudssSolver&) = delete;
  CudssSolver& operator=(const CudssSolver&) = delete;

  void begin_analysis() override {
    if (is_analysed_ || analysing_.valid()) return;
    analysing_ = std::async(std::launch::async, [this] {
      use_device();
      find_order();
    });
  }

  fem::FactorPlan analyse() override {
    await_order();
    std::int64_t entries = 0;
    get(cudss_data_factor_entries, entries);
    return {0, static_cast<double>(entries), bytes()};
  }

  void factorise(const fem::CsrMatrix<T>& matrix) override {
    await_order();
    use_device();
    Stopwatch watch;
    if (matrix.on_device != nullptr) {
      const fem::DeviceMatrix<T>& there = *matrix.on_device;
      take_upper(backend_.stream(), pattern_.rows(), there.first(), first_.data(), there.values(), values_.data());
    } else {
      upload_entries(values_, stage_, [&](std::size_t row, F* to) {
        const auto* from = matrix.values.data() + pattern_.first[row] + before_[row];
        std::transform(from, matrix.values.data() + pattern_.first[row + 1], to,
                       [](const T& value) { return static_cast<F>(value); });
      });
      note("upload", watch.lap());
    }
    run(is_factorised_ ? cudss_refactorization : cudss_factorization, nullptr, nullptr);
    backend_.synchronize();
    note("factorisation", watch.lap());
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
    use_device();
    for (std::int32_t from = 0; from < count; from += together)
      solve_some(columns, from, std::min(together, count - from));
  }

  [[nodiscard]] bool is_resident() const override { return true; }
  void solve_resident(const T* sides, T* solutions, std::int32_t count) override {
    use_device();
    const auto some = static_cast<std::int32_t>(std::clamp<std::int64_t>(entries_of_columns / rows_, together, 1024));
    for (std::int32_t from = 0; from < count; from += some) {
      const std::int32_t columns = std::min(some, count - from);
      if constexpr (std::is_same_v<T, F>) {  // cuDSS' descriptions of vectors are not const
        substitute(const_cast<T*>(sides) + from * rows_, solutions + from * rows_, columns);
      } else {
        const std::size_t size = make_room(columns);
        convert(backend_.stream(), size, sides + from * rows_, sides_.data());
        substitute(sides_.data(), solutions_.data(), columns);
        convert(backend_.stream(), size, solutions_.data(), solutions + from * rows_);
      }
    }
    backend_.synchronize();
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
  [[nodiscard]] std::vector<std::pair<std::string, double>> seconds() const override { return seconds_; }

 private:
  static constexpr std::int32_t together = 64;                 ///< right-hand sides
  static constexpr std::int64_t entries_of_columns = 1 << 22;  ///< up to which there are more of a small system

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

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  void note(const char* part, double seconds) {
    const auto known =
        std::find_if(seconds_.begin(), seconds_.end(), [part](const auto& one) { return one.first == part; });
    if (known == seconds_.end())
      seconds_.emplace_back(part, seconds);
    else
      known->second += seconds;
  }

  /// Of the calling thread: solvers may have a thread each.
  void use_device() const { check(cudaSetDevice(device_), "cudaSetDevice"); }

  void list_upper_triangle() {
    before_.resize(at(rows_));
    upper_.assign(at(rows_) + 1, 0);
    const auto begin = [this](std::size_t row) { return pattern_.column.begin() + pattern_.first[row]; };
    for_each_index(at(rows_), options_.threads, [&](std::size_t row) {
      const auto diagonal = std::lower_bound(begin(row), begin(row + 1), static_cast<std::int32_t>(row));
      before_[row] = static_cast<std::int32_t>(diagonal - begin(row));
    });
    std::int64_t entries = 0;
    for (std::size_t row = 0; row < at(rows_); ++row) {
      upper_[row] = static_cast<std::int32_t>(entries);
      entries += pattern_.first[row + 1] - pattern_.first[row] - before_[row];
      if (entries > std::numeric_limits<std::int32_t>::max())
        fail(ExitCode::out_of_memory,
             "the matrix has more than 2^31 entries, which {} does not take: use --backend cpu", library_->version());
    }
    upper_.back() = static_cast<std::int32_t>(entries);
    first_ = CudaBackend::Buffer<std::int32_t>(backend_, upper_.size());
    column_ = CudaBackend::Buffer<std::int32_t>(backend_, at(entries));
    values_ = CudaBackend::Buffer<F>(backend_, at(entries));
    first_.upload(upper_);
    std::optional<CudaBackend::Staging<std::int32_t>> stage;
    upload_entries(column_, stage, [&](std::size_t row, std::int32_t* to) {
      std::copy(begin(row) + before_[row], begin(row + 1), to);
    });
    CudssTriangle triangle{rows_, entries, first_.data(), column_.data(), values_.data(), value_type_of<F>(), false};
    triangle.is_definite = is_definite_;
    matrix_ = library_->make_matrix(triangle);
  }

  /// fill(row, to) writes what the entries of a row of the upper triangle have.
  template <class V, class Fill>
  void upload_entries(CudaBackend::Buffer<V>& entries, std::optional<CudaBackend::Staging<V>>& stage,
                      const Fill& fill) {
    for (std::size_t row = 0, end = 0; row < at(rows_); row = end) {
      const std::int64_t from = upper_[row];
      const auto beyond =
          std::upper_bound(upper_.begin() + static_cast<std::ptrdiff_t>(row), upper_.end(), from + piece);
      end = std::max(row + 1, static_cast<std::size_t>(beyond - upper_.begin()) - 1);
      const std::size_t count = at(upper_[end] - from);
      V* const to = room_for(stage, count);
      for_each_index(end - row, options_.threads, [&](std::size_t k) { fill(row + k, to + (upper_[row + k] - from)); });
      backend_.stream().to_device(entries.data() + from, to, count * sizeof(V));
    }
  }
  /// Arrays pass through page-locked memory piece by piece: a whole copy takes longer to be given out by the system
  /// than to be filled.
  static constexpr std::int64_t piece = 1 << 23;
  template <class V>
  V* room_for(std::optional<CudaBackend::Staging<V>>& stage, std::size_t count) {
    if (!stage || stage->size() < count) {
      stage.reset();
      stage.emplace(backend_, count);
    }
    return stage->data();
  }

  /// Ours where unknowns have positions: cuDSS' own takes most of an analysis, on one or two cores.
  void choose_order() {
    const int levels =
        library_->numbers().data_tree == 0 || pattern_.positions.empty() ? 0 : fem::dissection_levels(pattern_.rows());
    if (levels == 0) return;
    Stopwatch watch;
    order_ = fem::dissect(pattern_, levels, options_.threads);
    note("order", watch.lap());
  }

  void run_analysis() {
    if (order_.levels > 0) {
      configure(library_->numbers().config_levels, order_.levels);
      give(cudss_data_order, order_.row);
      give(library_->numbers().data_tree, order_.sizes);
    }
    Stopwatch watch;
    run(cudss_analysis, nullptr, nullptr);
    note("symbolic", watch.lap());
  }
  void give(int parameter, const std::vector<std::int32_t>& values) {
    TW_CUDSS(library_->data_set(handle_, data_, parameter, values.data(), values.size() * sizeof(std::int32_t)));
  }

  void await_order() {
    if (analysing_.valid()) analysing_.get();
    if (!is_analysed_) find_order();
  }

  void find_order() {
    std::future<double> triangle;  // beside the order
    if (matrix_ == nullptr)
      triangle = std::async(std::launch::async, [this] {
        Stopwatch watch;
        use_device();
        list_upper_triangle();
        return watch.lap();
      });
    choose_order();
    if (triangle.valid()) note("triangle", triangle.get());
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

  /// The numbers of these columns.
  std::size_t make_room(std::int32_t columns) {
    const std::size_t size = at(rows_) * at(columns);
    if (size > sides_.size()) {
      sides_ = CudaBackend::Buffer<F>(backend_, size);
      solutions_ = CudaBackend::Buffer<F>(backend_, size);
    }
    return size;
  }

  void solve_some(std::vector<T>& columns, std::int32_t from, std::int32_t count) {
    const std::size_t size = make_room(count);
    const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(from) * rows_;
    for_pieces(size, [&](std::size_t first, std::size_t length, F* stage) {
      const auto column = begin + static_cast<std::ptrdiff_t>(first);
      for_each_index(length, options_.threads,
                     [&](std::size_t k) { stage[k] = static_cast<F>(column[static_cast<std::ptrdiff_t>(k)]); });
      backend_.stream().to_device(sides_.data() + first, stage, length * sizeof(F));
    });
    substitute(sides_.data(), solutions_.data(), count);
    for_pieces(size, [&](std::size_t first, std::size_t length, F* stage) {
      const auto to = begin + static_cast<std::ptrdiff_t>(first);
      backend_.stream().to_host(stage, solutions_.data() + first, length * sizeof(F));
      for_each_index(length, options_.threads,
                     [&](std::size_t k) { to[static_cast<std::ptrdiff_t>(k)] = static_cast<T>(stage[k]); });
    });
  }
  template <class Work>
  void for_pieces(std::size_t size, const Work& work) {
    for (std::size_t first = 0; first < size; first += static_cast<std::size_t>(piece)) {
      const std::size_t length = std::min(size - first, static_cast<std::size_t>(piece));
      work(first, length, room_for(stage_, length));
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
  int device_;
  bool is_definite_;
  CudaBackend backend_;
  const fem::CsrPattern& pattern_;
  std::int64_t rows_;
  bool is_analysed_ = false;
  bool is_factorised_ = false;
  std::int64_t device_bytes_ = 0;
  std::int64_t host_bytes_ = 0;
  std::future<void> analysing_;
  fem::EliminationOrder order_;       ///< until the analysis is done
  std::vector<std::int32_t> upper_;   ///< per row of the upper triangle, and the end
  std::vector<std::int32_t> before_;  ///< per row: entries below the diagonal
  std::optional<CudaBackend::Staging<F>> stage_;
  std::vector<std::pair<std::string, double>> seconds_;
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
      : library_(std::move(library)), device_(device), options_(options) {
    // The context of the GPU takes part of a second: it is made beside the set-up of a case.
    context_ = std::async(std::launch::async, [device] {
      if (cudaSetDevice(device) == cudaSuccess) cudaFree(nullptr);  // errors come again with the first buffer
    });
  }

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
  std::future<void> context_;
};

}  // namespace

std::shared_ptr<const fem::FactorDevice> find_factor_device(int device, const FactorOptions& options) {
  auto library = CudssLibrary::find();
  if (!library) return nullptr;
  return std::make_shared<CudssDevice>(std::move(library), device, options);
}

void open_factor_library() { (void)CudssLibrary::find(); }

std::string describe_factor_library() {
  const auto library = CudssLibrary::find();
  if (library)
    return library->version() + (library->threading_layer().empty()
                                     ? ", without its threading layer (libcudss_mtlayer_gomp beside it)"
                                     : ", with its threading layer");
  return tetrawave::format(
      "cuDSS was not found ({}): pip install nvidia-cudss-cu{} has it, and TETRAWAVE_CUDSS names the file",
      CudssLibrary::places(), CUDART_VERSION / 1000);
}

}  // namespace tetrawave::cuda
