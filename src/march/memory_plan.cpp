#include "march/memory_plan.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "basis/reference_element.hpp"
#include "march/recorder.hpp"
#include "march/stored_central.hpp"
#include "march/upwind_size.hpp"
#include "schemes/poles.hpp"

namespace tetrawave::march {

namespace {

constexpr std::int64_t integer = 4;  ///< bytes of an index
constexpr std::int64_t teams = 512;

std::int64_t blocks_for(std::int64_t items, int lanes) { return (items + lanes - 1) / lanes; }

/// Sizes of the arrays of one ElementSystem (layout.hpp).
struct SystemSize {
  std::int64_t number;  ///< bytes
  int lanes;
  std::int64_t dofs;
  std::int64_t face_dofs;
  std::int64_t own_slots = 0;  ///< of border and inner elements
  std::int64_t slots = 0;      ///< ghosts and the spare block included

  SystemSize(const ProblemCounts& counts, bool single, const BackendTraits& traits)
      : number(single ? 4 : 8),
        lanes(single ? traits.lanes_single : traits.lanes_double),
        dofs(static_cast<std::int64_t>(basis::reference_element(counts.space).dofs)),
        face_dofs(static_cast<std::int64_t>(basis::reference_element(counts.space).face_dofs)) {
    own_slots = (blocks_for(counts.border, lanes) + blocks_for(counts.inner, lanes)) * lanes;
    slots = own_slots + lanes;
    for (const std::int64_t faces : counts.peer_faces) slots += ghost_slots(faces);
  }

  [[nodiscard]] std::int64_t ghost_slots(std::int64_t faces) const {
    return blocks_for((faces + 1) / 2, lanes) * lanes;
  }
  [[nodiscard]] std::int64_t field() const { return slots * dofs * number; }
  /// Metric, neighbours and words, as they are made on the host.
  [[nodiscard]] std::int64_t layout() const { return slots * (6 * number + 5 * integer); }
  [[nodiscard]] std::int64_t elements() const { return layout() + slots * number + teams * 3 * 8; }
  /// Lists of faces, packed messages and, beside a GPU on the host, two stagings.
  [[nodiscard]] std::int64_t ghosts(const ProblemCounts& counts, bool with_staging) const {
    std::int64_t bytes = 0;
    for (const std::int64_t faces : counts.peer_faces)
      bytes += ghost_slots(faces) * (2 * 2 * integer + (with_staging ? 3 : 1) * dofs * number);
    return bytes;
  }
};

/// Lists of open walls of one field, and of these the longest list of matrices.
struct WallSize {
  std::int64_t bytes = 0;
  std::int64_t longest = 0;
};

WallSize size_walls(const ProblemCounts& counts, const SystemSize& size) {
  WallSize result;
  if (counts.layout == Layout::stored) return result;
  for (const auto& part : counts.open)
    for (std::size_t faces = 1; faces <= part.size(); ++faces) {
      const auto f = static_cast<std::int64_t>(faces);
      const std::int64_t places = blocks_for(part[faces - 1], size.lanes) * size.lanes;
      const std::int64_t matrix = places * f * (size.face_dofs + 1) * size.dofs * size.number;
      result.bytes += matrix + places * (integer + 2 * f * integer + f * size.face_dofs * size.number);
      result.longest = std::max(result.longest, matrix);
    }
  return result;
}

/// Moments of driven faces of one field, which the stored layout has instead of open walls (stored_matrices.hpp).
std::int64_t size_driven(const ProblemCounts& counts, const SystemSize& size) {
  if (counts.layout != Layout::stored) return 0;
  std::int64_t bytes = 0;
  for (const auto& part : counts.driven)
    for (std::size_t faces = 1; faces <= part.size(); ++faces) {
      const auto f = static_cast<std::int64_t>(faces);
      const std::int64_t places = blocks_for(part[faces - 1], size.lanes) * size.lanes;
      bytes += places * (integer + f * integer + f * size.dofs * size.number);
    }
  return bytes;
}

/// Walls of dispersive media of one field there.
std::int64_t size_kept(const std::array<std::int64_t, 2>& parts, const SystemSize& size) {
  std::int64_t bytes = 0;
  for (const std::int64_t elements : parts)
    bytes += blocks_for(elements, size.lanes) * size.lanes * (integer + (size.dofs + 1) * size.dofs * size.number);
  return bytes;
}

/// Matrices of one field.
std::int64_t size_matrices(const ProblemCounts& counts, const SystemSize& size) {
  if (counts.layout != Layout::stored) return 0;
  return size.own_slots * stored_shape(counts.space).entries() * size.number;
}

/// Arrays of the size of a field while the stable step is sought (stable_step.hpp, upwind_step.hpp).
std::int64_t step_arrays(const ProblemCounts& counts, const SystemSize& exact) {
  if (counts.scheme != Scheme::dgtd_upwind) return 4;
  return 2 * (arnoldi_size(counts.all_elements, exact.dofs) + 1) + 1;
}

std::int64_t wave_table(const ProblemCounts& counts, std::int64_t number) {
  return (counts.steps + 1) * (counts.waves + 1) * number;
}

/// Whether a wall has a correction in a scheme (schemes/walls.cpp); in DFDD-ELD every wall has one, of E or of H.
bool is_implicit(Scheme scheme, Wall wall) {
  if (scheme == Scheme::dgtd_upwind) return false;
  return scheme == Scheme::dfdd_eld || wall == Wall::open || wall == Wall::impedance;
}

/// Numbers of an element beside its fields: memories of terms, in DGTD-Upwind their registers, in DFDD-ELD those of
/// both laws for both fields and five vectors each (kernels/poles.hpp).
std::int64_t polarisation_rows(Scheme scheme, const Medium& medium) {
  const auto terms = [&](bool electric) {
    return static_cast<std::int64_t>(schemes::law_of(scheme, medium, electric).terms.size());
  };
  const std::int64_t both = terms(true) + terms(false);
  if (both == 0) return 0;
  if (scheme == Scheme::dfdd_eld) return 2 * (2 * both + 5);
  return scheme == Scheme::dgtd_upwind ? 4 * both : 2 * both;
}

/// Arrays of the size of a field that a scheme holds.
std::int64_t field_arrays(const ProblemCounts& counts) {
  if (counts.scheme == Scheme::dgtd_upwind) return 6;
  return (counts.scheme == Scheme::dfdd_eld ? 4 : 2) + (counts.energy ? 1 : 0);
}

/// Border elements are part 1.
void count_faces(const Problem& problem, ProblemCounts& counts) {
  const LocalMesh& mesh = *problem.mesh;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    std::size_t open = 0;
    for (const std::int32_t tag : mesh.boundary[static_cast<std::size_t>(e)])
      open += tag >= 0 && is_implicit(problem.scheme, problem.walls[static_cast<std::size_t>(tag)]) ? 1 : 0;
    if (open > 0) ++counts.open[e < mesh.border_count ? 1 : 0][open - 1];
  }
  std::map<LocalIndex, std::size_t> driven;
  for (const DrivenFace& face : problem.driven) ++driven[face.element];
  for (const auto& [e, faces] : driven) ++counts.driven[e < mesh.border_count ? 1 : 0][faces - 1];
  if (problem.layout != Layout::stored) return;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (const Field field : {Field::electric, Field::magnetic})
      if (keeps_field(problem, e, field)) ++counts.kept[field == Field::electric ? 0 : 1][e < mesh.border_count ? 1 : 0];
}

}  // namespace

std::int64_t DevicePlan::peak() const { return march() + std::max(start, stable_step - walls); }

ProblemCounts count_problem(const Problem& problem, std::int64_t waves, std::int64_t steps) {
  ProblemCounts counts;
  counts.scheme = problem.scheme;
  counts.space = problem.space;
  counts.layout = problem.layout;
  counts.border = problem.mesh->border_count;
  counts.inner = problem.mesh->element_count() - problem.mesh->border_count;
  for (const HaloPeer& peer : problem.mesh->peers)
    counts.peer_faces.push_back(static_cast<std::int64_t>(peer.faces.size()));
  counts.classes = static_cast<std::int64_t>(problem.media.size()) + 1;
  count_faces(problem, counts);
  counts.all_elements = problem.mesh->global_element_count;
  for (const std::int32_t region : problem.mesh->region)
    counts.polarised += polarisation_rows(problem.scheme, problem.media[static_cast<std::size_t>(region)]);
  counts.functionals = static_cast<std::int64_t>(problem.electric.size() + problem.magnetic.size());
  for (const auto* list : {&problem.electric, &problem.magnetic})
    for (const Functional& functional : *list) counts.items += static_cast<std::int64_t>(functional.items.size());
  counts.waves = waves;
  counts.steps = steps;
  counts.energy = problem.energy_every > 0;
  return counts;
}

DevicePlan plan_device(const ProblemCounts& counts, Precision precision, const BackendTraits& traits) {
  const SystemSize size(counts, precision == Precision::single_precision, traits);
  const SystemSize exact(counts, false, traits);
  DevicePlan plan;
  plan.elements = size.elements();
  plan.fields = field_arrays(counts) * size.field() + 2 * 3 * counts.classes * size.number +
                counts.polarised * size.dofs * size.number;
  if (counts.scheme == Scheme::dgtd_upwind) plan.elements += 4 * size.slots * integer;
  plan.ghosts = size.ghosts(counts, traits.on_host);
  plan.matrices = 2 * size_matrices(counts, size);
  plan.walls = 2 * (size_walls(counts, size).bytes + size_driven(counts, size) + wave_table(counts, size.number));
  for (const auto& parts : counts.kept) plan.walls += size_kept(parts, size);
  plan.start = size_walls(counts, size).longest;
  const std::int64_t columns = counts.functionals;
  plan.recorder = (columns + 2) * 8 + counts.items * (integer + size.dofs * 8) + 16 * ring_rows(columns) * columns + 8;
  plan.stable_step = exact.elements() + exact.ghosts(counts, traits.on_host) + 5 * counts.classes * 8 +
                     step_arrays(counts, exact) * exact.field();
  return plan;
}

HostPlan plan_host(const ProblemCounts& counts, Precision precision, const BackendTraits& traits, bool initial_fields) {
  const SystemSize size(counts, precision == Precision::single_precision, traits);
  const SystemSize exact(counts, false, traits);
  HostPlan plan;
  // Either is gone before the other comes; beside device arrays on this host the first is never the most.
  plan.stable_step = traits.on_host ? exact.field() : std::max(exact.layout(), exact.field());
  plan.recorder = 2 * 16 * ring_rows(counts.functionals) * counts.functionals;
  const std::int64_t dofs = counts.elements() * size.dofs;
  const std::int64_t waves = 2 * counts.waves * (counts.steps + 1) * 8;
  // Both fields wait while each is laid out; then the walls, whose matrices are made again for each field.
  const std::int64_t made_at_once = 2 * std::min(size_matrices(counts, size), stored_at_once * size.number);
  plan.start = waves + (initial_fields ? 2 * dofs * 8 : 0) +
               std::max({size.field(), made_at_once, size_walls(counts, size).bytes + wave_table(counts, size.number)});
  plan.checkpoint = size.field() + dofs * size.number;
  return plan;
}

std::int64_t bytes_of_functionals(const ProblemCounts& counts) {
  const auto dofs = static_cast<std::int64_t>(basis::reference_element(counts.space).dofs);
  return counts.items * (static_cast<std::int64_t>(sizeof(Functional::Item)) + 16 + 8 * dofs);
}

void check_memory(const DevicePlan& plan, const ProblemCounts& counts, Precision precision, std::int64_t free,
                  const std::string& device) {
  if (plan.peak() <= free) return;
  std::string parts;
  if (plan.matrices > 0)
    parts += tetrawave::format(", {} for the matrices of layout: stored", describe_bytes(plan.matrices));
  if (plan.peak() > plan.march())
    parts += tetrawave::format(", {} only during set-up", describe_bytes(plan.peak() - plan.march()));
  fail(ExitCode::out_of_memory,
       "the {} elements of a rank need {}{}, but {} are free on {}: use more ranks{}{} or a coarser mesh",
       counts.elements(), describe_bytes(plan.peak()), parts.empty() ? "" : " (" + parts.substr(2) + ")",
       describe_bytes(free), device, plan.matrices > 0 ? ", method.layout: factored" : "",
       precision == Precision::double_precision ? ", method.precision: single" : "");
}

}  // namespace tetrawave::march
