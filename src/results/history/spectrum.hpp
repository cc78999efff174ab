// Fourier sums of sampled histories.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tetrawave::results {

/// X(f) = sum_k x_k exp(-j 2 pi f k dt) dt of each history (rows of equal length), at each frequency: [history][f].
[[nodiscard]] std::vector<std::vector<std::complex<double>>> fourier_sums(
    const std::vector<const std::vector<double>*>& histories, double dt_s, const std::vector<double>& frequencies_hz);

/// The largest |X(f)| from 0 to the Nyquist frequency, on a grid at least twice as fine as the resolution of the
/// history.
[[nodiscard]] double spectral_peak(const std::vector<double>& history, double dt_s);

/// The frequency from which on |X(f)| does not exceed `share` of its largest value, on the same grid; 0 for a zero
/// history. Samples after the last one above 1e-12 of the largest are ignored. None for histories that are still longer
/// than 2^20 samples: too long to transform.
[[nodiscard]] std::optional<double> band_edge(std::vector<double> history, double dt_s, double share);

/// The sampling interval, in steps of dt_s, of Fourier sums at frequencies up to `highest_hz`: 1, 2, 4, 8 or 16, the
/// largest with 1/(m dt) > edge + highest, so that nothing from the band is aliased onto a wanted frequency
/// (theory/fourier-sums).
[[nodiscard]] std::int64_t sampling_stride(double edge_hz, double highest_hz, double dt_s);

}  // namespace tetrawave::results
