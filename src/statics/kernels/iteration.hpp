// Conjugate gradients with a diagonal preconditioner M (Hestenes and Stiefel 1952), vectors of unknowns.
//
// Sum kernels: kernel(thread, i) returns an addend; after all are added, kernel.finish(sum) is called once. The scalars
// of the iteration are stored with the vectors, so that iterations follow each other without the host.
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

struct IterationState {
  double residual = 0;   ///< r . M^-1 r
  double goal = 0;       ///< the iteration stops at or below it
  double curvature = 0;  ///< p . A p
  double turn = 0;       ///< beta, the share of the old direction
  double tolerance = 0;  ///< relative, of sqrt(residual)
  std::int64_t iterations = 0;
  std::int64_t most = 0;
  std::int32_t done = 0;
  std::int32_t broken = 0;  ///< a curvature that is not positive: the matrix is not positive definite
};

struct IterationVectors {
  double* x = nullptr;
  double* r = nullptr;
  double* p = nullptr;
  double* q = nullptr;                       ///< A p; zero before a product by elements adds to it
  const double* inverse_diagonal = nullptr;  ///< M^-1
  IterationState* state = nullptr;
};

/// x = 0, p = M^-1 r, for r = b.
struct BeginIteration {
  IterationVectors v;

  template <class Thread>
  TW_FN double operator()(const Thread&, std::int32_t i) const {
    const double z = v.inverse_diagonal[i] * v.r[i];
    v.x[i] = 0;
    v.p[i] = z;
    v.q[i] = 0;
    return v.r[i] * z;
  }
  TW_FN void finish(double sum) const {
    IterationState& state = *v.state;
    state.residual = sum;
    state.goal = state.tolerance * state.tolerance * sum;
    state.curvature = 0;
    state.done = !(sum > 0);
    state.broken = !(sum >= 0);
  }
};

/// x += alpha p, r -= alpha q with alpha = residual/curvature.
struct Advance {
  IterationVectors v;

  template <class Thread>
  TW_FN double operator()(const Thread&, std::int32_t i) const {
    if (v.state->done != 0) return 0;
    const double alpha = v.state->residual / v.state->curvature;
    const double r = v.r[i] - alpha * v.q[i];
    v.x[i] += alpha * v.p[i];
    v.r[i] = r;
    return r * (v.inverse_diagonal[i] * r);
  }
  TW_FN void finish(double sum) const {
    IterationState& state = *v.state;
    if (state.done != 0) return;
    ++state.iterations;
    state.broken = !(state.curvature > 0 && sum >= 0);
    state.turn = sum / state.residual;
    state.residual = sum;
    state.curvature = 0;
    state.done = state.broken != 0 || sum <= state.goal || state.iterations >= state.most;
  }
};

/// p = M^-1 r + beta p, q = 0.
struct Turn {
  IterationVectors v;

  template <class Thread>
  TW_FN void operator()(const Thread&, std::int32_t i) const {
    if (v.state->done != 0) return;
    v.p[i] = v.inverse_diagonal[i] * v.r[i] + v.state->turn * v.p[i];
    v.q[i] = 0;
  }
};

/// q = A p by rows of CSR.
struct CsrProduct {
  const std::int32_t* starts = nullptr;
  const std::int32_t* columns = nullptr;
  const double* values = nullptr;
  IterationVectors v;

  template <class Thread>
  TW_FN double operator()(const Thread&, std::int32_t row) const {
    if (v.state->done != 0) return 0;
    double sum = 0;
    const std::int32_t end = starts[row + 1];
    for (std::int32_t at = starts[row]; at < end; ++at) sum += values[at] * v.p[columns[at]];
    v.q[row] = sum;
    return sum * v.p[row];
  }
  TW_FN void finish(double sum) const { v.state->curvature += sum; }
};

}  // namespace tetrawave::kernels
