// Block kernels of stored matrices.
#pragma once

#include "kernels/spaces.hpp"
#include "kernels/stored_additions.hpp"
#include "kernels/stored_schemes.hpp"
#include "kernels/stored_update.hpp"

#define TW_STORED_KERNELS(X, S)            \
  X(::tetrawave::kernels::StoredUpdate<S>) \
  X(::tetrawave::kernels::StoredRate<S>)   \
  X(::tetrawave::kernels::StoredStage<S>)  \
  X(::tetrawave::kernels::AddWaves<S>)     \
  X(::tetrawave::kernels::KeepField<S>)    \
  X(::tetrawave::kernels::AddProduct<S>)
