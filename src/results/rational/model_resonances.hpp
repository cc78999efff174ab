// Resonances of a rational model of S: its pole pairs as frequencies, Q and bandwidth.
#pragma once

#include <limits>
#include <vector>

#include "results/rational/rational_model.hpp"

namespace tetrawave::results {

struct ModelResonance {
  double hz = 0;            ///< |p|/(2 pi)
  double loaded_q = 0;      ///< |p|/(2 |Re p|), with all ports matched
  double bandwidth_hz = 0;  ///< frequency over loaded Q: between the points of half the power
  double unloaded_q = 0;    ///< without the ports: infinite if it is above what the error of the model resolves, NaN if
                            ///< not every port is driven
  std::vector<double> external_q;  ///< per driven port: |p|^2/(|R_ii| Im p)
  double strength = 0;             ///< largest |R/Re p|: what the pole contributes to S at most
};

/// Pole pairs within the band, ascending, narrower than it, that contribute more than twice the error of the model.
/// `rows[j]`: the row of the port of column j. External and unloaded Q are those of a resonance apart from others.
[[nodiscard]] std::vector<ModelResonance> find_resonances(const RationalModel& model, double from_hz, double to_hz,
                                                          const std::vector<std::size_t>& rows);

}  // namespace tetrawave::results
