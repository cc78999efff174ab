// results.h5 and the Touchstone file of mode frequency-domain.
#pragma once

#include "modes/frequency_domain/frequency_domain.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::modes {

/// Writes DIRECTORY/results.h5, atomically: ports, probes and far fields as phasors over the frequencies,
/// /frequency_domain with what each system took, S-parameters with their Touchstone file. Throws UserError (io).
void write_frequency_results(const Case& given, const FrequencyDomainOptions& options, const Model& setup,
                             const FrequencyOutcome& outcome);

/// Attributes of the root: what ran.
void write_attributes(const store::File& file, const Case& given, const FrequencyDomainOptions& options,
                      const Model& setup, const FrequencyOutcome& outcome);
/// /performance.
void write_performance(const store::File& file, const FrequencyOutcome& outcome);

}  // namespace tetrawave::modes
