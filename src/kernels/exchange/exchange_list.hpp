// Team kernels of the exchange between ranks, compiled by the backends in addition to those of engines/lists.
#pragma once

#include "kernels/exchange/clock.hpp"
#include "kernels/exchange/peer_traces.hpp"

#define TW_EXCHANGE_KERNELS(X)                                                \
  X(::tetrawave::kernels::Messages<::tetrawave::kernels::SendTraces<double>>) \
  X(::tetrawave::kernels::Messages<::tetrawave::kernels::SendTraces<float>>)  \
  X(::tetrawave::kernels::Messages<::tetrawave::kernels::TakeTraces<double>>) \
  X(::tetrawave::kernels::Messages<::tetrawave::kernels::TakeTraces<float>>)  \
  X(::tetrawave::kernels::NoteTime)                                           \
  X(::tetrawave::kernels::AddExchange)
