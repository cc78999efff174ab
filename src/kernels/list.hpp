// The kernels that backends compile, in lists; backends make a translation unit of each list and number type.
#pragma once

#include "kernels/absorb.hpp"
#include "kernels/add_waves.hpp"
#include "kernels/central_update.hpp"
#include "kernels/energy.hpp"
#include "kernels/halo.hpp"
#include "kernels/sample.hpp"
#include "kernels/spaces.hpp"
#include "kernels/stored_update.hpp"

/// X(kernel type) for the kernels that run on blocks of elements; every one is compiled for every space.
#define TW_COMMON_KERNELS(X, S)           \
  X(::tetrawave::kernels::Absorb<S>)      \
  X(::tetrawave::kernels::MassProduct<S>) \
  X(::tetrawave::kernels::Combine<S>)     \
  X(::tetrawave::kernels::PackTraces<S>)
#define TW_CENTRAL_KERNELS(X, S) X(::tetrawave::kernels::CentralUpdate<S>)
#define TW_STORED_KERNELS(X, S)            \
  X(::tetrawave::kernels::StoredUpdate<S>) \
  X(::tetrawave::kernels::AddWaves<S>)

/// X(kernel type) for every kernel that runs on teams.
#define TW_TEAM_KERNELS_OF(X, S)           \
  X(::tetrawave::kernels::Sample<S>)       \
  X(::tetrawave::kernels::ChunkMaximum<S>) \
  X(::tetrawave::kernels::ChunkSum<S>)
#define TW_TEAM_KERNELS(X)      \
  TW_TEAM_KERNELS_OF(X, double) \
  TW_TEAM_KERNELS_OF(X, float)  \
  X(::tetrawave::kernels::Tick)
