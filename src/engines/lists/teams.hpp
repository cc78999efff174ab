// Team kernels: samples, sums, sources, ports.
#pragma once

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
  X(::tetrawave::kernels::NoteModalTraces<S>)    \
  X(::tetrawave::kernels::AddModalAmplitudes<S>) \
  X(::tetrawave::kernels::KeepModalTraces<S>)    \
  X(::tetrawave::kernels::ModalWaves<S>)
#define TW_TEAM_KERNELS(X)                 \
  TW_TEAM_KERNELS_OF(X, double)            \
  TW_TEAM_KERNELS_OF(X, float)             \
  X(::tetrawave::kernels::Phases)          \
  X(::tetrawave::kernels::SpectralFactors) \
  X(::tetrawave::kernels::Tick)
