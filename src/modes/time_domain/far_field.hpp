// The far field of a run: its sampling interval, its sums in checkpoints, and its integrals at the end.
#pragma once

#include <vector>

#include "modes/time_domain/setup.hpp"
#include "results/far_field/far_field_output.hpp"

namespace tetrawave::modes {

/// Steps between samples of the Fourier sums: those for which nothing above 1e-7 of the largest spectral density of a
/// driving waveform is aliased onto the wanted frequencies (results::sampling_stride; waveforms are evaluated at half
/// steps). 1 if the band is unknown: with initial fields, which contain everything that the mesh supports, with
/// nonlinear media, which generate harmonics, and for waveforms of more than 2^20 half steps. The same for all
/// excitations of the case.
[[nodiscard]] std::int64_t choose_spectra_every(const TimeDomainSetup& setup);
/// Steps between samples of the energy of jumps, 2 to 16 so that their powers are not aliased to zero frequency; 2 if
/// the band is unknown. 0: it is not summed.
[[nodiscard]] std::int64_t choose_jumps_every(const TimeDomainSetup& setup);

/// The sums of all ranks, a row per face: 4 times the global element id plus the face, then the sums; on rank 0, empty
/// elsewhere. Collective.
[[nodiscard]] std::vector<double> gather_spectra(const TimeDomainSetup& setup, const comm::Communicator& ranks);
/// Every rank extracts its own faces from such rows.
void restore_spectra(const TimeDomainSetup& setup, const std::vector<double>& rows);

/// The far fields of a finished run, at all frequencies; on rank 0, empty elsewhere. `driven`: its ports. Collective.
[[nodiscard]] std::vector<results::FarFieldResult> find_far_field(const TimeDomainSetup& setup,
                                                                  const std::vector<std::size_t>& driven,
                                                                  const comm::Communicator& ranks);

}  // namespace tetrawave::modes
