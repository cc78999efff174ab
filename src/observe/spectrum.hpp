// Fourier sums of sampled histories.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace tetrawave::observe {

/// X(f) = sum_k x_k exp(-j 2 pi f k dt) dt of each history (rows of equal length), at each frequency: [history][f].
[[nodiscard]] std::vector<std::vector<std::complex<double>>> fourier_sums(
    const std::vector<const std::vector<double>*>& histories, double dt_s, const std::vector<double>& frequencies_hz);

/// The largest |X(f)| from 0 to the Nyquist frequency, of a grid at least twice as fine as the history resolves.
[[nodiscard]] double spectral_peak(const std::vector<double>& history, double dt_s);

}  // namespace tetrawave::observe
