#include "engines/memory/plan_poles.hpp"

#include <algorithm>

#include "basis/reference_element.hpp"
#include "terms/dispersion/device/law_on_device.hpp"
#include "terms/dispersion/law_energy_kernel.hpp"
#include "terms/dispersion/recursive_convolution.hpp"

namespace tetrawave::march {

namespace {

/// With published terms (schemes/leap_frog/recursive_convolution.hpp); the matrices of DFDD-ELD are two times n fields.
PoleGroup recursions_of(Scheme scheme, const schemes::Law& own, const schemes::Law& other, std::int64_t dofs) {
  const auto count = [](const schemes::Law& law) {
    return static_cast<std::int64_t>(schemes::recursions_of(law.terms, 1).size());
  };
  const std::int64_t poles = count(own);
  if (scheme == Scheme::dgtd_central) return {0, 0, 2 * poles + 1, 5 * poles, true};
  const std::int64_t both = poles + count(other);
  return {0, 0, 2 * both + 2 + 2 + 2 * dofs, 5 * both, own.any() || other.any()};
}

/// Lists of a medium for one field (schemes/central/dispersion.hpp, schemes/upwind/dispersion.hpp,
/// schemes/upwind_lts/dispersion.hpp, schemes/dfdd/dispersion.hpp).
PoleGroup poles_of(const Problem& problem, const Medium& medium, bool electric, bool in_blocks) {
  const Scheme scheme = problem.scheme;
  const auto dofs = static_cast<std::int64_t>(basis::reference_element(problem.space).dofs);
  const auto law = schemes::law_of(scheme, medium, electric);
  if (law.published) return recursions_of(scheme, law, schemes::law_of(scheme, medium, !electric), dofs);
  const auto count = [&](bool of_electric) {
    return static_cast<std::int64_t>(schemes::law_of(scheme, medium, of_electric).terms.size());
  };
  const std::int64_t own = count(electric);
  const bool projected = law.is_projected();
  const std::int64_t shape = kernels::frame_numbers + 1;
  const std::int64_t factors = kernels::energy_constants * own;
  if (scheme != Scheme::dfdd_eld) {
    const std::int64_t copies = scheme == Scheme::dgtd_upwind && problem.classes.count == 1 ? 4 : 2;  // registers
    const bool any = own > 0 || projected;
    const bool keeps = scheme == Scheme::dgtd_central && !electric && problem.energy_every > 0;
    const std::int64_t given = scheme == Scheme::dgtd_central && !electric ? 2 * own : 0;
    return {0, projected ? 1 : 0, copies * own + (keeps ? 2 * own : 0), 6 * own + factors, any, shape, 0, given};
  }
  const std::int64_t other = count(!electric), both = own + other, larger = 2 * std::max(own, other);
  if (projected || schemes::law_of(scheme, medium, !electric).is_projected())
    return {0, 6, 2 * both + 2 + 2 * dofs, 6 * both + factors, true, shape, 2 * dofs, 6 + larger};
  using Poles = kernels::RatePoles<double>;
  const std::int64_t rows = in_blocks ? Poles::rows_of_update : int(Poles::rows);
  return {0, rows, 2 * both, 6 * both + factors, both > 0, shape, 0, rows + larger};
}

/// Whether a rank with this region would list it.
bool has_energy(const Problem& problem, const Medium& medium) {
  if (problem.scheme != Scheme::dfdd_eld) return false;
  const auto is_listed = [&](bool electric) {
    const auto law = schemes::law_of(problem.scheme, medium, electric);
    return !law.published && law.any();
  };
  return is_listed(true) || is_listed(false);
}

}  // namespace

void count_poles(const Problem& problem, ProblemCounts& counts) {
  const std::vector<bool> in_blocks = regions_in_blocks(problem);
  for (const Field field : {Field::electric, Field::magnetic}) {
    const bool in_dfdd = std::any_of(problem.media.begin(), problem.media.end(),
                                     [&](const Medium& medium) { return has_energy(problem, medium); });
    const bool in_dgtd = problem.scheme != Scheme::dfdd_eld && any_region(regions_with_terms(problem, field));
    counts.law_energies += in_dfdd || in_dgtd ? 1 : 0;
    for (const RegionElements& list : elements_by_region(problem, std::vector<bool>(problem.media.size(), true))) {
      PoleGroup group = poles_of(problem, problem.media[list.region], field == Field::electric, in_blocks[list.region]);
      group.elements = static_cast<std::int64_t>(list.elements.size());
      if (group.any) counts.poles.push_back(group);
    }
  }
}

}  // namespace tetrawave::march
