// Block kernels of Kerr media.
#pragma once

#include "kernels/kerr.hpp"
#include "kernels/kerr_averaged.hpp"
#include "kernels/spaces.hpp"

#define TW_KERR_KERNELS(X, S)                    \
  X(::tetrawave::kernels::KerrUpdate<S>)         \
  X(::tetrawave::kernels::KerrAveragedUpdate<S>) \
  X(::tetrawave::kernels::KerrStart<S>)
