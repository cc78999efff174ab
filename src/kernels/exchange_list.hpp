// The team kernels of the exchange between ranks, which backends compile beside those of kernels/list.hpp.
#pragma once

#include "kernels/clock.hpp"
#include "kernels/flags.hpp"

#define TW_EXCHANGE_KERNELS(X)        \
  X(::tetrawave::kernels::RaiseFlags) \
  X(::tetrawave::kernels::AwaitFlags) \
  X(::tetrawave::kernels::NoteTime)   \
  X(::tetrawave::kernels::AddExchange)
