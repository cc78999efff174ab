// Vectors over a real variable, interpolated by rational functions with common weights (theory/fast-sweep).
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace tetrawave::results {

/// Barycentric form r(x) = sum_j w_j v_j/(x - x_j) / sum_j w_j/(x - x_j), which has the values v_j at the supports x_j.
/// Supports are samples, added where the error is largest; weights are those of least linearised error at the others
/// (AAA: Y. Nakatsukasa, O. Sete, L. N. Trefethen, SIAM J. Sci. Comput. 40 (2018) A1494).
class RationalInterpolation {
 public:
  /// `values`: [sample][entry] at the places `x`, ascending; at least two. Supports are added until the error at the
  /// samples is within `tolerance`, as far as eight combinations of the entries tell, up to half of the samples.
  RationalInterpolation(std::vector<double> x, const std::vector<std::vector<std::complex<double>>>& values,
                        double tolerance);

  /// All entries at a place.
  [[nodiscard]] std::vector<std::complex<double>> at(double x) const;
  [[nodiscard]] std::size_t supports() const { return x_.size(); }

 private:
  std::vector<double> x_;                                  ///< of the supports
  std::vector<std::vector<std::complex<double>>> values_;  ///< [support][entry]
  std::vector<std::complex<double>> weights_;
};

}  // namespace tetrawave::results
