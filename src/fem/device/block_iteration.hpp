// BiCGStab on a device (fem/device/kernels.hpp): the vectors stay there, and the host sees norms.
#pragma once

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "fem/device/device_system.hpp"
#include "fem/solvers/iterative_solver.hpp"

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
        vectors_(backend, (system.traffic() ? vector_count - Traffic::vectors : vector_count) * size_),
        state_of_device_(backend, R),
        state_(R) {
    N* next = vectors_.data();
    for (N** vector : {&v_.x, &v_.b, &v_.shadow, &v_.v, &v_.t}) *vector = std::exchange(next, next + size_);
    std::size_t v = 0;
    for (N** vector : {&v_.r, &v_.p, &v_.p_hat, &v_.r_hat, &work_[0], &work_[1]})
      *vector = system.traffic() ? system.traffic()->vector(v++) : std::exchange(next, next + size_);
    v_.state = state_of_device_.data();
  }

  /// `weights`: on the device, or null. x and b are divided and multiplied by the scaling of the system.
  void solve(const IterationLimits& limits, const double* weights, std::vector<Task<T>>& tasks) {
    upload(tasks);
    const N* const scaling = system_.scaling();
    if (scaling != nullptr) {
      backend_.rows(system_.rows(), ScaleRows<N, R>{scaling, v_.b, v_.b, nullptr});
      backend_.rows(system_.rows(), ScaleRows<N, R>{system_.inverse_scaling(), v_.x, v_.x, nullptr});
    }
    iterate(limits, weights, tasks);
    if (scaling != nullptr) backend_.rows(system_.rows(), ScaleRows<N, R>{scaling, v_.x, v_.x, nullptr});
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
  void forget() { program_ = {}; }

  [[nodiscard]] IterationSeconds seconds() {
    IterationSeconds seconds = system_.traffic() ? system_.traffic()->seconds() : IterationSeconds{};
    seconds.all = seconds_;
    return seconds;
  }

 private:
  using Traffic = RankTraffic<Backend, T>;
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
    Stopwatch watch;
    begin(limits, tasks);
    while (start(tasks)) {
      bool waits = false;
      while (!waits) {
        run();
        state_ = state_of_device_.download();
        for (std::size_t r = 0; r < tasks.size(); ++r) waits = note(state_[r], tasks[r]) || waits;
      }
    }
    seconds_ += watch.lap();
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
    find_residual();
    state_ = state_of_device_.download();
    bool goes = false;
    for (std::size_t r = 0; r < tasks.size(); ++r) {
      if (state_[r].phase == starting) decide(before[r], state_[r], tasks[r]);
      goes = goes || state_[r].phase != resting;
    }
    if (goes) state_of_device_.upload(state_);
    return goes;
  }

  /// Of x, which traffic sends as a vector of its own.
  void find_residual() {
    IterationVectors<N> v = v_;
    if constexpr (R == 1) {
      if (auto& traffic = system_.traffic()) {
        v.x = v_.p_hat;
        backend_.rows(system_.rows(), ScaleRows<N, R>{nullptr, v_.x, v.x, nullptr});
        traffic->send(v.x, system_.split());
      }
    }
    system_.with_matrix([&](const auto& rows) {
      const StartResidual<N, R, std::decay_t<decltype(rows)>> kernel{rows, v};
      if constexpr (R == 1)
        if (system_.traffic()) return system_.traffic()->sum(kernel, system_.split());
      backend_.rows(system_.rows(), kernel);
    });
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
      go_on(state);
  }
  static void go_on(IterationState<N>& state) {
    state.phase = going;
    begin_iteration(state);
  }

  /// Adds the norms of the last iterations to the history. True: the system waits for the host.
  static bool note(const IterationState<N>& state, Task<T>& task) {
    if (state.phase == resting) return false;
    const bool waits = state.phase != going;
    // the present one has just begun, or its norm is found anew
    const std::int64_t last = state.iterations - (state.phase == stopped ? 0 : 1);
    for (std::int64_t n = task.seen; n < last; ++n) task.history.add(state.recent[n % most_at_once] / task.norm_b);
    task.seen = state.phase == going ? last : state.iterations;
    if (state.phase == stopped)
      task.outcome.end = state.norm < state.too_large ? IterationEnd::limit : IterationEnd::breakdown;
    return waits;
  }

  void run() {
    auto& traffic = system_.traffic();
    if (system_.needs_host()) {
      queue_iteration(iterations_);
      if (traffic) traffic->end_iterations(iterations_++, 1);
      return;
    }
    constexpr std::size_t many = 256;  // launches of a graph that are worth one look of the host each
    const int at_once = 2 * system_.launches() > many ? 1 : Backend::iterations_at_once;
    static_assert(Backend::iterations_at_once <= most_at_once);
    if (!program_)
      program_.emplace(backend_.record([this, at_once] {
        for (int k = 0; k < at_once; ++k) queue_iteration(k);
      }));
    backend_.replay(*program_);
    if (traffic) traffic->end_iterations(0, at_once);
  }

  /// Iteration n since exchanges are timed.
  void queue_iteration(std::int64_t n) {
    auto& traffic = system_.traffic();
    if (traffic) traffic->begin_iteration(n);
    system_.template apply<R>(v_.p, v_.p_hat, work_, v_.state);
    multiply(false);
    const HalfStep<N, R> half{v_};
    if constexpr (R == 1)
      if (traffic) traffic->hold(half);
    if (!traffic) backend_.rows(system_.rows(), half);
    system_.template apply<R>(v_.r, v_.r_hat, work_, v_.state);
    multiply(true, half);
    sum(WholeStep<N, R>{v_});
    backend_.rows(system_.rows(), TurnDirection<N, R>{v_});
  }

  /// By p_hat, or the second time r_hat. `held`: see RankTraffic::sum.
  void multiply(bool is_second, const std::optional<HalfStep<N, R>>& held = {}) {
    system_.with_matrix([&](const auto& matrix) {
      const ProductAndStep<N, R, std::decay_t<decltype(matrix)>> kernel{matrix, v_, is_second};
      if constexpr (R == 1)
        if (system_.traffic()) return system_.traffic()->sum(kernel, system_.split(), held);
      backend_.rows(system_.rows(), kernel);
    });
  }

  /// A kernel with sums, over all ranks where rows are shared out.
  template <class Kernel>
  void sum(const Kernel& kernel) {
    if constexpr (R == 1)
      if (system_.traffic()) return system_.traffic()->sum(kernel);
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
  std::int64_t iterations_ = 0;  ///< with exchanges, one by one
  double seconds_ = 0;
};

}  // namespace tetrawave::fem::device
