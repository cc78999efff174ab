// Team kernels of ports of one mode with dispersion.
#pragma once

#include "terms/ports/modal_memory_kernel.hpp"

/// X(kernel type).
#define TW_PORT_KERNELS(X)                          \
  X(::tetrawave::kernels::ModalMemoryStep<double>)  \
  X(::tetrawave::kernels::ModalMemoryStep<float>)   \
  X(::tetrawave::kernels::ModalMemoryStage<double>) \
  X(::tetrawave::kernels::ModalMemoryStage<float>)
