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

/// The largest |X(f)| from 0 to the Nyquist frequency, of a grid at least twice as fine as the history resolves.
[[nodiscard]] double spectral_peak(const std::vector<double>& history, double dt_s);

/// The frequency from which on |X(f)| does not exceed `share` of its largest value, of the same grid; 0 for silence.
/// What comes after the last sample above 1e-12 of the largest is left out. Nothing for histories longer than 2^20
/// samples then: too long to look through.
[[nodiscard]] std::optional<double> band_edge(std::vector<double> history, double dt_s, double share);

/// Every how many steps of dt_s fields need to be sampled for Fourier sums at frequencies up to `highest_hz`: 1, 2, 4,
/// 8 or 16, the largest with 1/(m dt) > edge + highest, so that nothing from the band is folded onto a wanted frequency
/// (THEORY.md 30).
[[nodiscard]] std::int64_t sampling_stride(double edge_hz, double highest_hz, double dt_s);

}  // namespace tetrawave::results
