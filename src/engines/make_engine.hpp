// Choice of the engine type from the problem, once for every backend: a scheme is one line here.
#pragma once

#include <memory>
#include <utility>

#include "base/error.hpp"
#include "engines/engine_on.hpp"
#include "march/loop/march.hpp"
#include "schemes/central/march.hpp"
#include "schemes/dfdd/march.hpp"
#include "schemes/upwind/march.hpp"
#include "schemes/upwind_lts/march.hpp"

namespace tetrawave::march {

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

}  // namespace tetrawave::march
