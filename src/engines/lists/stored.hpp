// Block kernels of stored matrices.
#pragma once

#include "kernels/spaces.hpp"
#include "schemes/stored/additions.hpp"
#include "schemes/stored/stages.hpp"
#include "schemes/stored/update.hpp"

#define TW_STORED_KERNELS(X, S)            \
  X(::tetrawave::kernels::StoredUpdate<S>) \
  X(::tetrawave::kernels::StoredRate<S>)   \
  X(::tetrawave::kernels::StoredStage<S>)  \
  X(::tetrawave::kernels::AddWaves<S>)     \
  X(::tetrawave::kernels::KeepField<S>)    \
  X(::tetrawave::kernels::AddProduct<S>)
