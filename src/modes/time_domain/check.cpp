#include "modes/time_domain/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "base/parallel.hpp"
#include "basis/reference_element.hpp"
#include "case/spec/solver_notes.hpp"
#include "mesh/tetrahedron.hpp"
#include "model/check/free_space.hpp"
#include "model/check/result_sizes.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::modes {

namespace {

/// An element's scale of step [m], and its position; sent between ranks.
struct ElementPlace {
  double scale_m = std::numeric_limits<double>::infinity();
  GlobalIndex id = std::numeric_limits<GlobalIndex>::max();
  Vec3 centroid_m{};
  std::int64_t region = 0;
  bool operator<(const ElementPlace& other) const {
    return std::pair(scale_m, id) < std::pair(other.scale_m, other.id);
  }
};

LocalSteps find_local_steps(const TimeDomainSetup& setup, const comm::Communicator& ranks) {
  const LocalMesh& mesh = setup.mesh;
  const std::size_t count = mesh.corners.size();
  const int threads = setup.engine->threads();
  std::vector<double> scales(count);
  std::vector<ElementPlace> of_range(count_ranges(count, threads));
  for_ranges(count, of_range.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    ElementPlace least;
    for (std::size_t e = first; e < last; ++e) {
      const Medium& medium = setup.problem.media[static_cast<std::size_t>(mesh.region[e])];
      scales[e] = measure_element(mesh.corners[e]).inradius_m * std::sqrt(medium.eps_r * medium.mu_r);
      least = std::min(least, ElementPlace{scales[e], mesh.global_id[e], centroid(mesh.corners[e]), mesh.region[e]});
    }
    of_range[range] = least;
  });
  ElementPlace smallest = *std::min_element(of_range.begin(), of_range.end());
  const auto all = ranks.all_gather(std::span<const ElementPlace>(&smallest, 1));
  smallest = *std::min_element(all.begin(), all.end());
  LocalSteps steps;
  std::vector<std::int64_t> classes(steps.classes.size(), 0);
  std::vector<std::vector<std::int64_t>> counted(of_range.size());
  for_ranges(count, counted.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    std::vector<std::int64_t> mine(classes.size(), 0);
    for (std::size_t e = first; e < last; ++e) {
      const double levels = std::floor(std::log(scales[e] / smallest.scale_m) / std::log(3.) + 1e-9);
      ++mine[static_cast<std::size_t>(std::clamp(levels, 0., static_cast<double>(mine.size() - 1)))];
    }
    counted[range] = std::move(mine);
  });
  for (const auto& mine : counted)
    for (std::size_t c = 0; c < mine.size(); ++c) classes[c] += mine[c];
  ranks.sum_in_place(std::span<std::int64_t>(classes));
  std::copy(classes.begin(), classes.end(), steps.classes.begin());
  const auto range = summarise_groups(scales, std::vector<std::int32_t>(count, 0), 1, threads, ranks).front();
  steps.smallest_s = setup.stable_step_s;
  steps.median_s = setup.stable_step_s * range.median / range.min;
  steps.element = smallest.id;
  steps.place_m = smallest.centroid_m;
  steps.region = mesh.region_names[static_cast<std::size_t>(smallest.region)];
  return steps;
}

/// When an excitation's Gaussian has fallen to a hundredth; 0 for a waveform without an end.
double end_of(const WaveformShape& wave, const NamedExcitation& excite) {
  if (!wave.delay_s) return 0;
  const double width = wave.type == WaveformType::modulated_gaussian
                           ? std::sqrt(2 * std::log(10.)) / (pi * wave.bandwidth_hz)
                           : wave.width_s;
  return excite.delay_s + *wave.delay_s + 3 * width;
}

class MarchWarnings {
 public:
  MarchWarnings(const TimeDomainSetup& setup, CaseCheck& check) : setup_(setup), check_(check) {}

  void add_all() {
    if (check_.highest.hz > 0 && check_.steps_per_period < 12)
      add("the time step resolves a period of {:.4g} Hz by {:.3g} steps only: lower method.cfl or method.time_step",
          check_.highest.hz, check_.steps_per_period);
    if (setup_.given.array) check_latest();
    for (std::size_t p = 0; p < setup_.given.ports.size() && !setup_.given.array; ++p)
      if (setup_.given.ports[p].excite)
        check(*setup_.given.ports[p].excite, tetrawave::format("port '{}'", setup_.given.ports[p].name));
    for (std::size_t s = 0; s < setup_.given.sources.size(); ++s)
      check(setup_.given.sources[s].excite, tetrawave::format("source {}", s));
    const LocalSteps& local = check_.local_steps;
    if (!setup_.is_implicit && local.median_s > 10 * local.smallest_s)
      add("the time step is set by small elements such as {} at ({:.6g}, {:.6g}, {:.6g}) m in region '{}': the median "
          "element would allow {:.3g} times as much",
          local.element, local.place_m[0], local.place_m[1], local.place_m[2], local.region,
          local.median_s / local.smallest_s);
  }

 private:
  template <class... Args>
  void add(format_string<Args...> text, Args&&... args) {
    check_.warnings.push_back(tetrawave::format(text, std::forward<Args>(args)...));
  }

  /// In an array, whose cells share a waveform, the cell that is driven last.
  void check_latest() {
    const PortDescription* latest = nullptr;
    for (const PortDescription& port : setup_.given.ports)
      if (port.excite && (latest == nullptr || port.excite->delay_s > latest->excite->delay_s)) latest = &port;
    if (latest != nullptr) check(*latest->excite, tetrawave::format("port '{}'", latest->name));
  }

  void check(const NamedExcitation& excite, const std::string& driven) {
    const double end = setup_.dt_s * static_cast<double>(setup_.steps);
    for (const WaveformShape& wave : setup_.given.waveforms)
      if (wave.name == excite.waveform && end_of(wave, excite) > end)
        add("the run ends at {:.4g} s, before the waveform '{}' of {} is over ({:.4g} s): increase time.end", end,
            wave.name, driven, end_of(wave, excite));
  }
  const TimeDomainSetup& setup_;
  CaseCheck& check_;
};

/// Steps of fourth order beside walls and sheets of low resistance, at which the commutator is wrong (theory/central):
/// in the line measured there the error of S is about 7e-4 times the square of cfl times their admittance over that of
/// the medium.
void add_weak_order(const TimeDomainSetup& setup, const comm::Communicator& ranks, std::vector<std::string>& warnings) {
  constexpr double harmless = 4;
  const march::Problem& problem = setup.problem;
  double own = 0;
  std::int64_t tag = -1;
  for (LocalIndex e = 0; e < setup.mesh.element_count(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const std::optional<schemes::WallSpec> wall = march::wall_at(problem, e, f);
      const double admittance = wall ? wall->admittance * problem.medium_of(e).impedance() : 0;
      if (admittance <= own) continue;
      own = admittance;
      tag = setup.mesh.boundary[static_cast<std::size_t>(e)][f];
    }
  const double largest = ranks.max(own);
  tag = ranks.max(own == largest ? tag : std::int64_t{-1});
  const double cfl = setup.dt_s / setup.stable_step_s;
  if (cfl * largest <= harmless) return;
  warnings.push_back(tetrawave::format(
      "{} has {:.3g} times the admittance of its medium, where method.time_order 4 is of second order only and less "
      "accurate than 2 (S can be wrong by .01 and more): set method.cfl to {:.2g} or less, or method.time_order to 2",
      setup.boundaries.tags.names[static_cast<std::size_t>(tag)], largest, harmless / largest));
}

/// A run of the case with waves and initial fields of zeros, which take as much memory.
march::Start silent_start(const TimeDomainSetup& setup) {
  march::Start start;
  start.dt_m = c0_m_per_s * setup.dt_s;
  start.steps = setup.steps;
  start.waves.assign(setup.given.ports.size(), [](double) { return 0.0; });
  start.source_waves.assign(setup.given.sources.size(), [](double) { return 0.0; });
  start.spectra_every = setup.spectra_every;
  start.jumps_every = setup.jumps_every;
  const auto dofs = basis::reference_element(setup.problem.space).dofs;
  if (setup.given.initial_fields)
    start.electric = start.magnetic =
        std::vector<double>(static_cast<std::size_t>(setup.mesh.element_count()) * static_cast<std::size_t>(dofs), 0.0);
  return start;
}

}  // namespace

CaseCheck examine_case(const TimeDomainSetup& setup, const std::filesystem::path& folder,
                       const comm::Communicator& ranks) {
  CaseCheck check = examine_fields(setup.given, setup);
  check.local_steps = find_local_steps(setup, ranks);
  if (check.highest.hz > 0) check.steps_per_period = 1 / (check.highest.hz * setup.dt_s);
  MarchWarnings(setup, check).add_all();
  if (setup.problem.time_order == 4) add_weak_order(setup, ranks, check.warnings);
  if (setup.is_implicit) add_to(check.warnings, find_idle_keys(setup.given.solver));
  const double memory = size_of_results(setup.given, marches_of(setup.given), 0).memory;
  add_to(check.warnings, find_shortages(total_bytes(predict_disk(setup, ranks)), memory, folder));
  return check;
}

std::vector<RankMemory> predict_memory(const TimeDomainSetup& setup, const march::BackendTraits& traits,
                                       const comm::Communicator& ranks) {
  const march::MemoryPlan plan = march::plan_memory(setup.problem, silent_start(setup), setup.given.method.precision,
                                                    traits, setup.engine->threads(), ranks);
  const auto elements = std::int64_t{setup.mesh.element_count()};
  const std::int64_t mesh =
      bytes_of_mesh(elements, setup.slab.is_repeated) + 2 * march::bytes_of_functionals(setup.problem);
  RankMemory mine;
  mine.elements = elements;
  mine.device = plan.march;
  mine.device_peak = plan.peak();
  const std::int64_t on_host = traits.on_host ? plan.march : 0;
  const std::int64_t step = plan.host_search + (traits.on_host ? plan.search : 0);
  // lists on the host are freed when the device is complete
  const std::int64_t samples = 2 * 8 * (setup.sampled_steps + 1) * static_cast<std::int64_t>(setup.given.ports.size());
  const std::int64_t start = std::max(on_host + plan.host_start + samples, traits.on_host ? plan.start : 0);
  const std::int64_t from_slabs = peak_of_mesh_setup(setup.slab, elements, ranks.size(), ranks.rank() == 0);
  const std::int64_t peak = std::max({from_slabs, mesh + step, mesh + start});
  constexpr std::int64_t later = 4'500'000;  // stacks of threads, pages of libraries that are first used later
  const std::int64_t kept = std::min<std::int64_t>(4'000'000, peak / 8);  // freed, but not returned by the allocator
  const std::int64_t base = setup.bytes_before + later + kept;
  mine.host_setup = base + peak;
  mine.host_march = base + mesh + on_host + plan.host_recorder;
  mine.host_checkpoint = base + mesh + on_host + plan.host_checkpoint;
  if (ranks.rank() == 0) {
    const auto ports = static_cast<std::int64_t>(setup.given.ports.size());
    const std::int64_t waves = 5 * 8 * (setup.steps + 2) * ports;  // of all ports, for the S-parameters
    mine.host_results = base + mesh + on_host + waves +
                        static_cast<std::int64_t>(size_of_results(setup.given, marches_of(setup.given), 0).memory);
  }
  return ranks.all_gather(std::span<const RankMemory>(&mine, 1));
}

DiskSpace predict_disk(const TimeDomainSetup& setup, const comm::Communicator& ranks) {
  constexpr std::int64_t number = 8;
  const auto rows_of = [&](std::int64_t every) { return setup.steps / every + 2; };
  DiskSpace disk;
  disk.histories = 5 * rows_of(1) * static_cast<std::int64_t>(setup.given.ports.size());
  for (const ProbePoint& probe : setup.given.outputs.probes)
    disk.histories += (1 + (probe.electric ? 3 : 0) + (probe.magnetic ? 3 : 0)) * rows_of(probe.every);
  if (setup.given.outputs.energy_every) disk.histories += 4 * rows_of(*setup.given.outputs.energy_every);
  disk.histories *= 2 * number * marches_of(setup.given);  // as streams and in results.h5
  disk.results = static_cast<std::int64_t>(size_of_results(setup.given, marches_of(setup.given), 0).disk);
  const std::int64_t dofs = static_cast<std::int64_t>(basis::reference_element(setup.given.method.basis).dofs);
  disk.fields = predict_field_bytes(setup.given, setup, marches_of(setup.given), setup.steps, ranks);
  const std::int64_t field = dofs * (setup.given.method.precision == Precision::single_precision ? 4 : 8);
  disk.checkpoints = setup.given.run.checkpoint.keep * setup.summary.element_count * (2 * field + number);
  return disk;
}

}  // namespace tetrawave::modes
