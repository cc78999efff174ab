// The solver of linear systems in the log.
#pragma once

#include <string>

#include "case/spec/frequency_spec.hpp"

namespace tetrawave {

/// The method with its preconditioner, or with the library of the direct one.
[[nodiscard]] std::string describe_solver(const SolverOptions& solver, const std::string& direct_library,
                                          const std::string& device = {});
/// Says in the log which keys of `solver` are ignored.
void warn_of_idle_keys(const SolverOptions& solver);

}  // namespace tetrawave
