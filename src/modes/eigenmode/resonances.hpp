// Resonances of a finite-element system: what is sought, and what their fields say about energy and losses
// (theory/eigenmodes).
#pragma once

#include <vector>

#include "fem/solvers/eigen_solver.hpp"
#include "modes/frequency_domain/system.hpp"

namespace tetrawave::modes {

/// The system at frequency u times `unit_hz`, as a combination of its matrices at a few frequencies.
[[nodiscard]] fem::MatrixFunction matrices_of(const FrequencySystem& system, double unit_hz);

/// exp(j 2 pi f t), with 1 J of energy stored in the fields.
struct Resonance {
  Complex hz;
  double residual = 0;
  std::vector<Complex> unknowns;  ///< of E [V], as real as they can be
  std::vector<double> electric;   ///< part of the electric energy of all regions, per region
  std::vector<double> magnetic;   ///< likewise
  std::vector<double> lost;       ///< part of 1/Q, per region: power lost there over 2 pi Re f times the stored energy
  std::vector<double> lost_at;    ///< likewise, per boundary tag: ports, then the case's boundaries
  std::vector<Complex> overlaps;  ///< with the field of each driven port at Re f, as `overlaps_of`

  /// Re f/(2 Im f); infinite without losses (less than rounding).
  [[nodiscard]] double q() const;
};

/// The resonances of eigenpairs, ascending by Re f. `unit_hz`: the frequency of the value 1.
[[nodiscard]] std::vector<Resonance> examine_pairs(const FrequencySystem& system, std::vector<fem::EigenPair> pairs,
                                                   double unit_hz, std::size_t regions, std::size_t tags);

/// x^H D y / sqrt(x^H D x y^H D y) of a resonance x and fields y at Re f, D what stores electric energy there: the
/// square is the part of the electric energy of y that is in the resonance.
[[nodiscard]] std::vector<Complex> overlaps_of(const FrequencySystem& system, const Resonance& resonance,
                                               const std::vector<std::vector<Complex>>& fields);

}  // namespace tetrawave::modes
