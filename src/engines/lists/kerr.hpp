// Block kernels of Kerr media.
#pragma once

#include "kernels/spaces.hpp"
#include "schemes/central/kerr_averaged.hpp"
#include "schemes/central/kerr_update.hpp"

#define TW_KERR_KERNELS(X, S)                    \
  X(::tetrawave::kernels::KerrUpdate<S>)         \
  X(::tetrawave::kernels::KerrAveragedUpdate<S>) \
  X(::tetrawave::kernels::KerrStart<S>)
