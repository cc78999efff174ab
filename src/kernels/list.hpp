// The kernels that backends compile, in one list: a new basis or kernel is one line here.
#pragma once

#include "kernels/absorb.hpp"
#include "kernels/central_update.hpp"
#include "kernels/energy.hpp"
#include "kernels/halo.hpp"
#include "kernels/sample.hpp"

/// X(kernel type) for every kernel that runs on blocks of elements. X is variadic: the types hold commas.
#define TW_BLOCK_KERNELS_OF(X, Basis, S)           \
  X(::tetrawave::kernels::CentralUpdate<Basis, S>) \
  X(::tetrawave::kernels::Absorb<Basis, S>)        \
  X(::tetrawave::kernels::MassProduct<Basis, S>)   \
  X(::tetrawave::kernels::Combine<Basis, S>)       \
  X(::tetrawave::kernels::PackTraces<Basis, S>)
#define TW_BLOCK_KERNELS(X, S)                            \
  TW_BLOCK_KERNELS_OF(X, ::tetrawave::kernels::Mixed1, S) \
  TW_BLOCK_KERNELS_OF(X, ::tetrawave::kernels::Full1, S)  \
  TW_BLOCK_KERNELS_OF(X, ::tetrawave::kernels::Mixed2, S) \
  TW_BLOCK_KERNELS_OF(X, ::tetrawave::kernels::Full2, S)

/// X(kernel type) for every kernel that runs on teams.
#define TW_TEAM_KERNELS_OF(X, S)           \
  X(::tetrawave::kernels::Sample<S>)       \
  X(::tetrawave::kernels::ChunkMaximum<S>) \
  X(::tetrawave::kernels::ChunkSum<S>)
#define TW_TEAM_KERNELS(X)      \
  TW_TEAM_KERNELS_OF(X, double) \
  TW_TEAM_KERNELS_OF(X, float)  \
  X(::tetrawave::kernels::Tick)
