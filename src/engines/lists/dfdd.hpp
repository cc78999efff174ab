// Block kernels of DFDD-ELD.
#pragma once

#include "kernels/energy.hpp"
#include "kernels/spaces.hpp"
#include "schemes/dfdd/dispersion_axes.hpp"
#include "schemes/dfdd/pml.hpp"
#include "schemes/dfdd/update.hpp"
#include "schemes/leap_frog/recursions.hpp"
#include "terms/dispersion/kernel.hpp"

#define TW_DFDD_KERNELS(X, S)                     \
  X(::tetrawave::kernels::DfddUpdate<S>)          \
  X(::tetrawave::kernels::DfddUpdateWithTerms<S>) \
  X(::tetrawave::kernels::DfddInverse<S>)         \
  X(::tetrawave::kernels::RatePoles<S>)           \
  X(::tetrawave::kernels::LayersOfRates<S>)       \
  X(::tetrawave::kernels::RecursionsOfRates<S>)   \
  X(::tetrawave::kernels::DfddCoupling<S>)        \
  X(::tetrawave::kernels::CurlOfField<S>)         \
  X(::tetrawave::kernels::LawsOfRates<S>)         \
  X(::tetrawave::kernels::CurlEnergy<S>)
