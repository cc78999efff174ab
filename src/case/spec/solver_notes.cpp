#include "case/spec/solver_notes.hpp"

#include "base/log.hpp"
#include "base/text/format.hpp"

namespace tetrawave {

std::string describe_solver(const SolverOptions& solver, const std::string& direct_library, const std::string& device) {
  if (solver.method != SolverMethod::direct)
    return tetrawave::format("{} with {}{}{}{}", name_of(solver.method), name_of(solver.preconditioner),
                             device.empty() ? "" : " on ", device,
                             solver.preconditioner == Preconditioner::oras ? " by " + direct_library : "");
  return tetrawave::format("direct by {}{}", direct_library,
                           solver.mixed_precision ? ", factors in single precision" : "");
}

void warn_of_idle_keys(const SolverOptions& solver) {
  std::string keys;
  for (const std::string& key : solver.idle_keys)
    if (key == "relaxation" && solver.method != SolverMethod::direct)
      log::warning("solver.relaxation: ignored: solver.preconditioner: {} has none", name_of(solver.preconditioner));
    else
      keys += (keys.empty() ? "solver." : ", solver.") + key;
  if (keys.empty()) return;
  log::warning("{}: ignored: used only with solver.method: {}", keys,
               name_of(solver.method == SolverMethod::direct ? SolverMethod::bicgstab : SolverMethod::direct));
}

}  // namespace tetrawave
