// An engine on a backend, for callers that see no scheme and no kernel.
#pragma once

#include <memory>
#include <utility>

#include "comm/communicator.hpp"
#include "engines/memory_plan.hpp"
#include "march/interface/engine.hpp"

namespace tetrawave::march {

/// The engine of the problem's scheme with fields of S. The heaviest template of the program, in
/// engines/make_engine.hpp: each backend instantiates it in two translation units, one per number type.
template <class S, class Backend>
std::unique_ptr<Engine> make_engine_of(Backend backend, const Problem& problem, const comm::Communicator& ranks);

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
