// results.h5 and files of fields of mode eigenmode.
#pragma once

#include "modes/eigenmode/eigenmode.hpp"

namespace tetrawave::modes {

/// E [V/m] and H [A/m] at a probe, three components per resonance.
struct ProbedModes {
  std::vector<Complex> electric;
  std::vector<Complex> magnetic;
};
/// The fields of all resonances, per probe. Collective.
[[nodiscard]] std::vector<ProbedModes> probe_modes(const FrequencySetup& setup,
                                                   const std::vector<Resonance>& resonances);

/// Writes DIRECTORY/results.h5, atomically: /eigenmodes with the figures of the search. Throws UserError (io).
void write_eigenmode_results(const Case& given, const FrequencyDomainOptions& options, const FrequencySetup& setup,
                             const EigenmodeOutcome& outcome, const std::vector<ProbedModes>& probes);

/// Writes DIRECTORY/fields, a step per resonance, if the case asks for it. Collective.
void write_eigenmode_fields(const FrequencySetup& setup, const std::vector<Resonance>& resonances,
                            const std::filesystem::path& directory);

}  // namespace tetrawave::modes
