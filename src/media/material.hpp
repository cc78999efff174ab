// Materials as the schemes see them: a few numbers per region of the mesh, in internal units.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "case/case.hpp"

namespace tetrawave {

/// An isotropic medium: D = eps E, B = mu H, J = sigma E, M = sigma_m H (relative and normalised, base/constants.hpp).
struct Medium {
  double eps_r = 1;
  double mu_r = 1;
  double sigma_e = 0;  ///< eta0 sigma [1/m]
  double sigma_m = 0;  ///< sigma_m / eta0 [1/m]

  /// Wave impedance relative to free space, sqrt(mu/eps) (of the lossless part).
  [[nodiscard]] double impedance() const { return std::sqrt(mu_r / eps_r); }
  [[nodiscard]] bool is_lossless() const { return sigma_e == 0 && sigma_m == 0; }
  [[nodiscard]] bool operator==(const Medium& other) const = default;
};

/// The medium of a material of the case.
[[nodiscard]] Medium make_medium(const MaterialSpec& material);

/// The medium of each region of the mesh, in the order of `region_names` (a box mesh has the one region "box").
/// Throws one UserError (bad_case), a line per error: a region of the case that is no volume of the mesh, and a volume
/// of the mesh without a material.
[[nodiscard]] std::vector<Medium> media_of_regions(const Case& given, const std::vector<std::string>& region_names);

}  // namespace tetrawave
