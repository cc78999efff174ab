// The regions of a problem with losses or dispersion that need work beside the update (theory/dispersion).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "march/interface/problem.hpp"
#include "terms/dispersion/coefficients.hpp"

namespace tetrawave::march {

/// Regions of DGTD-Central and DGTD-Upwind whose law of this field needs a list: passive terms, and in anisotropic
/// media also losses.
std::vector<bool> regions_with_terms(const Problem& problem, Field field);

/// Regions whose elements are in blocks of their own, with all states of their terms, as the update of DFDD-ELD
/// includes the terms (schemes/dfdd/update.hpp): those with passive terms and isotropic media. None if the space stores
/// inverses, or if blocks of geometry may be shared.
std::vector<bool> regions_in_blocks(const Problem& problem);

/// Groups of elements of a part: those of all other regions, and of each of these.
struct BlockGroups {
  std::size_t count = 1;
  std::vector<std::size_t> of_region;

  explicit BlockGroups(const Problem& problem) {
    for (const bool chosen : regions_in_blocks(problem)) of_region.push_back(chosen ? count++ : 0);
  }
  [[nodiscard]] std::size_t of(const Problem& problem, LocalIndex element) const {
    return of_region[problem.material_of(element)];
  }
};

/// Whether losses or terms occur in an anisotropic law of a field of some medium.
bool any_projected(const Problem& problem, Field field);

inline bool any_region(const std::vector<bool>& chosen) {
  return std::find(chosen.begin(), chosen.end(), true) != chosen.end();
}

/// The maximum number of terms in a law of any medium, without published ones.
inline int most_terms(const Problem& problem, bool electric) {
  std::size_t most = 0;
  for (const Medium& medium : problem.media)
    if (!schemes::law_of(problem.scheme, medium, electric).published)
      most = std::max(most, schemes::law_of(problem.scheme, medium, electric).terms.size());
  return static_cast<int>(most);
}

/// alpha, beta, gamma of every term of a law: twice its stored energy is alpha |x1|^2 + beta |x2 - gamma x1|^2.
std::vector<double> energy_factors(const schemes::Law& law);

}  // namespace tetrawave::march
