// Passivity of a rational model of S: no singular value above one at any frequency (theory/rational-models).
#pragma once

#include "results/rational/rational_model.hpp"

namespace tetrawave::results {

/// Largest singular value of a symmetric model over all frequencies, infinity included, to 1e-7 of it: from above by
/// the eigenvalues of the half-size matrix (Gustavsen and Semlyen 2009).
[[nodiscard]] double largest_singular_value(const RationalModel& model);

struct PassivityReport {
  double largest_before = 0;  ///< singular values
  double largest_after = 0;
  double change = 0;  ///< largest |after - before| of all entries at the samples
  int corrections = 0;
};

/// Alters residues and constant of a symmetric model, least at the samples, until no singular value exceeds one at any
/// frequency; model.error is of the model altered. Passive models are a convex set: a projection onto it by cutting
/// planes. Poles outside of the band are added where the change would be above the tolerance without.
PassivityReport enforce_passivity(RationalModel& model, const MatrixSamples& samples, double tolerance);

}  // namespace tetrawave::results
