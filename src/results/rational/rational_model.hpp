// A rational function of frequency fitted to the samples of a matrix, with poles common to all of its entries: vector
// fitting (theory/rational-models).
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace tetrawave::results {

/// Values of a matrix, or of some of its columns, at frequencies in ascending order.
struct MatrixSamples {
  std::vector<double> frequency_hz;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::complex<double>> values;  ///< [frequency][row][column]
};

/// D + sum of R_k/(s - p_k) at s = j 2 pi f: real for real s, stable.
struct RationalModel {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::complex<double>> poles;     ///< [rad/s], pairs adjacent, that above the real axis first
  std::vector<std::complex<double>> residues;  ///< [pole][row][column], [rad/s]
  std::vector<double> constant;                ///< D [row][column]
  double error = 0;                            ///< largest |model - sample| of all entries and frequencies
  double rms_error = 0;                        ///< root of the mean square of the same

  [[nodiscard]] const std::complex<double>& residue(std::size_t pole, std::size_t row, std::size_t column) const {
    return residues[(pole * rows + row) * columns + column];
  }
  /// [row][column]
  [[nodiscard]] std::vector<std::complex<double>> at(std::complex<double> s) const;
};

struct FitOptions {
  double tolerance = 1e-3;     ///< largest error
  std::size_t max_poles = 40;  ///< a pair counts as two
};

constexpr std::size_t fewest_samples = 4;

/// Adds poles, a pair at a time where the error is largest, until the tolerance is reached or the last three pairs have
/// not lowered the error (noise); at most half as many poles as frequencies. Needs `fewest_samples` frequencies, all
/// values finite.
[[nodiscard]] RationalModel fit_rational_model(const MatrixSamples& samples, const FitOptions& options);

/// Sets model.error and model.rms_error.
void measure_error(RationalModel& model, const MatrixSamples& samples);

}  // namespace tetrawave::results
