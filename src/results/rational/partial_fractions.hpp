// Partial fractions with real coefficients, and least squares over them: Eigen's side of rational models.
#pragma once

#include <Eigen/Dense>

#include "results/rational/rational_model.hpp"

namespace tetrawave::results {

/// Is pole k the first of a conjugate pair?
[[nodiscard]] inline bool begins_pair(const std::vector<std::complex<double>>& poles, std::size_t k) {
  return poles[k].imag() > 0;
}

/// The functions whose real coefficients are residues, at s: 1/(s - p) of a real pole; of a pair 1/(s - p) + 1/(s - p*)
/// and j/(s - p) - j/(s - p*), for the real and the imaginary part of the residue at p; and 1.
[[nodiscard]] Eigen::VectorXcd partial_fractions(const std::vector<std::complex<double>>& poles,
                                                 std::complex<double> s);

/// Real parts above imaginary parts.
[[nodiscard]] Eigen::MatrixXd as_real(const Eigen::MatrixXcd& values);

/// Coefficients [function][entry] of a model as real numbers, in the order of `partial_fractions`, and back.
[[nodiscard]] Eigen::MatrixXd coefficients_of(const RationalModel& model);
void set_coefficients(RationalModel& model, const Eigen::MatrixXd& coefficients);

}  // namespace tetrawave::results
