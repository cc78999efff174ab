#include "case/spec/solver_notes.hpp"

#include <map>
#include <string>

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

std::vector<std::string> find_idle_keys(const SolverOptions& solver) {
  const auto use_of = [&](const std::string& key) -> std::string {
    if (solver.method == SolverMethod::direct) return "method: bicgstab";
    if (key == "precision") return "method: direct";
    return key == "relaxation" ? "preconditioner: ssor, ssor-ai or p-multigrid" : "preconditioner: ilut";
  };
  std::map<std::string, std::string> keys;  // by what they are used with
  for (const std::string& key : solver.idle_keys) {
    std::string& list = keys[use_of(key)];
    list += (list.empty() ? "solver." : ", solver.") + key;
  }
  std::vector<std::string> warnings;
  for (const auto& [use, list] : keys)
    warnings.push_back(tetrawave::format("{}: ignored: used only with solver.{}", list, use));
  return warnings;
}

}  // namespace tetrawave
