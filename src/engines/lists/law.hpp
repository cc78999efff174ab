// Block kernels of anisotropic media and of the energy of dispersive media.
#pragma once

#include "kernels/spaces.hpp"
#include "terms/dispersion/axes.hpp"
#include "terms/dispersion/law_energy_kernel.hpp"

#define TW_LAW_KERNELS(X, S)                 \
  X(::tetrawave::kernels::AxesProjection<S>) \
  X(::tetrawave::kernels::LawEnergy<S>)
