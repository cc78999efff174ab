// Block kernels of DFDD-ELD.
#pragma once

#include "kernels/dfdd_update.hpp"
#include "kernels/layers_of_rates.hpp"
#include "kernels/poles.hpp"
#include "kernels/recursions.hpp"
#include "kernels/spaces.hpp"

#define TW_DFDD_KERNELS(X, S)                     \
  X(::tetrawave::kernels::DfddUpdate<S>)          \
  X(::tetrawave::kernels::DfddUpdateWithTerms<S>) \
  X(::tetrawave::kernels::DfddInverse<S>)         \
  X(::tetrawave::kernels::RatePoles<S>)           \
  X(::tetrawave::kernels::LayersOfRates<S>)       \
  X(::tetrawave::kernels::RecursionsOfRates<S>)   \
  X(::tetrawave::kernels::DfddCoupling<S>)
