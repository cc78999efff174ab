// results.h5 and the Touchstone file of mode frequency-domain.
#pragma once

#include "modes/frequency_domain/frequency_domain.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::modes {

/// Writes DIRECTORY/results.h5, atomically: ports, probes and far fields as phasors over the frequencies,
/// /frequency_domain with what each system took, S-parameters with their Touchstone file. Throws UserError (io).
void write_frequency_results(const Case& given, const FrequencyDomainOptions& options, const Model& setup,
                             const FrequencyOutcome& outcome);

/// Writes the attributes of the root: program, machine, sizes and case of the run.
void write_attributes(const store::File& file, const Case& given, const FrequencyDomainOptions& options,
                      const std::string& mesh_hash, const FrequencyOutcome& outcome);
/// Writes PREFIX/ports and PREFIX/probes of one right-hand side.
void write_readings(const store::File& file, const std::string& prefix, const Case& given,
                    const FrequencyOutcome& outcome, std::size_t set);
/// Writes /frequency_domain.
void write_solver(const store::File& file, const Case& given, const FrequencyOutcome& outcome);
/// S from the waves at the ports, at the reference planes and impedances of the case, checked against its balance.
[[nodiscard]] results::SParameters make_s(const Case& given, const FrequencyOutcome& outcome,
                                          const results::PowerBalance& balance);
/// Writes /performance.
void write_performance(const store::File& file, const FrequencyOutcome& outcome);

/// Logs how a fast sweep went, if it was one; `tolerance`: the one asked for.
void report_sweep(const FrequencyOutcome& outcome, double tolerance);

}  // namespace tetrawave::modes
