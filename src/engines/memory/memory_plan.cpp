#include "engines/memory/memory_plan.hpp"

#include <algorithm>

#include "basis/kerr_rule.hpp"
#include "basis/reference_element.hpp"
#include "engines/memory/plan_poles.hpp"
#include "kernels/exchange/clock.hpp"
#include "march/elements/layout.hpp"
#include "march/exchange/peer_carrier.hpp"
#include "march/interface/wave_window.hpp"
#include "march/record/field_taps_size.hpp"
#include "march/record/recorder.hpp"
#include "schemes/central/kerr_update.hpp"
#include "schemes/dfdd/pml.hpp"
#include "schemes/dfdd/update.hpp"
#include "schemes/leap_frog/elements/wall_correction.hpp"
#include "schemes/stored/matrices.hpp"
#include "schemes/upwind/conductors.hpp"
#include "schemes/upwind/step_size.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/pml/jumps.hpp"
#include "terms/pml/kernel.hpp"
#include "terms/pml/layers.hpp"
#include "terms/ports/modal_termination.hpp"
#include "terms/ports/port_memory.hpp"

namespace tetrawave::march {

namespace {

constexpr std::int64_t integer = 4;  ///< bytes of an index
constexpr std::int64_t teams = 512;

/// Sizes of the arrays of one ElementSystem (layout.hpp).
struct SystemSize {
  std::int64_t number;  ///< bytes
  int lanes;
  std::int64_t dofs;
  std::int64_t face_dofs;
  std::int64_t own_slots = 0;      ///< of border and inner elements
  std::int64_t slots = 0;          ///< ghosts and the spare block included
  std::int64_t metric_slots = 0;   ///< of them, with a metric of their own
  std::int64_t metric_blocks = 0;  ///< entries of the index of shared metrics
  std::int64_t metrics = 1;        ///< of the shape, and of each field in anisotropic media

  SystemSize(const ProblemCounts& counts, bool single, const BackendTraits& traits)
      : number(single ? 4 : 8),
        lanes(single ? traits.lanes_single : traits.lanes_double),
        dofs(static_cast<std::int64_t>(basis::reference_element(counts.space).dofs)),
        face_dofs(static_cast<std::int64_t>(basis::reference_element(counts.space).face_dofs)) {
    for (const std::int64_t elements : counts.block_groups) own_slots += blocks_for(elements, lanes) * lanes;
    slots = own_slots + lanes;
    metrics = counts.axes ? 3 : 1;
    for (const SharedFaces& faces : counts.shared) slots += ghost_slots(faces.received);
    const auto shared = counts.shared_blocks.find(lanes);
    const bool any = shared != counts.shared_blocks.end();
    metric_slots = any ? shared->second * lanes : slots;
    metric_blocks = any ? slots / lanes : 0;
  }

  [[nodiscard]] std::int64_t ghost_slots(std::int64_t faces) const {
    return blocks_for((faces + 1) / 2, lanes) * lanes;
  }
  [[nodiscard]] std::int64_t field() const { return slots * dofs * number; }
  /// The part that passes through the host at once.
  [[nodiscard]] std::int64_t field_part() const { return std::min(slots, part_blocks * lanes) * dofs * number; }
  /// Metric, neighbours and words, as computed on the host.
  [[nodiscard]] std::int64_t layout() const {
    return metric_slots * 6 * metrics * number + (5 * slots + metric_blocks) * integer;
  }
  /// Slots of arrays per element other than the metric, shared like it.
  [[nodiscard]] std::int64_t held_slots() const { return metric_blocks > 0 ? metric_slots : own_slots; }
  [[nodiscard]] std::int64_t elements() const { return layout() + slots * number + teams * 3 * 8; }
  /// Lists of faces, and the buffers of traces: on the host packed messages, on a GPU the slots and flags of
  /// march/exchange/peer_carrier.hpp (other transports need less).
  [[nodiscard]] std::int64_t ghosts(const ProblemCounts& counts, bool on_host) const {
    constexpr std::int64_t tables = 2 * static_cast<std::int64_t>(PeerSizes::tables) * 8;
    const std::int64_t fields = counts.scheme == Scheme::dgtd_upwind && counts.step_classes == 1 ? 2 : 1;
    std::int64_t bytes = counts.shared.empty() ? 0 : 4 * face_dofs * integer;
    for (const SharedFaces& faces : counts.shared) {
      const std::int64_t sent = ghost_slots(faces.sent);
      const std::int64_t arriving = ghost_slots(faces.received) * dofs * number;
      const auto slots_and_flags = static_cast<std::int64_t>(PeerSizes::of_route(static_cast<std::size_t>(arriving)));
      bytes += sent * 2 * 2 * integer + fields * (on_host ? sent * dofs * number : slots_and_flags + tables);
    }
    return bytes;
  }
  /// Slots of a list of elements.
  [[nodiscard]] std::int64_t places(std::int64_t elements) const { return blocks_for(elements, lanes) * lanes; }
};

/// Lists of walls of one field, and the longest of their lists of matrices.
struct WallSize {
  std::int64_t bytes = 0;
  std::int64_t longest = 0;
};

WallSize size_walls(const std::vector<WallGroup>& walls, const SystemSize& size) {
  WallSize result;
  for (const WallGroup& group : walls) {
    const std::int64_t places = size.places(group.elements);
    const std::int64_t columns = (group.with_other ? 2 : 1) * size.face_dofs + 1;
    const std::int64_t matrix = places * group.faces * columns * size.dofs * size.number;
    result.bytes += matrix +
                    places * (integer + 2 * group.faces * integer + group.faces * size.face_dofs * size.number) +
                    places * group.faces * group.branches * (kernels::branch_numbers + size.face_dofs) * size.number;
    result.longest = std::max(result.longest, matrix);
  }
  return result;
}

/// The lists of both fields: all of them, the longer field's, and the longest list of matrices.
struct BothWalls {
  std::int64_t bytes = 0;
  std::int64_t larger = 0;
  std::int64_t longest = 0;
};

BothWalls size_both(const std::array<std::vector<WallGroup>, 2>& walls, const SystemSize& size) {
  BothWalls both;
  for (const auto& field : walls) {
    const WallSize one = size_walls(field, size);
    both.bytes += one.bytes;
    both.larger = std::max(both.larger, one.bytes);
    both.longest = std::max(both.longest, one.longest);
  }
  return both;
}

/// Moments of driven faces of both fields: with stored matrices (schemes/stored/lists.hpp), and in DGTD-Upwind, where
/// one list has the first driven face of elements, another the second, and so on (schemes/upwind/faces.hpp).
std::int64_t size_driven(const ProblemCounts& counts, const SystemSize& size) {
  const bool upwind = counts.scheme == Scheme::dgtd_upwind;
  if (!upwind && counts.layout != Layout::stored) return 0;
  std::int64_t bytes = 0;
  for (const auto& part : counts.driven)
    for (std::size_t faces = 1; faces <= part.size(); ++faces) {
      const auto f = static_cast<std::int64_t>(faces);
      if (upwind) {
        std::int64_t elements = 0;
        for (std::size_t more = faces; more <= part.size(); ++more) elements += part[more - 1];
        bytes += size.places(elements) * (2 * integer + 2 * size.dofs * size.number);
      } else {
        bytes += 2 * size.places(part[faces - 1]) * (integer + f * integer + f * size.dofs * size.number);
      }
    }
  return bytes;
}

/// Lists of conductors in DGTD-Upwind (schemes/upwind/conductors.hpp).
std::int64_t size_conductors(const ProblemCounts& counts, const SystemSize& size) {
  const std::int64_t copies = counts.step_classes == 1 ? 2 : 1;  // registers
  const std::int64_t numbers = kernels::conductor_numbers(static_cast<int>(counts.conductor_branches)) +
                               size.face_dofs * (size.face_dofs + 2 * size.dofs + copies * counts.conductor_branches);
  std::int64_t bytes = 0;
  for (const std::int64_t faces : counts.conductors)
    bytes += size.places(faces) * (2 * integer + numbers * size.number);
  return bytes;
}

/// Walls of dispersive media of one field in the stored layout.
std::int64_t size_kept(const std::vector<std::int64_t>& parts, const SystemSize& size) {
  std::int64_t bytes = 0;
  for (const std::int64_t elements : parts)
    bytes += size.places(elements) * (integer + (size.dofs + 1) * size.dofs * size.number);
  return bytes;
}

/// Polarisations, permanently and from the start of a run.
struct PoleSize {
  std::int64_t early = 0;
  std::int64_t late = 0;
};

PoleSize size_poles(const ProblemCounts& counts, const SystemSize& size) {
  PoleSize result;
  for (const PoleGroup& group : counts.poles) {
    const std::int64_t places = size.places(group.elements);
    result.early += places * (integer + (group.vectors * size.dofs + group.shape) * size.number);
    result.late += (places * group.memory * size.dofs + group.constants) * size.number;
  }
  result.early += counts.law_energies * size.slots * size.number;
  return result;
}

/// Matrices of one field.
std::int64_t size_matrices(const ProblemCounts& counts, const SystemSize& size) {
  if (counts.layout != Layout::stored) return 0;
  return size.held_slots() * stored_shape(counts.scheme, counts.space).entries() * size.number;
}

/// Whether the stable step is computed with the elements and fields of the run (leap_frog.hpp).
bool seeks_in_place(const ProblemCounts& counts, Precision precision) {
  return counts.scheme != Scheme::dgtd_upwind && precision == Precision::double_precision && !counts.has_layers;
}

/// Separate elements and fields for computing the stable step (stable_step.hpp, schemes/upwind/stable_step.hpp).
std::int64_t size_search(const ProblemCounts& counts, const SystemSize& exact, std::int64_t kinds, bool on_host) {
  const std::int64_t fields =
      counts.scheme == Scheme::dgtd_upwind ? 2 * (arnoldi_size(counts.all_elements, exact.dofs) + 1) + 1 : 2;
  return exact.elements() + kinds * exact.slots + exact.ghosts(counts, on_host) + fields * exact.field();
}

/// All tables of waves: one for each field, one for all stages, or one of integrals over the steps.
std::int64_t wave_tables(const ProblemCounts& counts, std::int64_t number) {
  const std::int64_t rows = counts.scheme == Scheme::dgtd_upwind ? (counts.step_classes > 1 ? 1 : 5) : 2;
  const std::int64_t steps = steps_of_waves(counts.steps, counts.waves + 1, counts.memories > 0);
  return rows * counts.wave_tables * steps * (counts.waves + 1) * number;
}

/// Lists of absorbing layers (terms/pml/device/on_device.hpp): with registers for Runge-Kutta stages, in DFDD-ELD with
/// the law of curls.
std::int64_t size_layers(const ProblemCounts& counts, const SystemSize& size) {
  const auto modes = static_cast<std::int64_t>(basis::reference_element(counts.space).modes.size());
  const auto curl_modes = static_cast<std::int64_t>(basis::reference_element(counts.space).curl_modes);
  const std::int64_t copies = counts.scheme == Scheme::dgtd_upwind && counts.step_classes == 1 ? 2 : 1;
  std::int64_t bytes = 0;
  for (const auto& part : counts.braked)
    for (const std::int64_t elements : part)
      bytes += size.places(elements) * (5 * integer + (2 * kernels::brake_numbers + size.dofs) * size.number);
  for (const auto& part : counts.layers)
    for (std::int64_t states = 1; states <= 2; ++states) {
      const std::int64_t places = size.places(part[static_cast<std::size_t>(states) - 1]);
      std::int64_t of_field = kernels::law_numbers(static_cast<int>(states)) + copies * 3 * states * modes;
      if (const std::int64_t sections = counts.curl_sections[static_cast<std::size_t>(states) - 1]; sections > 0)
        of_field += kernels::curl_law_numbers(static_cast<int>(sections)) + 3 * (sections + 1) * curl_modes;
      bytes += places * (integer + (kernels::frame_numbers + 2 * of_field) * size.number);
    }
  return bytes;
}

/// Arrays of the size of a field in a scheme.
std::int64_t field_arrays(const ProblemCounts& counts) {
  if (counts.scheme == Scheme::dgtd_upwind) return 6;
  return (counts.scheme == Scheme::dfdd_eld ? 4 : 2) + (counts.energy ? 1 : 0);
}

/// Tables of numbers per material class, permanently and from the start of a run.
std::array<std::int64_t, 2> class_tables(const ProblemCounts& counts) {
  const std::int64_t classes = counts.step_classes;
  if (counts.scheme == Scheme::dgtd_central) return {2 + 4 * classes, 0};
  return {2, counts.scheme == Scheme::dgtd_upwind ? 4 : 8 * classes};
}

/// Densities, previous fields and figures of Kerr media, the energy of every slot and the quadrature.
std::int64_t size_kerr(const ProblemCounts& counts, const SystemSize& size) {
  if (counts.kerr.empty()) return 0;
  const auto points = static_cast<std::int64_t>(basis::kerr_rule(counts.space).weight.size());
  std::int64_t bytes = size.slots * size.number + points * (3 * size.dofs + 1) * size.number;
  for (const std::int64_t elements : counts.kerr)
    bytes += blocks_for(elements, size.lanes) * size.lanes *
             (integer + (2 * size.dofs + kernels::kerr_figures) * size.number);
  return bytes;
}

/// Stored inverses of DFDD-ELD (schemes/dfdd/march.hpp), in the stored layout only at the start.
std::int64_t size_held(const ProblemCounts& counts, const SystemSize& size) {
  if (counts.scheme != Scheme::dfdd_eld) return 0;
  const int rows =
      size.number == 8 ? kernels::held_rows<double>(counts.space) : kernels::held_rows<float>(counts.space);
  return (counts.axes || counts.published ? 2 : 1) * rows * size.held_slots() * size.number;
}

/// Upper bound for the lists of sources and the tables of their waves (device_sources.hpp).
std::int64_t size_sources(const ProblemCounts& counts, const SystemSize& size) {
  const std::int64_t term = 5 * integer + 2 * 8 + size.dofs * size.number;
  const std::int64_t tables = counts.scheme == Scheme::dfdd_eld ? 2 : 1;
  std::int64_t samples = 0;
  for (std::int64_t substeps = counts.substeps; substeps > 0; substeps /= 3)
    samples += 4 * (counts.steps * substeps + 5);
  return counts.source_terms * term + tables * counts.source_waves * samples * 8;
}

/// Fourier sums (spectral_sums.hpp).
std::int64_t size_spectra(const ProblemCounts& counts, const SystemSize& size) {
  if (counts.spectral_faces == 0) return 0;
  return counts.spectral_faces * (2 * integer + counts.spectral_frequencies * 4 * size.face_dofs * 8) +
         4 * size.face_dofs * integer + 5 * counts.spectral_frequencies * 8;
}

}  // namespace

std::int64_t DevicePlan::peak() const { return march() + std::max(start, stable_step - late); }

namespace {

/// Functionals, signals, states and tables of dispersive ports (port_memories.hpp).
std::int64_t size_memories(const ProblemCounts& counts, const SystemSize& size, bool with_staging) {
  const std::int64_t ports = counts.memories;
  if (ports == 0) return 0;
  const std::int64_t states = 2 * ports * counts.memory_terms;
  const std::int64_t tables = counts.scheme == Scheme::dgtd_upwind ? 3 * states : 2 * (4 * ports + 2 * states);
  const std::int64_t shared = with_staging && !counts.shared.empty() ? 2 * ports : 0;
  return counts.memory_items * (integer + size.dofs * 8) + ports * integer +
         8 * (2 * (ports + 1) + 4 * ports + 3 * ports + states + tables + shared);
}

/// Voltages, numbers and responses of ports of one mode (modal_terminations.hpp), of H in DFDD-ELD their traces too:
/// from the beginning, and from the start of a march.
std::array<std::int64_t, 2> size_terminations(const ProblemCounts& counts, const SystemSize& size, bool with_staging,
                                              Field field) {
  const std::int64_t ports = counts.terminations;
  if (ports == 0) return {0, 0};
  const std::int64_t staging = with_staging && !counts.shared.empty() ? 4 * ports : 0;
  const bool staged = counts.scheme == Scheme::dgtd_upwind && counts.step_classes == 1;
  const std::int64_t memories = counts.modal_memories * 2 * integer + counts.modal_terms * (staged ? 4 : 3) * 2 * 8;
  const auto functionals = [&](std::int64_t items) { return items * (integer + size.dofs * 8) + 8 * (ports + 1); };
  const std::int64_t numbers = ports * integer + 8 * (7 * ports + staging) + memories;
  const std::int64_t elements = counts.termination_elements;
  const std::int64_t responses = elements * (2 * integer + size.dofs * size.number);
  if (field == Field::electric) return {functionals(counts.termination_items) + numbers, responses};
  return {numbers, functionals(elements) + responses + (elements + 1) * integer +
                       counts.termination_traces * (2 * integer + (size.dofs + 1) * size.number)};
}

/// Faces with losses of elements at such ports.
std::int64_t size_termination_walls(const ProblemCounts& counts, const SystemSize& size) {
  constexpr std::int64_t face = 4 * 8;  // kernels::ModalWallFace
  return counts.termination_walls * (face + size.face_dofs * integer);
}

}  // namespace

DevicePlan plan_device(const ProblemCounts& counts, Precision precision, const BackendTraits& traits) {
  const SystemSize size(counts, precision == Precision::single_precision, traits);
  const SystemSize exact(counts, false, traits);
  const auto tables = class_tables(counts);
  const PoleSize poles = size_poles(counts, size);
  const BothWalls walls = size_both(counts.walls, size);
  const std::int64_t kinds = counts.scheme == Scheme::dgtd_upwind ? 4 * integer : 0;  // of faces, per slot
  DevicePlan plan;
  plan.elements = size.elements() + (counts.layout == Layout::factored || counts.jumps ? kinds * size.slots : 0);
  if (counts.jumps) plan.elements += size.number * size.slots;
  const bool stored = counts.layout == Layout::stored;
  const std::int64_t held = size_held(counts, size);
  if (!stored) plan.elements += held;
  plan.fields = field_arrays(counts) * size.field() + (tables[0] + tables[1]) * counts.classes * size.number +
                poles.early + poles.late + size_kerr(counts, size) + size_layers(counts, size) +
                size_conductors(counts, size);
  plan.ghosts = size.ghosts(counts, traits.on_host);
  if (!counts.shared.empty()) plan.ghosts += (kernels::exchange_marks + 2) * 8;  // exchange_clock.hpp
  plan.matrices = 2 * size_matrices(counts, size);
  const bool upwind = counts.scheme == Scheme::dgtd_upwind;  // its lists hold metal, from the beginning, stored or not
  const std::int64_t held_metal = upwind ? walls.bytes + size.number + 8 : 0;
  plan.walls =
      (stored || upwind ? held_metal : walls.bytes) + size_driven(counts, size) + wave_tables(counts, size.number);
  for (const auto& parts : counts.kept) plan.walls += size_kept(parts, size);
  plan.walls += 2 * counts.frequencies * coarse_phases(counts.steps) * 8;
  plan.walls += size_sources(counts, size);
  const auto terminations = size_terminations(counts, size, traits.on_host, Field::electric);
  const auto traces = counts.scheme == Scheme::dfdd_eld
                          ? size_terminations(counts, size, traits.on_host, Field::magnetic)
                          : std::array<std::int64_t, 2>{};
  const std::int64_t port_walls = size_termination_walls(counts, size);
  plan.walls += terminations[1] + traces[1] + (stored ? 0 : port_walls);
  plan.late = plan.walls - held_metal + poles.late + (stored ? 0 : held) + tables[1] * counts.classes * size.number;
  // Matrices that hold dofs at zero, with inverses or those that settle a field at walls, and tables, before anything
  // else (schemes/dfdd/march.hpp); then matrices of zeros (leap_frog.hpp), in the stored layout with the lists of the
  // first step.
  std::int64_t holding = 0;
  const bool as_pulse = counts.step_classes > 1;  // pulse_start.hpp; or with what losses take
  const std::int64_t pulse = as_pulse || !counts.poles.empty() ? size.field() : 0;
  if (counts.scheme == Scheme::dfdd_eld)
    holding = size_both(counts.timeless, size).bytes + std::max(held + pulse, walls.larger) +
              2 * (traces[0] + traces[1]) + terminations[1];  // a projection of H, and what settles a field at ports
  const std::int64_t levels = holding + (1 + (tables[1] + 4) * counts.classes) * size.number;
  const std::int64_t first_step = stored && !upwind && walls.bytes > 0 ? walls.bytes + held + port_walls : 0;
  plan.start = std::max(first_step + (upwind ? 0 : walls.longest), holding > 0 ? levels - plan.late : 0);
  if (counts.terminations > 0 && !counts.shared.empty()) plan.start = std::max(plan.start, size.field());
  const std::int64_t columns = counts.functionals;
  plan.recorder = (columns + 2) * 8 + counts.items * (integer + size.dofs * 8) +
                  16 * ring_rows(counts.all_functionals) * columns + 8;
  plan.recorder += (counts.rates + 1) * 8 + counts.rate_items * (integer + size.dofs * 8);
  if (counts.scheme == Scheme::dfdd_eld && counts.step_classes > 1)
    plan.recorder += counts.listed * size.number + counts.spectral_faces * 8;
  plan.recorder += bytes_of_taps(counts.listed, counts.snapshots, counts.scheme != Scheme::dgtd_upwind,
                                 counts.frequencies, size.dofs, size.number);
  plan.recorder += size_spectra(counts, size);
  plan.recorder += size_memories(counts, size, traits.on_host) + terminations[0] + traces[0];
  plan.stable_step = 6 * counts.classes * 8;  // tables
  if (!seeks_in_place(counts, precision)) plan.stable_step += size_search(counts, exact, kinds, traits.on_host);
  if (counts.scheme != Scheme::dgtd_upwind)
    plan.stable_step += size_both(counts.timeless, exact).bytes + (counts.scheme == Scheme::dfdd_eld ? 2 : 4) * 8;
  return plan;
}

/// Host memory of the lists of terms at the start of a run (schemes/central/dispersion.hpp,
/// schemes/dfdd/dispersion.hpp).
std::int64_t start_of_poles(const ProblemCounts& counts, const SystemSize& size, bool initial_fields) {
  const bool in_dfdd = counts.scheme == Scheme::dfdd_eld;
  std::int64_t most = 0;
  for (const PoleGroup& group : counts.poles) {
    const std::int64_t field = group.elements * size.dofs * size.number;
    most = std::max(most, group.made * field);
    if (initial_fields && group.given > 0)
      most = std::max(most, (in_dfdd ? 4 : 1) * size.field() + group.given * field);
  }
  return most;
}

HostPlan plan_host(const ProblemCounts& counts, Precision precision, const BackendTraits& traits, bool initial_fields) {
  const SystemSize size(counts, precision == Precision::single_precision, traits);
  const SystemSize exact(counts, false, traits);
  HostPlan plan;
  // Each is freed before the other is allocated; in addition to device arrays on this host the first is never the
  // larger.
  plan.stable_step = traits.on_host ? exact.field_part() : std::max(exact.layout(), exact.field_part());
  plan.recorder = 2 * 16 * ring_rows(counts.all_functionals) * counts.all_functionals;
  const std::int64_t dofs = counts.elements() * size.dofs;
  const std::int64_t waves = 2 * counts.waves * (counts.steps + 1) * 8;
  // Both fields wait while each is laid out; then the walls, whose matrices are computed again for each field.
  const std::int64_t made_at_once = 2 * std::min(size_matrices(counts, size), stored_at_once * size.number);
  const std::int64_t laid = std::max(
      {size.field_part(), made_at_once, size_both(counts.walls, size).larger + wave_tables(counts, size.number)});
  // Rates of H, losses and walls, and the change of a step; for a pulse two fields and their rates.
  const std::int64_t rates = initial_fields && counts.scheme == Scheme::dfdd_eld ? 5 : 0;
  plan.start = waves + (initial_fields ? (counts.holds_metal ? 3 : 2) * dofs * 8 : 0) +
               std::max(laid + rates * size.field(), start_of_poles(counts, size, initial_fields));
  plan.checkpoint = size.field_part() + dofs * size.number;
  return plan;
}

std::int64_t bytes_of_functionals(const ProblemCounts& counts) {
  const auto dofs = static_cast<std::int64_t>(basis::reference_element(counts.space).dofs);
  return counts.items * (static_cast<std::int64_t>(sizeof(Functional::Item)) + 16 + 8 * dofs);
}

}  // namespace tetrawave::march
