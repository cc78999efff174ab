// Sizes of a problem on a rank, from which its memory is computed.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "engines/memory/memory_plan.hpp"
#include "engines/memory/plan_poles.hpp"
#include "march/elements/layout.hpp"
#include "march/elements/shared_blocks.hpp"
#include "schemes/leap_frog/elements/modal_responses.hpp"
#include "schemes/stored/equation.hpp"
#include "schemes/upwind/conductors.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/dispersion/device/law_on_device.hpp"
#include "terms/pml/layers.hpp"
#include "terms/ports/port_memory.hpp"

namespace tetrawave::march {

namespace {

std::size_t index_of(Field field) { return field == Field::electric ? 0 : 1; }

/// Index of a part in lists by part.
std::size_t index_of(const Part& part, int step_classes) {
  return static_cast<std::size_t>((part.border ? 0 : step_classes) + part.step_class);
}

void count_elements(const Problem& problem, ProblemCounts& counts) {
  const LocalMesh& mesh = *problem.mesh;
  const StepClasses& classes = problem.classes;
  counts.border = mesh.border_count;
  counts.inner = mesh.element_count() - mesh.border_count;
  counts.step_classes = classes.count;
  counts.substeps = classes.substeps(0);
  counts.wave_tables = 0;
  for (int c = 0; c < classes.count; ++c) counts.wave_tables += classes.substeps(c);
  const std::size_t parts = 2 * static_cast<std::size_t>(classes.count);
  counts.driven.assign(parts, {});
  counts.layers.assign(parts, {});
  counts.braked.assign(parts, {});
  for (auto& kept : counts.kept) kept.assign(parts, 0);
  const BlockGroups groups(problem);
  counts.block_groups.assign(parts * groups.count, 0);
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    ++counts.block_groups[index_of(problem.part_of(e), classes.count) * groups.count + groups.of(problem, e)];
  for (std::size_t p = 0; p < mesh.peers.size(); ++p) {
    std::vector<SharedFaces> shared(static_cast<std::size_t>(classes.count));
    for (std::size_t i = 0; i < mesh.peers[p].faces.size(); ++i) {
      ++shared[static_cast<std::size_t>(classes.of(mesh.peers[p].faces[i].element))].sent;
      ++shared[classes.count == 1 ? 0 : static_cast<std::size_t>(classes.behind[p][i])].received;
    }
    counts.shared.insert(counts.shared.end(), shared.begin(), shared.end());
  }
}

/// Blocks of geometry, if it is shared (layout.hpp).
void count_shared(const Problem& problem, int lanes, ProblemCounts& counts) {
  if (counts.shared_blocks.contains(lanes)) return;
  const auto ghosts = [&](std::int64_t blocks, const SharedFaces& faces) {
    return blocks + blocks_for((faces.received + 1) / 2, lanes);
  };
  const std::int64_t others = std::accumulate(counts.shared.begin(), counts.shared.end(), std::int64_t{1}, ghosts);
  const auto found =
      share_blocks(problem, lanes, blocks_for(counts.border, lanes), blocks_for(counts.inner, lanes), others);
  if (!found.first.empty()) counts.shared_blocks[lanes] = static_cast<std::int64_t>(found.first.size());
}

void count_layers(const Problem& problem, ProblemCounts& counts) {
  for (const LayerElements& list : list_layers(problem)) {
    const auto count = static_cast<std::int64_t>(list.elements.size());
    const std::size_t part = index_of(list.part, problem.classes.count);
    const auto states = static_cast<std::size_t>(list.states) - 1;
    counts.layers[part][states] = count;
    if (list.braked) counts.braked[part][states] = count;
  }
  if (problem.layers && problem.scheme == Scheme::dfdd_eld)
    counts.curl_sections = {curl_sections(problem, 1), curl_sections(problem, 2)};
}

void count_walls_and_waves(const Problem& problem, ProblemCounts& counts) {
  const LocalMesh& mesh = *problem.mesh;
  std::map<LocalIndex, std::size_t> driven;
  for (const DrivenFace& face : problem.driven) ++driven[face.element];
  if (problem.scheme == Scheme::dgtd_upwind)
    for (const ConductorGroup& group : group_conductors(problem))
      counts.conductors.push_back(static_cast<std::int64_t>(group.faces.size()));
  counts.conductor_branches = conductor_branches(problem);
  std::set<std::pair<std::int32_t, LocalIndex>> at_terminations;
  std::set<std::int32_t> modal;
  for (const ModalTermination& port : problem.terminations) modal.insert(port.wave);
  for (const DrivenFace& face : problem.driven)
    if (modal.count(face.wave) != 0) at_terminations.insert({face.wave, face.element});
  counts.terminations = static_cast<std::int64_t>(problem.terminations.size());
  if (problem.scheme != Scheme::dgtd_upwind)
    counts.termination_elements = static_cast<std::int64_t>(at_terminations.size());
  const bool has_lists = problem.layout == Layout::factored || problem.starts_factored();
  if (problem.scheme != Scheme::dgtd_upwind && has_lists)
    for (const auto& [wave, e] : at_terminations) {
      counts.termination_walls += count_wall_faces(problem, e, Field::electric);
      if (problem.scheme == Scheme::dfdd_eld) counts.termination_walls += count_wall_faces(problem, e, Field::magnetic);
    }
  if (problem.scheme == Scheme::dfdd_eld)
    for (const DrivenFace& face : problem.driven)
      if (modal.count(face.wave) != 0) counts.termination_traces += count_free_dofs(problem, face);
  for (const ModalTermination& port : problem.terminations) {
    counts.termination_items += static_cast<std::int64_t>(problem.electric[port.functional].items.size());
    if (!port.memory) continue;
    ++counts.modal_memories;
    counts.modal_terms += memory_terms(*port.memory);
  }
  counts.holds_metal = problem.scheme == Scheme::dgtd_central && problem.holds_metal;
  for (const auto& [e, faces] : driven) ++counts.driven[index_of(problem.part_of(e), problem.classes.count)][faces - 1];
  for (const Field field : {Field::electric, Field::magnetic}) {
    counts.timeless[index_of(field)] = count_walls(problem, field, 0);
    if (problem.layout == Layout::factored || problem.starts_factored() || problem.scheme == Scheme::dgtd_upwind)
      counts.walls[index_of(field)] = count_walls(problem, field, 1);
    if (problem.layout == Layout::stored) {
      for (LocalIndex e = 0; e < mesh.element_count(); ++e)
        if (keeps_field(problem, e, field))
          ++counts.kept[index_of(field)][index_of(problem.part_of(e), problem.classes.count)];
    }
  }
}

void count_kerr(const Problem& problem, ProblemCounts& counts) {
  std::vector<bool> chosen;
  for (const Medium& medium : problem.media) chosen.push_back(medium.chi3 > 0);
  for (const RegionElements& list : elements_by_region(problem, chosen))
    counts.kerr.push_back(static_cast<std::int64_t>(list.elements.size()));
}

}  // namespace

ProblemCounts count_problem(const Problem& problem, std::int64_t waves, std::int64_t steps,
                            const BackendTraits& traits) {
  ProblemCounts counts;
  counts.scheme = problem.scheme;
  counts.space = problem.space;
  counts.layout = problem.layout;
  count_elements(problem, counts);
  for (const int lanes : {traits.lanes_double, traits.lanes_single}) count_shared(problem, lanes, counts);
  counts.classes = static_cast<std::int64_t>(problem.media.size()) + 1;
  counts.axes = weighs_fields_apart(problem);
  for (const Medium& medium : problem.media) {
    for (const bool electric : {true, false}) {
      const auto law = schemes::law_of(problem.scheme, medium, electric);
      counts.published = counts.published || (law.published && law.any());
    }
  }
  count_walls_and_waves(problem, counts);
  count_poles(problem, counts);
  count_kerr(problem, counts);
  count_layers(problem, counts);
  counts.has_layers = problem.layers.has_value();
  counts.all_elements = problem.mesh->global_element_count;
  counts.all_functionals = static_cast<std::int64_t>(problem.electric.size() + problem.magnetic.size());
  for (const auto* list : {&problem.electric, &problem.magnetic})
    for (const Functional& functional : *list) {
      counts.functionals += functional.items.empty() ? 0 : 1;
      counts.items += static_cast<std::int64_t>(functional.items.size());
    }
  for (const Functional& functional : problem.magnetic) {
    if (!problem.records_rates()) break;
    counts.rates += functional.items.empty() ? 0 : 1;
    counts.rate_items += static_cast<std::int64_t>(functional.items.size());
  }
  counts.memories = static_cast<std::int64_t>(problem.memories.size());
  for (const PortMemory& memory : problem.memories) {
    counts.memory_terms = std::max<std::int64_t>(counts.memory_terms, memory_terms(memory));
    for (const auto* list : {&problem.electric, &problem.magnetic})
      counts.memory_items += static_cast<std::int64_t>((*list)[memory.functional].items.size());
  }
  counts.waves = waves;
  counts.steps = steps;
  counts.energy = problem.energy_every > 0;
  counts.jumps = problem.scheme == Scheme::dgtd_upwind && problem.sums_jumps;
  counts.listed = static_cast<std::int64_t>(problem.fields.elements.size());
  counts.snapshots = problem.fields.every > 0;
  counts.frequencies = static_cast<std::int64_t>(problem.fields.frequencies_hz.size());
  for (const SourceTerm& term : problem.sources) {
    for (const auto* moment : {&term.electric, &term.magnetic, &term.curl})
      counts.source_terms += moment->empty() ? 0 : 1;
    counts.source_waves = std::max(counts.source_waves, std::int64_t{term.wave} + 1);
  }
  counts.spectral_faces = static_cast<std::int64_t>(problem.spectral.faces.size());
  counts.spectral_frequencies = static_cast<std::int64_t>(problem.spectral.frequencies_per_m.size());
  return counts;
}

}  // namespace tetrawave::march
