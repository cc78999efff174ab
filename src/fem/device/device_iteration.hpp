// Iterations on devices of one kind, of whole systems and of own rows.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/device/block_iteration.hpp"
#include "fem/device/boundary_on_device.hpp"
#include "fem/device/elements_on_device.hpp"
#include "fem/device/step_on_device.hpp"

namespace tetrawave::fem::device {

template <class Backend, class T>
class DeviceIteration final : public SystemIteration<T> {
 public:
  using typename SystemIteration<T>::Sides;
  using typename SystemIteration<T>::Solutions;

  DeviceIteration(Backend backend, const IterationRequest& request,
                  std::unique_ptr<ApproximateInverse<T>> inverse = nullptr)
      : backend_(std::move(backend)),
        request_(request),
        inverse_(std::move(inverse)),
        system_(backend_, request, 0, nullptr, inverse_.get()) {}

  void prepare(const CsrMatrix<T>& matrix) override {
    system_.set_matrix(matrix, request_.scales);
    if (inverse_) inverse_->set_matrix(matrix);
    if (one_) one_->forget();
    if (block_) block_->forget();
  }

  std::vector<IterationCourse> solve(const Sides& b, const Solutions& x) override {
    std::vector<Task<T>> tasks;
    for (std::size_t k = 0; k < b.size(); ++k) tasks.push_back({b[k], x[k]});
    run({request_.tolerance, request_.max_iterations}, tasks);
    std::vector<IterationCourse> courses;
    for (Task<T>& task : tasks) {
      if (task.outcome.end != IterationEnd::converged)
        fail_without_convergence(request_.preconditioner, request_.tolerance, task.outcome);
      courses.push_back({task.outcome.iterations, std::move(task.history)});
    }
    return courses;
  }

  [[nodiscard]] bool is_on_device() const override { return true; }
  [[nodiscard]] bool is_resident() const override { return std::is_same_v<T, double>; }
  std::int64_t solve_resident(const T* b, T* x) override {
    if constexpr (std::is_same_v<T, double>) {
      if (!one_) one_.emplace(backend_, system_);
      const IterationLimits limits{request_.tolerance, request_.max_iterations};
      std::vector<Task<T>> task(1);
      one_->solve_resident(limits, system_.weights(), system_.scaling(), system_.inverse_scaling(), b, x, task);
      if (task.front().outcome.end != IterationEnd::converged)
        fail_without_convergence(request_.preconditioner, request_.tolerance, task.front().outcome);
      return task.front().outcome.iterations;
    } else {
      return SystemIteration<T>::solve_resident(b, x);
    }
  }

  void iterate(const Sides& b, const Solutions& x, std::int64_t count) override {
    std::vector<Task<T>> tasks;
    for (std::size_t k = 0; k < x.size(); ++k) tasks.push_back({b[k], x[k]});
    run({0, count}, tasks);
  }

  [[nodiscard]] double time_product(std::int64_t products) override {
    if (!one_) one_.emplace(backend_, system_);
    return one_->time_product(products);
  }

  [[nodiscard]] bool is_fresh() const override { return true; }

  [[nodiscard]] std::int64_t bytes() const override {
    return backend_.allocated_bytes() + system_.bytes() + (inverse_ ? inverse_->bytes() : 0);
  }

 private:
  void run(const IterationLimits& limits, std::vector<Task<T>>& tasks) {
    const std::size_t most = system_.has_multigrid() || system_.has_systems() ? 1 : together;
    for (std::size_t first = 0; first < tasks.size();) {
      const std::size_t count = std::min(most, tasks.size() - first);
      const auto begin = tasks.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = begin + static_cast<std::ptrdiff_t>(count);
      std::vector<Task<T>> some(begin, end);
      if (count == 1) {
        if (!one_) one_.emplace(backend_, system_);
        one_->solve(limits, system_.weights(), some);
      } else {
        if (!block_) block_.emplace(backend_, system_);
        block_->solve(limits, system_.weights(), some);
      }
      std::move(some.begin(), some.end(), begin);
      first += count;
    }
  }

  Backend backend_;
  IterationRequest request_;
  std::unique_ptr<ApproximateInverse<T>> inverse_;
  DeviceSystem<Backend, T> system_;
  std::optional<BlockIteration<Backend, T, 1>> one_;
  std::optional<BlockIteration<Backend, T, together>> block_;
};

/// Of own rows.
template <class Backend, class T>
class DeviceRankIteration final : public RankIteration<T> {
 public:
  DeviceRankIteration(Backend backend, const IterationRequest& request, std::size_t ghosts, RankLink<T>& link)
      : backend_(std::move(backend)), system_(backend_, request, ghosts, &link), iteration_(backend_, system_) {}

  void open() override { system_.traffic()->open(); }
  void set_matrix(const CsrMatrix<T>& matrix, const std::vector<double>& weights) override {
    system_.set_matrix(matrix);
    iteration_.forget();
    if (weights.empty()) return weights_.reset();
    if (!weights_) weights_.emplace(backend_, weights.size());
    weights_->upload(weights);
  }
  IterationOutcome solve(const IterationLimits& limits, const std::vector<T>& b, std::vector<T>& x,
                         ResidualHistory& history) override {
    std::vector<Task<T>> task(1);
    task.front().b = &b;
    task.front().x = &x;
    iteration_.solve(limits, weights_ ? weights_->data() : nullptr, task);
    history = std::move(task.front().history);
    return task.front().outcome;
  }
  void set_elements(const ElementRows& rows, const std::vector<double>& factors) override {
    if constexpr (std::is_same_v<T, double>)
      elements_.emplace(backend_, rows, factors);
    else
      RankIteration<T>::set_elements(rows, factors);
  }
  IterationOutcome solve_resident(const IterationLimits& limits, const T* b, T* x) override {
    if constexpr (std::is_same_v<T, double>) {
      elements_->take(b, x);
      std::vector<Task<T>> task(1);
      iteration_.solve_resident(limits, weights_ ? weights_->data() : nullptr, elements_->factors(),
                                elements_->inverse_factors(), elements_->side(), elements_->solution(), task);
      elements_->spread(x);
      return task.front().outcome;
    } else {
      return RankIteration<T>::solve_resident(limits, b, x);
    }
  }
  [[nodiscard]] IterationSeconds seconds() override { return iteration_.seconds(); }
  [[nodiscard]] std::int64_t bytes() const override { return backend_.allocated_bytes(); }

 private:
  Backend backend_;
  DeviceSystem<Backend, T> system_;
  BlockIteration<Backend, T, 1> iteration_;
  std::optional<typename Backend::template Buffer<double>> weights_;
  std::optional<ElementsOnDevice<Backend>> elements_;
};

/// Iterations on devices of make_backend().
template <class MakeBackend>
class DeviceOf final : public IterationDevice {
 public:
  /// Sweeps over triangles with fewer rows to a level, on the mean, are left to the host.
  DeviceOf(MakeBackend make_backend, std::string name, std::int64_t least_rows_of_level)
      : make_(std::move(make_backend)), name_(std::move(name)), least_rows_of_level_(least_rows_of_level) {}

  [[nodiscard]] std::unique_ptr<SystemIteration<double>> make_real(const IterationRequest& request) const override {
    return make<double>(request);
  }
  [[nodiscard]] std::unique_ptr<SystemIteration<Complex>> make_complex(const IterationRequest& request) const override {
    return make<Complex>(request);
  }
  [[nodiscard]] std::unique_ptr<SystemIteration<Complex>> make_by_systems(
      const IterationRequest& request, std::unique_ptr<ApproximateInverse<Complex>> inverse) const override {
    return std::make_unique<DeviceIteration<decltype(make_()), Complex>>(make_(), request, std::move(inverse));
  }
  [[nodiscard]] bool has(Preconditioner preconditioner) const override {
    return preconditioner != Preconditioner::oras;
  }
  [[nodiscard]] std::unique_ptr<RankIteration<double>> make_real(const IterationRequest& request, std::size_t ghosts,
                                                                 RankLink<double>& link) const override {
    return std::make_unique<DeviceRankIteration<decltype(make_()), double>>(make_(), request, ghosts, link);
  }
  [[nodiscard]] std::unique_ptr<RankIteration<Complex>> make_complex(const IterationRequest& request,
                                                                     std::size_t ghosts,
                                                                     RankLink<Complex>& link) const override {
    return std::make_unique<DeviceRankIteration<decltype(make_()), Complex>>(make_(), request, ghosts, link);
  }
  [[nodiscard]] std::unique_ptr<ResidentStep> make_step(const StepMatrices& matrices) const override {
    return std::make_unique<StepOnDevice<decltype(make_())>>(make_(), matrices);
  }
  [[nodiscard]] std::unique_ptr<ResidentBoundary> make_boundary(const BoundaryMatrices& matrices) const override {
    return std::make_unique<BoundaryOnDevice<decltype(make_())>>(make_(), matrices);
  }
  [[nodiscard]] std::string name() const override { return name_; }

 private:
  template <class T>
  [[nodiscard]] std::unique_ptr<SystemIteration<T>> make(const IterationRequest& request) const {
    if (!has(request.preconditioner))
      fail(ExitCode::unavailable,
           "solver.preconditioner: {} iterates on the cores of the host only: use --backend cpu, or another "
           "preconditioner: none, jacobi, ssor, ssor-ai, ilu, ilut or p-multigrid",
           name_of(request.preconditioner));
    if (is_sequential(request)) return make_iteration<T>(request, nullptr);
    return std::make_unique<DeviceIteration<decltype(make_()), T>>(make_(), request);
  }

  [[nodiscard]] bool is_sequential(const IterationRequest& request) const {
    const bool fills = request.preconditioner == Preconditioner::ilut;
    const bool sweeps =
        fills || request.preconditioner == Preconditioner::ssor || request.preconditioner == Preconditioner::ilu;
    if (!sweeps || least_rows_of_level_ == 0) return false;
    const auto stages =
        find_stages(fills ? std::optional(request.fill_in) : std::nullopt, *request.pattern, request.threads);
    const auto levels = static_cast<std::int64_t>(find_levels(*request.pattern, stages.order).first.size()) - 1;
    if (request.pattern->rows() >= least_rows_of_level_ * levels) return false;
    log::info(
        "solver.preconditioner: {} sweeps {} unknowns in {} steps that follow each other, too few at once for a GPU: "
        "it iterates on the cores of the host; jacobi and ssor-ai run on the GPU",
        name_of(request.preconditioner), request.pattern->rows(), levels);
    return true;
  }

  MakeBackend make_;
  std::string name_;
  std::int64_t least_rows_of_level_;
};

}  // namespace tetrawave::fem::device
