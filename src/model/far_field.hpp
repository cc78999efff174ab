// The far field of a run: its surface, its sampling interval, its sums in checkpoints, and its integrals at the end.
#pragma once

#include <vector>

#include "model/time_domain_setup.hpp"
#include "results/far_field/far_field_output.hpp"

namespace tetrawave::modes {

/// On the CPU.
[[nodiscard]] results::DirectionSummation direction_summation(int threads);

/// Chooses the surface and adds its faces to the problem, if the case requests a far field. Throws UserError
/// (bad_case), the same on all ranks. Collective.
void set_up_far_field(TimeDomainSetup& setup, const Case& given, const comm::Communicator& ranks);

/// Steps between samples of the Fourier sums: those for which nothing above 1e-7 of the largest spectral density of a
/// driving waveform is aliased onto the wanted frequencies (results::sampling_stride; waveforms are evaluated at half
/// steps). 1 if the band is unknown: with initial fields, which contain everything that the mesh supports, with
/// nonlinear media, which generate harmonics, and for waveforms of more than 2^20 half steps. The same for all
/// excitations of the case.
[[nodiscard]] std::int64_t choose_spectra_every(const Case& given, const TimeDomainSetup& setup);
/// Steps between samples of the energy of jumps, 2 to 16 so that their powers are not aliased to zero frequency; 2 if
/// the band is unknown. 0: it is not summed.
[[nodiscard]] std::int64_t choose_jumps_every(const Case& given, const TimeDomainSetup& setup);

/// The sums of all ranks, a row per face: 4 times the global element id plus the face, then the sums; on rank 0, empty
/// elsewhere. Collective.
[[nodiscard]] std::vector<double> gather_spectra(const TimeDomainSetup& setup, const comm::Communicator& ranks);
/// Every rank extracts its own faces from such rows.
void restore_spectra(const TimeDomainSetup& setup, const std::vector<double>& rows);

/// The far fields of a finished run, at all frequencies; on rank 0, empty elsewhere. `driven`: its ports. Collective.
[[nodiscard]] std::vector<results::FarFieldResult> find_far_field(const Case& given, const TimeDomainSetup& setup,
                                                                  const std::vector<std::size_t>& driven,
                                                                  const comm::Communicator& ranks);

/// If only ports drive, the surface's net power is what radiates, unless waves are reflected from outside. (Around
/// point currents it also contains products of errors of the reactive field, which do not affect the pattern.)
void warn_of_powers(const std::vector<results::FarFieldResult>& results, const std::vector<double>& frequencies,
                    bool marched);

/// Far fields as numbers for checkpoints, and back.
[[nodiscard]] std::vector<double> to_numbers(const std::vector<results::FarFieldResult>& results);
[[nodiscard]] std::vector<results::FarFieldResult> from_numbers(const std::vector<double>& numbers, std::size_t count);

}  // namespace tetrawave::modes
