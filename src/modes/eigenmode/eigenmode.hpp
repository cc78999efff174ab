// Mode eigenmode: resonances of the systems of mode frequency-domain (theory/eigenmodes).
#pragma once

#include "fem/solvers/eigen_solver.hpp"
#include "modes/eigenmode/resonances.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"

namespace tetrawave::modes {

/// The case, in which several ranks share out one system.
[[nodiscard]] Case share_out(Case given, const comm::Communicator& ranks);

/// Everything that a run has found.
struct EigenmodeOutcome {
  FrequencyOutcome run;              ///< sizes and times
  fem::EigenOutcome search;          ///< with the static modes of lines at ports
  std::vector<std::size_t> lines{};  ///< ports with the mode of their line
  std::vector<Resonance> resonances;
  std::vector<DrivenSet> driven;  ///< ports with `excite`, each alone
};

/// The number of solutions of systems that a search is expected to need.
[[nodiscard]] std::int64_t expected_solutions(const EigenmodeSpec& spec);

/// Runs the case. Collective. Throws UserError: bad_case; unstable (76) where the search does not converge.
void run_eigenmodes(const Case& given, const FrequencyDomainOptions& options, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
