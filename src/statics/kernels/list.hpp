// The index and sum kernels compiled by backends, in one list.
#pragma once

#include "statics/kernels/elements.hpp"
#include "statics/kernels/iteration.hpp"
#include "statics/kernels/rows.hpp"

/// X(kernel type) for every kind of element, with and without sharing; X is variadic: the types hold commas.
#define TW_FEM2D_FOR_TRIANGLES(X, Kernel)                                          \
  X(::tetrawave::kernels::Kernel<::tetrawave::kernels::Triangle<1, false>, false>) \
  X(::tetrawave::kernels::Kernel<::tetrawave::kernels::Triangle<1, false>, true>)  \
  X(::tetrawave::kernels::Kernel<::tetrawave::kernels::Triangle<1, true>, false>)  \
  X(::tetrawave::kernels::Kernel<::tetrawave::kernels::Triangle<1, true>, true>)   \
  X(::tetrawave::kernels::Kernel<::tetrawave::kernels::Triangle<2, false>, false>) \
  X(::tetrawave::kernels::Kernel<::tetrawave::kernels::Triangle<2, false>, true>)  \
  X(::tetrawave::kernels::Kernel<::tetrawave::kernels::Triangle<2, true>, false>)  \
  X(::tetrawave::kernels::Kernel<::tetrawave::kernels::Triangle<2, true>, true>)

/// X(kernel type) for every kernel run for each index of a range.
#define TW_FEM2D_INDEX_KERNELS(X)          \
  TW_FEM2D_FOR_TRIANGLES(X, InsertElement) \
  TW_FEM2D_FOR_TRIANGLES(X, BeginElement)  \
  X(::tetrawave::kernels::MergeRow)        \
  X(::tetrawave::kernels::FillRow)         \
  X(::tetrawave::kernels::InvertDiagonal)  \
  X(::tetrawave::kernels::Turn)

/// X(kernel type) for every kernel whose addends are summed.
#define TW_FEM2D_SUM_KERNELS(X)                    \
  TW_FEM2D_FOR_TRIANGLES(X, ComputedProduct)       \
  X(::tetrawave::kernels::StoredProduct<3, false>) \
  X(::tetrawave::kernels::StoredProduct<3, true>)  \
  X(::tetrawave::kernels::StoredProduct<6, false>) \
  X(::tetrawave::kernels::StoredProduct<6, true>)  \
  X(::tetrawave::kernels::CsrProduct)              \
  X(::tetrawave::kernels::BeginIteration)          \
  X(::tetrawave::kernels::Advance)
