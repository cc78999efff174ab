// Choice of the engine type from the problem, once for every backend: a scheme is one line here.
#pragma once

#include <memory>
#include <utility>

#include "base/error.hpp"
#include "engines/memory_plan.hpp"
#include "march/loop/march.hpp"
#include "schemes/central/march.hpp"
#include "schemes/dfdd/march.hpp"
#include "schemes/upwind/march.hpp"
#include "schemes/upwind_lts/march.hpp"

namespace tetrawave::march {

/// The engine of the problem's scheme with fields of S. The heaviest template of the program: each backend instantiates
/// it in two translation units, one per number type, and declares them extern.
template <class S, class Backend>
std::unique_ptr<Engine> make_engine_of(Backend backend, const Problem& problem, const comm::Communicator& ranks) {
  switch (problem.scheme) {
    case Scheme::dgtd_central:
      return std::make_unique<TimeLoop<CentralMarch<Backend, S>>>(std::move(backend), problem, ranks);
    case Scheme::dgtd_upwind:
      if (problem.classes.count > 1)
        return std::make_unique<TimeLoop<UpwindClassesMarch<Backend, S>>>(std::move(backend), problem, ranks);
      return std::make_unique<TimeLoop<UpwindMarch<Backend, S>>>(std::move(backend), problem, ranks);
    case Scheme::dfdd_eld:
      return std::make_unique<TimeLoop<DfddMarch<Backend, S>>>(std::move(backend), problem, ranks);
  }
  throw InternalError("this scheme has no engine");
}

template <class Backend>
constexpr BackendTraits traits_of() {
  return {Backend::template lanes<double>, Backend::template lanes<float>, Backend::is_host};
}

/// Throws UserError (out_of_memory) with figures if the backend does not have enough memory.
template <class Backend>
std::unique_ptr<Engine> make_engine_on(Backend backend, const Problem& problem, Precision precision,
                                       const comm::Communicator& ranks) {
  check_memory(problem, precision, traits_of<Backend>(),
               {backend.free_bytes(ranks.node_size()), backend.device(), backend.threads()}, ranks);
  if (precision == Precision::single_precision) return make_engine_of<float>(std::move(backend), problem, ranks);
  return make_engine_of<double>(std::move(backend), problem, ranks);
}

}  // namespace tetrawave::march
