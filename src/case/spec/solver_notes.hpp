// The solver of linear systems in words.
#pragma once

#include <string>
#include <vector>

#include "case/spec/frequency_spec.hpp"

namespace tetrawave {

/// The method with its preconditioner, or with the library of the direct one.
[[nodiscard]] std::string describe_solver(const SolverOptions& solver, const std::string& direct_library,
                                          const std::string& device = {});
/// A warning for the keys of `solver` that are ignored, by what they are used with.
[[nodiscard]] std::vector<std::string> find_idle_keys(const SolverOptions& solver);

}  // namespace tetrawave
