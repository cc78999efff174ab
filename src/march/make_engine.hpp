// The choice of the march's types from the case, once for every backend.
#pragma once

#include <memory>
#include <utility>

#include "march/march.hpp"
#include "march/memory_plan.hpp"

namespace tetrawave::march {

template <class Backend>
constexpr BackendTraits traits_of() {
  return {Backend::template lanes<double>, Backend::template lanes<float>, Backend::is_host};
}

/// Throws UserError (out_of_memory) with figures where the backend has not the memory.
template <class Backend>
std::unique_ptr<Engine> make_engine_on(Backend backend, const Problem& problem, Precision precision,
                                       const comm::Communicator& ranks) {
  const ProblemCounts counts = count_problem(problem, 0, 0);  // tables of waves come with the step, and are small
  check_memory(plan_device(counts, precision, traits_of<Backend>()), counts, precision,
               backend.free_bytes(ranks.node_size()), backend.device());
  if (precision == Precision::single_precision)
    return std::make_unique<March<Backend, float>>(std::move(backend), problem, ranks);
  return std::make_unique<March<Backend, double>>(std::move(backend), problem, ranks);
}

}  // namespace tetrawave::march
