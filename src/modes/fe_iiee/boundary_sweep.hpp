// The integral equation of mode fe-iiee over a band of frequencies: sums over pairs at a few of them, and what comes in
// between (theory/fe-iiee).
#pragma once

#include <cstdint>
#include <vector>

#include "modes/fe_iiee/integral_boundary.hpp"

namespace tetrawave::modes {

/// Chebyshev nodes of a band for functions that are exp(-j k c) times one of exponential type, over k.
class BandNodes {
 public:
  /// `extent_m`: the largest |s - c| of exp(-j k s). Interpolation is right to about 1e-8.
  BandNodes(double first_hz, double last_hz, double extent_m, double slowness);

  [[nodiscard]] const std::vector<double>& hz() const { return hz_; }
  /// Weights of the values at the nodes in the interpolated value.
  [[nodiscard]] std::vector<Complex> weights(double hz, double centre_m) const;

 private:
  std::vector<double> hz_;
  double slowness_;  ///< k over k0
};

/// Boundary values as a part of the matrix: with Psi = R x + r, (A + C) x = b - s, C x = oint N . R x. The arguments
/// must outlive it.
class BoundarySweep {
 public:
  BoundarySweep(const FrequencySystem& system, IntegralBoundary& boundary, const std::vector<double>& hz,
                const std::vector<DrivenSet>& sets);

  /// Number of frequencies whose operators are combined to those of all others.
  [[nodiscard]] std::size_t nodes() const { return nodes_.hz().size(); }
  /// C(hz) = sum_i weights_i C_i.
  [[nodiscard]] std::vector<Complex> weights(double hz) const { return nodes_.weights(hz, centre_m_); }
  /// Unknowns with functions on S, ascending: only there C x and s are not 0.
  [[nodiscard]] const std::vector<std::int32_t>& rows() const { return boundary_.unknowns(); }
  /// C_i x, [vector][row].
  [[nodiscard]] std::vector<std::vector<Complex>> apply(std::size_t node,
                                                        const std::vector<std::vector<Complex>>& vectors);
  /// Adds -s, the excitation of a set through the boundary, to its right-hand side.
  void add_side(std::size_t set, double hz, std::vector<Complex>& side) const;

 private:
  [[nodiscard]] std::vector<std::vector<Complex>> radiate(const std::vector<FieldSolution>& fields) const;

  const FrequencySystem& system_;
  IntegralBoundary& boundary_;
  BoundaryExtent extent_;
  double centre_m_;  ///< middle of the distances between S' and S
  BandNodes nodes_;
  std::vector<std::vector<std::vector<Complex>>> sides_;  ///< [set][node][row]; empty where nothing on S' drives it
  std::vector<double> centres_m_;                         ///< per set
};

}  // namespace tetrawave::modes
