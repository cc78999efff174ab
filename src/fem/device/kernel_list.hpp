// The kernels of iterations that backends compile, in one list.
#pragma once

#include "fem/device/kernels.hpp"
#include "fem/device/resident_step.hpp"

namespace tetrawave::fem::device {

inline constexpr int together = 4;  ///< right-hand sides of a block; a single one goes by itself

template <class N>
using WholeRows = CsrRows<N, 8>;
template <class N>
using PartOfRows = CsrRows<N, 4>;  ///< a triangle

}  // namespace tetrawave::fem::device

#define TW_ITERATION_KERNELS_OF(X, N, R)                                                     \
  X(::tetrawave::fem::device::StartResidual<N, R, ::tetrawave::fem::device::WholeRows<N>>)   \
  X(::tetrawave::fem::device::StartResidual<N, R, ::tetrawave::fem::device::SlicedRows<N>>)  \
  X(::tetrawave::fem::device::ProductAndStep<N, R, ::tetrawave::fem::device::WholeRows<N>>)  \
  X(::tetrawave::fem::device::ProductAndStep<N, R, ::tetrawave::fem::device::SlicedRows<N>>) \
  X(::tetrawave::fem::device::SweepRows<N, R, ::tetrawave::fem::device::WholeRows<N>>)       \
  X(::tetrawave::fem::device::SweepRows<N, R, ::tetrawave::fem::device::PartOfRows<N>>)      \
  X(::tetrawave::fem::device::SweepRows<N, R, ::tetrawave::fem::device::SlicedRows<N>>)      \
  X(::tetrawave::fem::device::SideNorm<N, R>)                                                \
  X(::tetrawave::fem::device::HalfStep<N, R>)                                                \
  X(::tetrawave::fem::device::WholeStep<N, R>)                                               \
  X(::tetrawave::fem::device::TurnDirection<N, R>)                                           \
  X(::tetrawave::fem::device::ScaleRows<N, R>)

/// Of rows that ranks share out: a kernel with sums of one right-hand side is two, and those that read ghosts run on
/// some of the rows at a time.
#define TW_RANK_KERNEL(X, ...)                         \
  X(::tetrawave::fem::device::SumsOfRank<__VA_ARGS__>) \
  X(::tetrawave::fem::device::FinishSums<__VA_ARGS__>)
#define TW_LISTED_PRODUCT(X, ...)                                                            \
  X(::tetrawave::fem::device::ListedRows<::tetrawave::fem::device::SumsOfRank<__VA_ARGS__>>) \
  X(::tetrawave::fem::device::FinishSums<__VA_ARGS__>)
#define TW_RANK_KERNELS(X, N)                                                                                   \
  TW_RANK_KERNEL(X, ::tetrawave::fem::device::StartResidual<N, 1, ::tetrawave::fem::device::WholeRows<N>>)      \
  TW_RANK_KERNEL(X, ::tetrawave::fem::device::StartResidual<N, 1, ::tetrawave::fem::device::SlicedRows<N>>)     \
  TW_LISTED_PRODUCT(X, ::tetrawave::fem::device::ProductAndStep<N, 1, ::tetrawave::fem::device::WholeRows<N>>)  \
  TW_LISTED_PRODUCT(X, ::tetrawave::fem::device::ProductAndStep<N, 1, ::tetrawave::fem::device::SlicedRows<N>>) \
  X(::tetrawave::fem::device::ListedRows<                                                                       \
      ::tetrawave::fem::device::SweepRows<N, 1, ::tetrawave::fem::device::PartOfRows<N>>>)                      \
  X(::tetrawave::fem::device::ListedRows<                                                                       \
      ::tetrawave::fem::device::SweepRows<N, 1, ::tetrawave::fem::device::SlicedRows<N>>>)                      \
  TW_RANK_KERNEL(X, ::tetrawave::fem::device::SideNorm<N, 1>)                                                   \
  TW_RANK_KERNEL(X, ::tetrawave::fem::device::HalfStep<N, 1>)                                                   \
  TW_RANK_KERNEL(X, ::tetrawave::fem::device::WholeStep<N, 1>)

/// X(kernel type) for every kernel of numbers N; X is variadic: the types hold commas.
#define TW_ITERATION_KERNELS(X, N)                                  \
  TW_ITERATION_KERNELS_OF(X, N, 1)                                  \
  TW_ITERATION_KERNELS_OF(X, N, ::tetrawave::fem::device::together) \
  TW_RANK_KERNELS(X, N)                                             \
  X(::tetrawave::fem::device::TakeRows<N>)                          \
  X(::tetrawave::fem::device::MoveRows<N>)                          \
  X(::tetrawave::fem::device::BeginStep<N>)

/// Of steps in time, in double.
#define TW_STEP_KERNELS(X)                                                         \
  X(::tetrawave::fem::device::Combine)                                             \
  X(::tetrawave::fem::device::VectorProducts<::tetrawave::fem::earlier_solutions>) \
  X(::tetrawave::fem::device::SumVectors<::tetrawave::fem::earlier_solutions>)     \
  X(::tetrawave::fem::device::AddNumbers)
