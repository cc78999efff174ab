// The engine of this host's CPU for a problem that one rank has whole.
#pragma once

#include <memory>

#include "engines/host/engine.hpp"

namespace tetrawave_tests {

inline std::unique_ptr<tetrawave::march::Engine> make_engine(
    const tetrawave::march::Problem& problem, int threads = 1,
    tetrawave::Precision precision = tetrawave::Precision::double_precision) {
  tetrawave::march::EngineOptions options;
  options.threads = threads;
  options.precision = precision;
  return tetrawave::host::make_engine(problem, options, tetrawave::comm::Communicator::self());
}

}  // namespace tetrawave_tests
