// BiCGStab on a device (fem/device/kernels.hpp): the vectors stay there, and the host sees norms.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/stopwatch.hpp"
#include "fem/device/boundary_on_device.hpp"
#include "fem/device/device_system.hpp"
#include "fem/device/step_on_device.hpp"
#include "fem/sparse/diagonal_scaling.hpp"

namespace tetrawave::fem::device {

/// One side of a system and its solution, with what was found of it.
template <class T>
struct Task {
  const std::vector<T>* b = nullptr;
  std::vector<T>* x = nullptr;
  double norm_b = 0;
  IterationOutcome outcome{};
  ResidualHistory history{};
  double at_restart = 0;  ///< norm at the last breakdown
  int restarts = 0;       ///< that brought nothing
  std::int64_t seen = 0;  ///< iterations in the history
};

/// Up to R systems at once, which take the decisions of BiCgStab (fem/solvers/bicgstab.cpp).
template <class Backend, class T, int R>
class BlockIteration {
 public:
  using N = NumberOf<T>;
  template <class V>
  using Buffer = typename Backend::template Buffer<V>;

  BlockIteration(Backend& backend, DeviceSystem<Backend, T>& system)
      : backend_(backend),
        system_(system),
        size_(system.places() * R),
        vectors_(backend, vector_count * size_),
        state_of_device_(backend, R),
        state_(R) {
    N* next = vectors_.data();
    const auto take = [&] { return std::exchange(next, next + size_); };
    for (N** vector :
         {&v_.x, &v_.b, &v_.r, &v_.shadow, &v_.p, &v_.v, &v_.t, &v_.p_hat, &v_.r_hat, &work_[0], &work_[1]})
      *vector = take();
    v_.state = state_of_device_.data();
  }

  /// `weights`: on the device, or null.
  void solve(const IterationLimits& limits, const double* weights, std::vector<Task<T>>& tasks) {
    upload(tasks);
    iterate(limits, weights, tasks);
    const std::vector<N> x = vectors_.download(0, size_);
    for (std::size_t r = 0; r < tasks.size(); ++r) {
      N* to = reinterpret_cast<N*>(tasks[r].x->data());
      for (std::size_t i = 0; i < tasks[r].x->size(); ++i) to[i] = tasks[r].norm_b == 0 ? N{} : x[i * R + r];
    }
  }

  /// One task, whose vectors are on the device: x and b are divided and multiplied by `scaling` (null: 1), which is
  /// there, too, with its inverse.
  void solve_resident(const IterationLimits& limits, const double* weights, const N* scaling, const N* inverse_scaling,
                      const N* b, N* x, std::vector<Task<T>>& task) {
    static_assert(R == 1);
    const std::int32_t rows = system_.rows();
    backend_.rows(rows, ScaleRows<N, R>{scaling, b, v_.b, nullptr});
    backend_.rows(rows, ScaleRows<N, R>{inverse_scaling, x, v_.x, nullptr});
    iterate(limits, weights, task);
    backend_.rows(rows, Combine{v_.x, x, task.front().norm_b == 0 ? 0. : 1., 0});
    if (scaling != nullptr) backend_.rows(rows, ScaleRows<N, R>{scaling, x, x, nullptr});
    backend_.synchronize();
  }

  [[nodiscard]] double time_product(std::int64_t products) {
    state_[0].phase = going;
    state_of_device_.upload(state_);
    backend_.synchronize();
    Stopwatch watch;
    for (std::int64_t k = 0; k < products; ++k)
      system_.with_matrix([&](const auto& rows) {
        SweepRows<N, R, std::decay_t<decltype(rows)>> kernel{rows, nullptr, v_.p, v_.b, v_.v};
        kernel.scale = 0;
        kernel.weight = -1;
        kernel.state = v_.state;
        backend_.rows(system_.rows(), kernel);
      });
    backend_.synchronize();
    return watch.lap() / static_cast<double>(products);
  }

  /// The matrix has changed.
  void forget() { program_.reset(); }

 private:
  static constexpr std::size_t vector_count = 11;
  static constexpr double diverged = 1e12;  // as in bicgstab.cpp
  static constexpr int most_restarts = 1000;

  /// x and b.
  void upload(const std::vector<Task<T>>& tasks) {
    if (R == 1 && tasks.front().x->size() == size_) {
      vectors_.upload(as_numbers<T>(*tasks.front().x));
      return vectors_.upload(as_numbers<T>(*tasks.front().b), size_);
    }
    std::vector<N> all(2 * size_, N{});
    for (std::size_t r = 0; r < tasks.size(); ++r) {
      const N* x = reinterpret_cast<const N*>(tasks[r].x->data());
      const N* b = reinterpret_cast<const N*>(tasks[r].b->data());
      for (std::size_t i = 0; i < tasks[r].x->size(); ++i) {
        all[i * R + r] = x[i];
        all[size_ + i * R + r] = b[i];
      }
    }
    vectors_.upload(all);
  }

  /// x and b are in their places.
  void iterate(const IterationLimits& limits, const double* weights, std::vector<Task<T>>& tasks) {
    if (v_.weights != weights) forget();
    v_.weights = weights;
    begin(limits, tasks);
    while (start(tasks)) {
      bool waits = false;
      while (!waits) {
        run();
        state_ = state_of_device_.download();
        for (std::size_t r = 0; r < tasks.size(); ++r) waits = note(state_[r], tasks[r]) || waits;
      }
    }
  }

  void begin(const IterationLimits& limits, std::vector<Task<T>>& tasks) {
    for (std::size_t r = 0; r < R; ++r) {
      state_[r] = {};
      if (r < tasks.size()) state_[r].phase = starting;
    }
    state_of_device_.upload(state_);
    sum(SideNorm<N, R>{v_});
    state_ = state_of_device_.download();
    for (std::size_t r = 0; r < tasks.size(); ++r) {
      tasks[r].norm_b = state_[r].norm;
      if (tasks[r].norm_b == 0) state_[r].phase = resting;
      state_[r].most = limits.most;
      state_[r].target = limits.tolerance * tasks[r].norm_b;
    }
  }

  /// Finds the residuals of the systems that are starting, and decides how they go on. False: all have ended.
  bool start(std::vector<Task<T>>& tasks) {
    std::vector<Phase> before;
    for (auto& state : state_) {
      before.push_back(static_cast<Phase>(state.phase));
      if (state.phase == small || state.phase == broken || state.phase == stopped) state.phase = starting;
    }
    state_of_device_.upload(state_);
    system_.refresh(v_.x);
    system_.with_matrix([&](const auto& rows) { sum(StartResidual<N, R, std::decay_t<decltype(rows)>>{rows, v_}); });
    state_ = state_of_device_.download();
    bool goes = false;
    for (std::size_t r = 0; r < tasks.size(); ++r) {
      if (state_[r].phase == starting) decide(before[r], state_[r], tasks[r]);
      goes = goes || state_[r].phase == going;
    }
    if (goes) state_of_device_.upload(state_);
    return goes;
  }

  static void decide(Phase before, IterationState<N>& state, Task<T>& task) {
    const double relative = state.norm / task.norm_b;
    if (before == starting) {
      task.history.add(relative);
      task.at_restart = state.too_large = diverged * std::max(task.norm_b, state.norm);
    } else if (before != stopped) {
      task.history.add(relative);
    }
    if (before == broken) {
      task.restarts = state.norm < 0.5 * task.at_restart ? 1 : task.restarts + 1;
      task.at_restart = state.norm;
    }
    task.outcome.iterations = state.iterations;
    task.outcome.residual = relative;
    state.phase = resting;
    if (before == stopped) return;
    if (state.norm <= state.target) return;
    if (!(state.norm < state.too_large) || task.restarts > most_restarts)
      task.outcome.end = IterationEnd::breakdown;
    else if (state.iterations == state.most)
      task.outcome.end = IterationEnd::limit;
    else
      state.phase = going;
  }

  /// Adds the norms of the last iterations to the history. True: the system waits for the host.
  static bool note(const IterationState<N>& state, Task<T>& task) {
    if (state.phase == resting) return false;
    const bool waits = state.phase != going;
    const std::int64_t last = state.iterations - (state.phase == small || state.phase == broken ? 1 : 0);
    for (std::int64_t n = task.seen; n < last; ++n) task.history.add(state.recent[n % most_at_once] / task.norm_b);
    task.seen = state.iterations;
    if (state.phase == stopped)
      task.outcome.end = state.norm < state.too_large ? IterationEnd::limit : IterationEnd::breakdown;
    return waits;
  }

  void run() {
    if (system_.traffic() || system_.has_multigrid() || system_.has_systems())
      return queue_iteration();        // the host takes part
    constexpr std::size_t many = 256;  // launches of a graph that are worth one look of the host each
    const int at_once = 2 * system_.launches() > many ? 1 : Backend::iterations_at_once;
    static_assert(Backend::iterations_at_once <= most_at_once);
    if (!program_)
      program_.emplace(backend_.record([this, at_once] {
        for (int k = 0; k < at_once; ++k) queue_iteration();
      }));
    backend_.replay(*program_);
  }

  void queue_iteration() {
    backend_.rows(R, BeginStep<N>{v_});
    system_.template apply<R>(v_.p, v_.p_hat, work_, v_.state);
    multiply(v_.p_hat, false);
    sum(HalfStep<N, R>{v_});
    system_.template apply<R>(v_.r, v_.r_hat, work_, v_.state);
    multiply(v_.r_hat, true);
    sum(WholeStep<N, R>{v_});
    backend_.rows(system_.rows(), TurnDirection<N, R>{v_});
  }

  void multiply(N* x, bool is_second) {
    system_.with_matrix([&](const auto& matrix) {
      const ProductAndStep<N, R, std::decay_t<decltype(matrix)>> kernel{matrix, v_, is_second};
      if constexpr (R == 1)
        if (system_.traffic()) return system_.traffic()->sum(x, kernel, system_.split());
      backend_.rows(system_.rows(), kernel);
    });
  }

  /// A kernel with sums, over all ranks where rows are shared out.
  template <class Kernel>
  void sum(const Kernel& kernel) {
    if constexpr (R == 1)
      if (system_.traffic()) return system_.traffic()->sum(system_.rows(), kernel);
    backend_.rows(system_.rows(), kernel);
  }

  Backend& backend_;
  DeviceSystem<Backend, T>& system_;
  std::size_t size_;
  Buffer<N> vectors_;
  IterationVectors<N> v_;
  N* work_[2] = {};
  Buffer<IterationState<N>> state_of_device_;
  std::vector<IterationState<N>> state_;
  std::optional<typename Backend::Program> program_;
};

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
        team_(useful_threads(request.pattern->rows(), request.threads)),
        system_(backend_, request, 0, nullptr, inverse_.get()),
        scaling_(*request.pattern, system_.diagonal(), team_) {}

  void prepare(const CsrMatrix<T>& matrix) override {
    if (request_.scales) {
      scaling_.scale(matrix, scaled_);
      if (!weights_) weights_.emplace(backend_, scaling_.weights().size());
      weights_->upload(scaling_.weights());
      if constexpr (std::is_same_v<T, double>) put_factors();
    }
    system_.set_matrix(request_.scales ? scaled_ : matrix);
    if (inverse_) inverse_->set_matrix(matrix);
    if (one_) one_->forget();
    if (block_) block_->forget();
  }

  std::vector<IterationCourse> solve(const Sides& b, const Solutions& x) override {
    std::vector<std::vector<T>> scaled(request_.scales ? b.size() : 0);
    std::vector<Task<T>> tasks;
    for (std::size_t k = 0; k < b.size(); ++k) {
      if (request_.scales) {
        scaled[k].resize(b[k]->size());
        scaling_.scale_right_hand_side(*b[k], scaled[k]);
        scaling_.scale_solution(*x[k]);
      }
      tasks.push_back({request_.scales ? &scaled[k] : b[k], x[k]});
    }
    run({request_.tolerance, request_.max_iterations}, tasks);
    std::vector<IterationCourse> courses;
    for (Task<T>& task : tasks) {
      if (task.outcome.end != IterationEnd::converged)
        fail_without_convergence(request_.preconditioner, request_.tolerance, task.outcome);
      if (request_.scales) scaling_.restore_solution(*task.x);
      courses.push_back({task.outcome.iterations, std::move(task.history)});
    }
    return courses;
  }

  [[nodiscard]] bool is_resident() const override { return std::is_same_v<T, double>; }
  std::int64_t solve_resident(const T* b, T* x) override {
    if constexpr (std::is_same_v<T, double>) {
      if (!one_) one_.emplace(backend_, system_);
      const IterationLimits limits{request_.tolerance, request_.max_iterations};
      std::vector<Task<T>> task(1);
      one_->solve_resident(limits, weights(), data_of(factor_), data_of(inverse_factor_), b, x, task);
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
    return backend_.allocated_bytes() + static_cast<std::int64_t>(sizeof(T) * scaled_.values.size()) + system_.bytes() +
           (inverse_ ? inverse_->bytes() : 0);
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
        one_->solve(limits, weights(), some);
      } else {
        if (!block_) block_.emplace(backend_, system_);
        block_->solve(limits, weights(), some);
      }
      std::move(some.begin(), some.end(), begin);
      first += count;
    }
  }

  [[nodiscard]] const double* weights() const { return data_of(weights_); }

  /// S and its inverse, for vectors that are on the device.
  void put_factors() {
    std::vector<T> ones(scaling_.weights().size(), T(1)), factor(ones.size());
    scaling_.scale_right_hand_side(ones, factor);
    scaling_.scale_solution(ones);
    for (auto [buffer, values] : {std::pair(&factor_, &factor), std::pair(&inverse_factor_, &ones)}) {
      if (!*buffer) buffer->emplace(backend_, values->size());
      (*buffer)->upload(*values);
    }
  }
  [[nodiscard]] static const double* data_of(const std::optional<typename Backend::template Buffer<double>>& buffer) {
    return buffer ? buffer->data() : nullptr;
  }

  Backend backend_;
  IterationRequest request_;
  std::unique_ptr<ApproximateInverse<T>> inverse_;
  ThreadTeam team_;
  DeviceSystem<Backend, T> system_;
  DiagonalScaling<T> scaling_;
  CsrMatrix<T> scaled_;
  std::optional<typename Backend::template Buffer<double>> weights_, factor_, inverse_factor_;
  std::optional<BlockIteration<Backend, T, 1>> one_;
  std::optional<BlockIteration<Backend, T, together>> block_;
};

/// Of own rows.
template <class Backend, class T>
class DeviceRankIteration final : public RankIteration<T> {
 public:
  DeviceRankIteration(Backend backend, const IterationRequest& request, std::size_t ghosts, RankLink<T>& link)
      : backend_(std::move(backend)), system_(backend_, request, ghosts, &link), iteration_(backend_, system_) {}

  void set_matrix(const CsrMatrix<T>& matrix, const std::vector<double>& weights) override {
    system_.set_matrix(matrix);
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
  [[nodiscard]] double seconds_device() const override { return system_.seconds_waited(); }
  [[nodiscard]] std::int64_t bytes() const override { return backend_.allocated_bytes(); }

 private:
  Backend backend_;
  DeviceSystem<Backend, T> system_;
  BlockIteration<Backend, T, 1> iteration_;
  std::optional<typename Backend::template Buffer<double>> weights_;
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
