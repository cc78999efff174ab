// The choice of the march's types from the case, once for every backend.
#pragma once

#include <memory>
#include <utility>

#include "march/march.hpp"

namespace tetrawave::march {

template <class Backend>
std::unique_ptr<Engine> make_engine_on(Backend backend, const Problem& problem, Precision precision,
                                       const comm::Communicator& ranks) {
  if (precision == Precision::single_precision)
    return std::make_unique<March<Backend, float>>(std::move(backend), problem, ranks);
  return std::make_unique<March<Backend, double>>(std::move(backend), problem, ranks);
}

}  // namespace tetrawave::march
