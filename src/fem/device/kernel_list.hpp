// The kernels of iterations that backends compile, in one list.
#pragma once

#include "fem/device/kernels.hpp"
#include "fem/device/rank_kernels.hpp"
#include "fem/device/resident_step.hpp"

namespace tetrawave::fem::device {

inline constexpr int together = 4;  ///< right-hand sides of a block; a single one goes by itself

template <class N>
using WholeRows = CsrRows<N, 8>;
template <class N>
using PartOfRows = CsrRows<N, 4>;  ///< a triangle
template <class N>
using FindResidual = ResidualOf<N, WholeRows<N>>;

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

/// Of rows that ranks share out, one right-hand side. X: of kernels on all rows, Y: of those in two parts; both of
/// kernels with sums.
#define TW_RANK_SUMS(X, ...)                         \
  X(::tetrawave::fem::device::RankSums<__VA_ARGS__>) \
  X(::tetrawave::fem::device::FinishSums<::tetrawave::fem::device::RankSums<__VA_ARGS__>>)
#define TW_SPLIT_SUMS(X, Y, ...)                     \
  Y(::tetrawave::fem::device::RankSums<__VA_ARGS__>) \
  X(::tetrawave::fem::device::FinishSums<::tetrawave::fem::device::RankSums<__VA_ARGS__>>)
#define TW_RANK_KERNELS(X, Y, N)                                                                               \
  TW_SPLIT_SUMS(X, Y, ::tetrawave::fem::device::StartResidual<N, 1, ::tetrawave::fem::device::WholeRows<N>>)   \
  TW_SPLIT_SUMS(X, Y, ::tetrawave::fem::device::StartResidual<N, 1, ::tetrawave::fem::device::SlicedRows<N>>)  \
  TW_SPLIT_SUMS(X, Y, ::tetrawave::fem::device::ProductAndStep<N, 1, ::tetrawave::fem::device::WholeRows<N>>,  \
                ::tetrawave::fem::device::HalfStep<N, 1>)                                                      \
  TW_SPLIT_SUMS(X, Y, ::tetrawave::fem::device::ProductAndStep<N, 1, ::tetrawave::fem::device::SlicedRows<N>>, \
                ::tetrawave::fem::device::HalfStep<N, 1>)                                                      \
  Y(::tetrawave::fem::device::SweepRows<N, 1, ::tetrawave::fem::device::PartOfRows<N>>)                        \
  Y(::tetrawave::fem::device::SweepRows<N, 1, ::tetrawave::fem::device::SlicedRows<N>>)                        \
  Y(::tetrawave::fem::device::SendOnly)                                                                        \
  TW_RANK_SUMS(X, ::tetrawave::fem::device::SideNorm<N, 1>)                                                    \
  TW_RANK_SUMS(X, ::tetrawave::fem::device::HalfStep<N, 1>)                                                    \
  TW_RANK_SUMS(X, ::tetrawave::fem::device::WholeStep<N, 1>)

/// X(kernel type) for every kernel of numbers N, Y for those in two parts; both are variadic: the types hold commas.
#define TW_ITERATION_KERNELS(X, Y, N)                               \
  TW_ITERATION_KERNELS_OF(X, N, 1)                                  \
  TW_ITERATION_KERNELS_OF(X, N, ::tetrawave::fem::device::together) \
  TW_RANK_KERNELS(X, Y, N)                                          \
  X(::tetrawave::fem::device::FindResidual<N>)                      \
  X(::tetrawave::fem::device::FillSlices<N>)                        \
  X(::tetrawave::fem::device::InvertDiagonal<N>)                    \
  X(::tetrawave::fem::device::FindScaling<N>)                       \
  X(::tetrawave::fem::device::ScaleEntries<N>)                      \
  X(::tetrawave::fem::device::TakeRows<N>)                          \
  X(::tetrawave::fem::device::MoveRows<N>)

/// Of steps in time, in double.
#define TW_STEP_KERNELS(X)                                                         \
  X(::tetrawave::fem::device::Combine)                                             \
  X(::tetrawave::fem::device::VectorProducts<::tetrawave::fem::earlier_solutions>) \
  X(::tetrawave::fem::device::SumVectors<::tetrawave::fem::earlier_solutions>)     \
  X(::tetrawave::fem::device::AddNumbers)
