// Block kernels of diagonal anisotropy and of the energy of dispersive media.
#pragma once

#include "kernels/axes.hpp"
#include "kernels/axes_of_rates.hpp"
#include "kernels/law_energy.hpp"
#include "kernels/spaces.hpp"

#define TW_LAW_KERNELS(X, S)                 \
  X(::tetrawave::kernels::AxesProjection<S>) \
  X(::tetrawave::kernels::CurlOfField<S>)    \
  X(::tetrawave::kernels::LawsOfRates<S>)    \
  X(::tetrawave::kernels::LawEnergy<S>)      \
  X(::tetrawave::kernels::CurlEnergy<S>)
