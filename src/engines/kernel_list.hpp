// The kernels compiled by backends: those that run on blocks of elements, X(kernel type), in lists/, for every space, a
// translation unit for each list, number type and half of the spaces; those that run on teams below.
#pragma once

#include "engines/lists/central.hpp"
#include "engines/lists/common.hpp"
#include "engines/lists/dfdd.hpp"
#include "engines/lists/kerr.hpp"
#include "engines/lists/law.hpp"
#include "engines/lists/part.hpp"
#include "engines/lists/stored.hpp"
#include "engines/lists/upwind.hpp"
#include "kernels/field_taps.hpp"
#include "kernels/sample.hpp"
#include "kernels/spectra.hpp"
#include "terms/ports/kernel.hpp"
#include "terms/ports/modal_termination.hpp"
#include "terms/sources/kernel.hpp"

#define TW_TEAM_KERNELS_OF(X, S)                 \
  X(::tetrawave::kernels::Sample<S>)             \
  X(::tetrawave::kernels::AddSources<S>)         \
  X(::tetrawave::kernels::SpectralSums<S>)       \
  X(::tetrawave::kernels::ChunkMaximum<S>)       \
  X(::tetrawave::kernels::ChunkSum<S>)           \
  X(::tetrawave::kernels::GatherField<S>)        \
  X(::tetrawave::kernels::AddFourier<S>)         \
  X(::tetrawave::kernels::PortMemoryStep<S>)     \
  X(::tetrawave::kernels::PortMemoryOverStep<S>) \
  X(::tetrawave::kernels::PortMemoryStage<S>)    \
  X(::tetrawave::kernels::ModalCurrents<S>)      \
  X(::tetrawave::kernels::AddModalCurrents<S>)   \
  X(::tetrawave::kernels::AddModalTraces<S>)     \
  X(::tetrawave::kernels::ModalWaves<S>)
#define TW_TEAM_KERNELS(X)                 \
  TW_TEAM_KERNELS_OF(X, double)            \
  TW_TEAM_KERNELS_OF(X, float)             \
  X(::tetrawave::kernels::Phases)          \
  X(::tetrawave::kernels::SpectralFactors) \
  X(::tetrawave::kernels::Tick)
