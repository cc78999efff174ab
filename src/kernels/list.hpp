// The kernels that backends compile, in lists; backends make a translation unit of each list and number type.
#pragma once

#include "kernels/add_sources.hpp"
#include "kernels/axes.hpp"
#include "kernels/axes_of_rates.hpp"
#include "kernels/central_update.hpp"
#include "kernels/dfdd_update.hpp"
#include "kernels/energy.hpp"
#include "kernels/field_taps.hpp"
#include "kernels/kerr_averaged.hpp"
#include "kernels/law_energy.hpp"
#include "kernels/layer_jumps.hpp"
#include "kernels/layers.hpp"
#include "kernels/layers_of_rates.hpp"
#include "kernels/modal_termination.hpp"
#include "kernels/parts.hpp"
#include "kernels/poles.hpp"
#include "kernels/port_memory.hpp"
#include "kernels/recursions.hpp"
#include "kernels/sample.hpp"
#include "kernels/spaces.hpp"
#include "kernels/spectra.hpp"
#include "kernels/stored_additions.hpp"
#include "kernels/stored_schemes.hpp"
#include "kernels/stored_update.hpp"
#include "kernels/upwind_conductors.hpp"
#include "kernels/upwind_stage.hpp"
#include "kernels/upwind_taylor.hpp"
#include "kernels/wall_correction.hpp"

/// X(kernel type) for the kernels that run on blocks of elements; every one is compiled for every space.
#define TW_COMMON_KERNELS(X, S)               \
  X(::tetrawave::kernels::WallCorrections<S>) \
  X(::tetrawave::kernels::MassProduct<S>)     \
  X(::tetrawave::kernels::Combine<S>)
#define TW_STORED_KERNELS(X, S)            \
  X(::tetrawave::kernels::StoredUpdate<S>) \
  X(::tetrawave::kernels::StoredRate<S>)   \
  X(::tetrawave::kernels::StoredStage<S>)  \
  X(::tetrawave::kernels::AddWaves<S>)     \
  X(::tetrawave::kernels::KeepField<S>)    \
  X(::tetrawave::kernels::AddProduct<S>)
#define TW_CENTRAL_KERNELS(X, S)                     \
  X(::tetrawave::kernels::CentralUpdate<S>)          \
  X(::tetrawave::kernels::PolesBeforeUpdate<S>)      \
  X(::tetrawave::kernels::RecursionsBeforeUpdate<S>) \
  X(::tetrawave::kernels::LayersBeforeUpdate<S>)     \
  X(::tetrawave::kernels::LayerJumps<S>)
#define TW_LAW_KERNELS(X, S)                 \
  X(::tetrawave::kernels::AxesProjection<S>) \
  X(::tetrawave::kernels::CurlOfField<S>)    \
  X(::tetrawave::kernels::LawsOfRates<S>)    \
  X(::tetrawave::kernels::LawEnergy<S>)      \
  X(::tetrawave::kernels::CurlEnergy<S>)
#define TW_KERR_KERNELS(X, S)                    \
  X(::tetrawave::kernels::KerrUpdate<S>)         \
  X(::tetrawave::kernels::KerrAveragedUpdate<S>) \
  X(::tetrawave::kernels::KerrStart<S>)
#define TW_DFDD_KERNELS(X, S)                     \
  X(::tetrawave::kernels::DfddUpdate<S>)          \
  X(::tetrawave::kernels::DfddUpdateWithTerms<S>) \
  X(::tetrawave::kernels::DfddInverse<S>)         \
  X(::tetrawave::kernels::RatePoles<S>)           \
  X(::tetrawave::kernels::LayersOfRates<S>)       \
  X(::tetrawave::kernels::RecursionsOfRates<S>)   \
  X(::tetrawave::kernels::DfddCoupling<S>)
#define TW_UPWIND_KERNELS(X, S)                \
  X(::tetrawave::kernels::UpwindStage<S>)      \
  X(::tetrawave::kernels::UpwindWaves<S>)      \
  X(::tetrawave::kernels::UpwindConductors<S>) \
  X(::tetrawave::kernels::PolesAfterStage<S>)  \
  X(::tetrawave::kernels::LayersAfterStage<S>) \
  X(::tetrawave::kernels::UpwindTaylor<S>)     \
  X(::tetrawave::kernels::PolesAlone<S>)
#define TW_PART_KERNELS(X, S)                \
  X(::tetrawave::kernels::CentralVolume<S>)  \
  X(::tetrawave::kernels::CentralSurface<S>) \
  X(::tetrawave::kernels::CentralInverse<S>) \
  X(::tetrawave::kernels::StoredVolume<S>)   \
  X(::tetrawave::kernels::StoredSurface<S>)

/// X(kernel type) for every kernel that runs on teams.
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
