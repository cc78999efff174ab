#include "terms/dispersion/regions.hpp"

#include <algorithm>

#include "base/scheme.hpp"
#include "kernels/takes_terms.hpp"
#include "media/passivity.hpp"

namespace tetrawave::march {

std::vector<bool> regions_with_terms(const Problem& problem, Field field) {
  std::vector<bool> chosen;
  for (const Medium& medium : problem.media) {
    const auto law = schemes::law_of(problem.scheme, medium, field == Field::electric);
    chosen.push_back(!law.published && (!law.terms.empty() || law.is_projected()));
  }
  return chosen;
}

std::vector<bool> regions_in_blocks(const Problem& problem) {
  std::vector<bool> chosen(problem.media.size(), false);
  if (!has_rates(problem.scheme) || problem.layout != Layout::factored || !problem.mesh->shape.empty() ||
      !kernels::takes_terms(problem.space))
    return chosen;
  for (std::size_t r = 0; r < chosen.size(); ++r)
    for (const bool electric : {true, false}) {
      const auto law = schemes::law_of(problem.scheme, problem.media[r], electric);
      if (law.published || law.is_projected()) {
        chosen[r] = false;
        break;
      }
      chosen[r] = chosen[r] || law.any();
    }
  return chosen;
}

bool any_projected(const Problem& problem, Field field) {
  return std::any_of(problem.media.begin(), problem.media.end(), [&](const Medium& medium) {
    return schemes::law_of(problem.scheme, medium, field == Field::electric).is_projected();
  });
}

std::vector<double> energy_factors(const schemes::Law& law) {
  std::vector<double> factors;
  for (const PoleTerm& term : law.terms)
    for (const double factor : stored_energy(term)) factors.push_back(factor);
  return factors;
}

}  // namespace tetrawave::march
