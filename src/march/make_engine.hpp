// The choice of the march's types from the case: space x precision, once for every backend.
#pragma once

#include <memory>
#include <utility>

#include "base/error.hpp"
#include "march/march.hpp"

namespace tetrawave::march {

template <class Backend, class Basis>
std::unique_ptr<Engine> make_engine_of(Backend backend, const Problem& problem, Precision precision,
                                       const comm::Communicator& ranks) {
  if (precision == Precision::single_precision)
    return std::make_unique<March<Backend, Basis, float>>(std::move(backend), problem, ranks);
  return std::make_unique<March<Backend, Basis, double>>(std::move(backend), problem, ranks);
}

/// Throws InternalError for a space without kernels.
template <class Backend>
std::unique_ptr<Engine> make_engine_on(Backend backend, const Problem& problem, Precision precision,
                                       const comm::Communicator& ranks) {
  switch (problem.space) {
    case Space::mixed_1:
      return make_engine_of<Backend, kernels::Mixed1>(std::move(backend), problem, precision, ranks);
    case Space::full_1:
      return make_engine_of<Backend, kernels::Full1>(std::move(backend), problem, precision, ranks);
    case Space::mixed_2:
      return make_engine_of<Backend, kernels::Mixed2>(std::move(backend), problem, precision, ranks);
    case Space::full_2:
      return make_engine_of<Backend, kernels::Full2>(std::move(backend), problem, precision, ranks);
  }
  throw InternalError("this space has no kernels");
}

}  // namespace tetrawave::march
