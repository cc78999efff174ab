// The team kernels of ports of one mode with dispersion, which backends compile beside those of kernels/list.hpp.
#pragma once

#include "kernels/modal_memory.hpp"

/// X(kernel type).
#define TW_PORT_KERNELS(X)                          \
  X(::tetrawave::kernels::ModalMemoryStep<double>)  \
  X(::tetrawave::kernels::ModalMemoryStep<float>)   \
  X(::tetrawave::kernels::ModalMemoryStage<double>) \
  X(::tetrawave::kernels::ModalMemoryStage<float>)
