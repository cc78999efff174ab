// Mode fetd: finite elements of E with implicit time stepping, as an engine of the time loop (theory/fetd).
#pragma once

#include <memory>

#include "fem/solvers/direct_solver.hpp"
#include "modes/time_domain/setup.hpp"

namespace tetrawave::modes {

/// Devices of the direct solver, of iterations and of the assembly; nullptr: the host. The engine refers to the model.
/// Its maker throws UserError, the same on all ranks: bad_case if all edges are on metal, unavailable without the
/// direct solver requested by the case.
[[nodiscard]] Stepping implicit_stepping(std::shared_ptr<const fem::FactorDevice> factors,
                                         std::shared_ptr<const fem::IterationDevice> iterations,
                                         std::shared_ptr<const fem::AssemblyDevice> assembly = nullptr);

}  // namespace tetrawave::modes
