// The only access to MUMPS.
#pragma once

#include <memory>

#include "fem/solvers/direct_solver.hpp"

namespace tetrawave::fem {

/// Throws UserError (unavailable) in a build without MUMPS. A collective.
template <class T>
[[nodiscard]] std::unique_ptr<DirectSolver<T>> make_mumps_solver(const FactorRequest& request,
                                                                 const comm::Communicator& ranks);

}  // namespace tetrawave::fem
