// Conjugate gradients on a device (statics/kernels/iteration.hpp), with the product with the matrix supplied by the
// caller.
#pragma once

#include <cmath>
#include <vector>

#include "statics/device_problem.hpp"
#include "statics/kernels/iteration.hpp"

namespace tetrawave::fem {

template <class Backend>
class Iteration {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// `rhs` becomes the residual. Both buffers must outlive this.
  Iteration(Backend& backend, std::int32_t count, const Buffer<double>& rhs, const Buffer<double>& inverse_diagonal)
      : backend_(backend),
        count_(count),
        x_(backend, static_cast<std::size_t>(count)),
        p_(backend, static_cast<std::size_t>(count)),
        q_(backend, static_cast<std::size_t>(count)),
        state_(backend, 1),
        vectors_{x_.data(), rhs.data(), p_.data(), q_.data(), inverse_diagonal.data(), state_.data()} {}

  [[nodiscard]] const kernels::IterationVectors& vectors() const { return vectors_; }

  /// multiply(): q = A p, adding to q, which is zero, or setting it, and p . A p added to the state's curvature.
  template <class Multiply>
  void run(const Multiply& multiply, const SolveOptions& options, SolveFigures& figures) {
    kernels::IterationState state;
    state.tolerance = options.tolerance;
    state.most = options.max_iterations;
    state_.upload({state});
    backend_.sum(count_, kernels::BeginIteration{vectors_});
    state = state_.download().front();
    const double first = state.residual;
    const auto program = backend_.record([&] {
      for (int i = 0; i < Backend::iterations_at_once; ++i) {
        multiply();
        backend_.sum(count_, kernels::Advance{vectors_});
        backend_.for_each(count_, kernels::Turn{vectors_});
      }
    });
    while (state.done == 0) {
      backend_.replay(program);
      state = state_.download().front();
    }
    figures.iterations = state.iterations;
    figures.residual = first > 0 ? std::sqrt(state.residual / first) : 0;
    check_convergence(figures, state.broken != 0, options);
  }

  [[nodiscard]] std::vector<double> download() const { return x_.download(); }

 private:
  Backend& backend_;
  std::int32_t count_;
  Buffer<double> x_, p_, q_;
  Buffer<kernels::IterationState> state_;
  kernels::IterationVectors vectors_;
};

}  // namespace tetrawave::fem
