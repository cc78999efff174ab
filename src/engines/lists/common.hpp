// Block kernels of all schemes.
#pragma once

#include "kernels/energy.hpp"
#include "kernels/spaces.hpp"
#include "schemes/leap_frog/elements/wall_correction.hpp"

#define TW_COMMON_KERNELS(X, S)               \
  X(::tetrawave::kernels::WallCorrections<S>) \
  X(::tetrawave::kernels::MassProduct<S>)     \
  X(::tetrawave::kernels::Combine<S>)
