#include "engines/memory_plan.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "basis/reference_element.hpp"
#include "engines/engine_on.hpp"
#include "host/host_backend.hpp"
#include "march/interface/region_elements.hpp"
#include "march/record/recorder.hpp"
#include "mesh/report/mesh_summary.hpp"
#include "schemes/stored/matrices.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/dispersion/kernel.hpp"

namespace tetrawave::march {

namespace {

std::int64_t number_bytes(Precision precision) { return precision == Precision::single_precision ? 4 : 8; }

/// Numbers of a field on this rank's elements.
std::int64_t count_dofs(const Problem& problem) {
  return std::int64_t{problem.mesh->element_count()} *
         static_cast<std::int64_t>(basis::reference_element(problem.space).dofs);
}

std::unique_ptr<Engine> make_counted(const host::HostBackend& backend, const Problem& problem, Precision precision,
                                     const comm::Communicator& ranks) {
  if (precision == Precision::single_precision) return make_engine_of<float>(backend, problem, ranks);
  return make_engine_of<double>(backend, problem, ranks);
}

/// Numbers on the host while the states of media follow from given fields (schemes/central/dispersion.hpp,
/// schemes/dfdd/given_fields.hpp), in the list of elements of a region that takes most.
std::int64_t numbers_of_given_states(const Problem& problem) {
  const std::int64_t dofs = count_dofs(problem);
  const auto per_element = static_cast<std::int64_t>(basis::reference_element(problem.space).dofs);
  const bool in_dfdd = has_rates(problem.scheme);
  const auto count = [&](const Medium& medium, bool electric) {
    return static_cast<std::int64_t>(schemes::law_of(problem.scheme, medium, electric).terms.size());
  };
  std::int64_t most = 0;
  for (const RegionElements& list : elements_by_region(problem, std::vector<bool>(problem.media.size(), true)))
    for (const bool electric : {true, false}) {
      const Medium& medium = problem.media[list.region];
      const std::int64_t own = count(medium, electric), other = count(medium, !electric);
      std::int64_t given = has_central_fluxes(problem.scheme) && !electric ? 2 * own : 0;
      std::int64_t fields = 1;
      if (in_dfdd && own + other > 0) {
        given = kernels::RatePoles<double>::rows + 2 * std::max(own, other);
        fields = 5;                    // two with their rates, and the change of the rate of H
        if (!electric && other > 0) {  // matched: with what it is without terms, and what it comes to
          fields = 8;
          given += own > 0 ? 2 * own + 1 : 0;
        }
      }
      const auto elements = static_cast<std::int64_t>(list.elements.size());
      if (given > 0) most = std::max(most, fields * dofs + given * elements * per_element);
    }
  return most;
}

/// What passes through the host. Each is freed before the next is allocated.
void plan_host(const Problem& problem, const Start& start, Precision precision, int lanes, MemoryPlan& plan) {
  const std::int64_t number = number_bytes(precision), dofs = count_dofs(problem);
  const std::int64_t part =
      std::min(dofs, part_blocks * lanes * static_cast<std::int64_t>(basis::reference_element(problem.space).dofs)) *
      number;
  plan.host_checkpoint = part + dofs * number;
  const auto columns = static_cast<std::int64_t>(problem.electric.size() + problem.magnetic.size());
  plan.host_recorder = 2 * 16 * ring_rows(columns) * columns;
  plan.host_start = std::max(plan.host_start, 2 * std::min(plan.matrices / 2, stored_at_once * number));
  if (!start.electric && !start.magnetic) return;
  // DFDD-ELD: rates of H, losses and walls, and the change of a step; for a pulse two fields and their rates
  if (has_rates(problem.scheme)) plan.host_start += 5 * dofs * number;
  plan.host_start = std::max(plan.host_start, numbers_of_given_states(problem) * number);
  plan.host_start += (has_central_fluxes(problem.scheme) && problem.holds_metal ? 3 : 2) * dofs * 8;
}

/// Whether a run fills the memory so little that nothing needs to be counted: fields, their search and the terms of
/// most media are fewer than so many fields.
bool fits_by_far(const Problem& problem, Precision precision, std::int64_t free) {
  constexpr std::int64_t many_fields = 256;
  return problem.layout != Layout::stored && many_fields * count_dofs(problem) * number_bytes(precision) < free;
}

double smallest_inradius_m(const Problem& problem, int threads) {
  const auto& elements = problem.mesh->corners;
  std::vector<double> smallest(count_ranges(elements.size(), threads), 10);
  for_ranges(elements.size(), smallest.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    double mine = smallest[range];
    for (std::size_t e = first; e < last; ++e) mine = std::min(mine, measure_element(elements[e]).inradius_m);
    smallest[range] = mine;
  });
  return *std::min_element(smallest.begin(), smallest.end());
}

}  // namespace

MemoryPlan plan_memory(const Problem& problem, const Start& start, Precision precision, const BackendTraits& traits,
                       int threads, const comm::Communicator& ranks) {
  host::HostBackend backend(traits, threads);
  MemoryCount& count = backend.count();
  const auto engine = make_counted(backend, problem, precision, ranks);
  MemoryPlan plan;
  const int lanes = precision == Precision::single_precision ? traits.lanes_single : traits.lanes_double;
  if (problem.layout == Layout::stored)
    plan.matrices = 2 * lay_out_elements<double>(problem, lanes, threads, true).held_blocks() * lanes *
                    stored_shape(problem.scheme, problem.space).entries() * number_bytes(precision);
  const std::int64_t copied = count.uploaded;
  count.largest_upload = 0;
  engine->find_stable_step();
  plan.search = count.peak;
  plan.host_search = traits.on_host ? count.largest_upload : std::max(copied, count.largest_upload);
  count.peak = count.now;
  count.largest_upload = 0;
  engine->start(start);
  if (problem.starts_factored()) engine->advance(1);
  plan.start = count.peak;
  plan.march = count.now;
  plan.host_start = count.largest_upload;
  plan_host(problem, start, precision, lanes, plan);
  return plan;
}

void check_memory(const MemoryPlan& plan, const Problem& problem, Precision precision, const MemoryPlace& place) {
  if (plan.peak() <= place.free) return;
  std::string parts;
  if (plan.matrices > 0)
    parts += tetrawave::format(", {} for the matrices of layout: stored", describe_bytes(plan.matrices));
  if (plan.peak() > plan.march)
    parts += tetrawave::format(", {} only during set-up", describe_bytes(plan.peak() - plan.march));
  fail(ExitCode::out_of_memory,
       "the {} elements of a rank need {}{}, but {} are free on {}: use more ranks{}{} or a coarser mesh",
       problem.mesh->element_count(), describe_bytes(plan.peak()), parts.empty() ? "" : " (" + parts.substr(2) + ")",
       describe_bytes(place.free), place.device, plan.matrices > 0 ? ", method.layout: factored" : "",
       precision == Precision::double_precision ? ", method.precision: single" : "");
}

void check_memory(const Problem& problem, Precision precision, const BackendTraits& traits, const MemoryPlace& place,
                  const comm::Communicator& ranks) {
  if (ranks.max(std::int64_t{fits_by_far(problem, precision, place.free) ? 0 : 1}) == 0) return;
  Start start;
  start.dt_m = smallest_inradius_m(problem, place.threads) / 10;  // any step below the stable one
  if (problem.has_initial_fields)
    start.electric = start.magnetic = std::vector<double>(static_cast<std::size_t>(count_dofs(problem)), 0.0);
  check_memory(plan_memory(problem, start, precision, traits, place.threads, ranks), problem, precision, place);
}

std::int64_t bytes_of_functionals(const Problem& problem) {
  const auto dofs = static_cast<std::int64_t>(basis::reference_element(problem.space).dofs);
  std::int64_t items = 0;
  for (const auto* list : {&problem.electric, &problem.magnetic})
    for (const Functional& functional : *list) items += static_cast<std::int64_t>(functional.items.size());
  return items * (static_cast<std::int64_t>(sizeof(Functional::Item)) + 16 + 8 * dofs);
}

}  // namespace tetrawave::march
