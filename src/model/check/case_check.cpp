#include "model/check/case_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/reference_element.hpp"
#include "media/material.hpp"
#include "mesh/tetrahedron.hpp"
#include "model/check/result_sizes.hpp"
#include "results/fields/field_series.hpp"

namespace tetrawave::modes {

namespace {

/// The frequency where the spectrum of the waveform has fallen to a tenth of its peak; 0 if unknown.
double highest_frequency_of(const WaveformSpec& wave) {
  switch (wave.type) {
    case WaveformType::gaussian:  // exp(-(2 pi f width)^2/2)
      return std::sqrt(2 * std::log(10.)) / (2 * pi * wave.width_s);
    case WaveformType::derivative_gaussian:  // x exp((1 - x^2)/2), x = 2 pi f width: 0.1 at 2.7625
      return 2.7625 / (2 * pi * wave.width_s);
    case WaveformType::modulated_gaussian:
      return wave.frequency_hz + wave.bandwidth_hz / 2;
    case WaveformType::sine:
      return wave.frequency_hz;
    case WaveformType::expression:
    case WaveformType::table:
      return 0;
  }
  return 0;
}

std::string material_of(const Case& given, const std::string& region) {
  for (const RegionSpec& spec : given.regions)
    if (spec.volume == region) return spec.material;
  return "";
}

/// Wavelength and skin depth of a plane wave exp(-j k x), k = omega sqrt(eps mu)/c0, along the axis where it is
/// shortest.
void add_wave(RegionCheck& region, const Medium& medium, double hz) {
  const ComplexConstants at = constants_at(medium, hz);
  const double axes = *std::max_element(medium.eps_axes.begin(), medium.eps_axes.end()) *
                      *std::max_element(medium.mu_axes.begin(), medium.mu_axes.end());
  const std::complex<double> k = 2 * pi * hz / c0_m_per_s * std::sqrt(axes) * std::sqrt(at.eps) * std::sqrt(at.mu);
  region.wavelength_m = 2 * pi / std::abs(k.real());
  if (k.imag() != 0) region.skin_depth_m = 1 / std::abs(k.imag());
  if (region.elements == 0) return;
  region.elements_per_wavelength = region.wavelength_m / region.edge_m.median;
  region.fewest_elements_per_wavelength = region.wavelength_m / region.edge_m.max;
}

std::vector<RegionCheck> check_regions(const Case& given, const TimeDomainSetup& setup, double hz) {
  std::vector<RegionCheck> regions;
  for (std::size_t r = 0; r < setup.mesh.region_names.size(); ++r) {
    RegionCheck& region = regions.emplace_back();
    region.name = setup.mesh.region_names[r];
    region.material = material_of(given, region_in_case(given, region.name));
    region.elements = setup.summary.region_elements[r];
    region.volume_m3 = setup.summary.region_volume_m3[r];
    region.edge_m = setup.summary.region_edge_m[r];
    if (hz > 0) add_wave(region, setup.problem.media[r], hz);
  }
  return regions;
}

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
double end_of(const WaveformSpec& wave, const ExcitationSpec& excite) {
  if (!wave.delay_s) return 0;
  const double width = wave.type == WaveformType::modulated_gaussian
                           ? std::sqrt(2 * std::log(10.)) / (pi * wave.bandwidth_hz)
                           : wave.width_s;
  return excite.delay_s + *wave.delay_s + 3 * width;
}

class Warnings {
 public:
  Warnings(const Case& given, const TimeDomainSetup& setup, CaseCheck& check)
      : given_(given), setup_(setup), check_(check) {}

  void add_of_fields() {
    if (check_.highest.hz <= 0) return;
    check_size();
    for (const RegionCheck& region : check_.regions) check(region);
    for (std::string& warning : find_second_modes(given_, setup_)) check_.warnings.push_back(std::move(warning));
  }

  void add_of_march() {
    if (check_.highest.hz > 0 && check_.steps_per_period < 12)
      add("the time step resolves a period of {:.4g} Hz by {:.3g} steps only: lower method.cfl or method.time_step",
          check_.highest.hz, check_.steps_per_period);
    if (given_.array) check_latest();
    for (std::size_t p = 0; p < given_.ports.size() && !given_.array; ++p)
      if (given_.ports[p].excite) check(*given_.ports[p].excite, tetrawave::format("port '{}'", given_.ports[p].name));
    for (std::size_t s = 0; s < given_.sources.size(); ++s)
      check(given_.sources[s].excite, tetrawave::format("source {}", s));
    const LocalSteps& local = check_.local_steps;
    if (given_.mode == Mode::time_domain && local.median_s > 10 * local.smallest_s)
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
    const PortSpec* latest = nullptr;
    for (const PortSpec& port : given_.ports)
      if (port.excite && (latest == nullptr || port.excite->delay_s > latest->excite->delay_s)) latest = &port;
    if (latest != nullptr) check(*latest->excite, tetrawave::format("port '{}'", latest->name));
  }

  void check_size() {
    const double largest = *std::max_element(check_.size_wavelengths.begin(), check_.size_wavelengths.end());
    if (largest <= 1000 && largest >= 1e-3) return;
    add("the mesh is {:.3g} m or {:.3g} wavelengths at {:.4g} Hz long: are 'units' and the frequencies right?",
        *std::max_element(check_.size_m.begin(), check_.size_m.end()), largest, check_.highest.hz);
  }

  void check(const RegionCheck& region) {
    if (region.elements == 0) return;
    const double needed = needed_elements_per_wavelength(given_.method.basis);
    if (region.elements_per_wavelength < needed)
      add("region '{}' has {:.3g} elements per wavelength at {:.4g} Hz, this space needs about {:.3g}: refine the mesh "
          "or "
          "take a higher method.basis",
          region.name, region.elements_per_wavelength, check_.highest.hz, needed);
    if (region.skin_depth_m > 0 && region.skin_depth_m < region.edge_m.median)
      add("waves fall by 1/e within {:.3g} m of region '{}' at {:.4g} Hz, less than its elements' edges of {:.3g} m: "
          "refine it, or describe a good conductor as a boundary",
          region.skin_depth_m, region.name, check_.highest.hz, region.edge_m.median);
  }

  void check(const ExcitationSpec& excite, const std::string& driven) {
    const double end = setup_.dt_s * static_cast<double>(setup_.steps);
    for (const WaveformSpec& wave : given_.waveforms)
      if (wave.name == excite.waveform && end_of(wave, excite) > end)
        add("the run ends at {:.4g} s, before the waveform '{}' of {} is over ({:.4g} s): increase time.end", end,
            wave.name, driven, end_of(wave, excite));
  }

  const Case& given_;
  const TimeDomainSetup& setup_;
  CaseCheck& check_;
};

}  // namespace

HighestFrequency find_highest_frequency(const Case& given) {
  double wanted = given.frequency.values_hz.empty() ? 0 : given.frequency.values_hz.back();
  if (is_harmonic(given.mode)) {
    const OutputsSpec& outputs = given.outputs;
    for (const double hz : outputs.fields ? outputs.fields->frequencies_hz : std::vector<double>{})
      wanted = std::max(wanted, hz);
    for (const double hz : outputs.far_field ? outputs.far_field->frequencies_hz : std::vector<double>{})
      wanted = std::max(wanted, hz);
  }
  const double band = given.outputs.s_parameters ? given.outputs.s_parameters->stop_hz : 0;
  if (wanted > band) return {wanted, "frequency"};
  if (band > 0) return {band, "outputs.s_parameters.stop"};
  HighestFrequency highest;
  for (const WaveformSpec& wave : given.waveforms)
    if (highest_frequency_of(wave) > highest.hz)
      highest = {highest_frequency_of(wave), tetrawave::format("waveform '{}'", wave.name)};
  return highest;
}

std::vector<std::string> find_second_modes(const Case& given, const TimeDomainSetup& setup) {
  const double highest_hz = find_highest_frequency(given).hz;
  std::vector<std::string> warnings;
  for (std::size_t p = 0; p < given.port_tag_count(); ++p) {
    const PortSummary& port = setup.ports[p];
    if (port.second_mode_hz > 0 && port.second_mode_hz < highest_hz)
      warnings.push_back(
          tetrawave::format("port '{}' carries a second mode{} above {:.4g} Hz, but the case goes up to {:.4g} Hz",
                            port.name, port.radii_m ? " (TE11)" : "", port.second_mode_hz, highest_hz));
  }
  return warnings;
}

double needed_elements_per_wavelength(Space space) {
  switch (space) {
    case Space::mixed_1:
      return 10;
    case Space::full_1:
      return 4;
    case Space::mixed_2:
      return 3;
    case Space::full_2:
      return 2;
    case Space::mixed_3:
    case Space::full_3:
      return 1.5;
  }
  throw InternalError("an unknown space");
}

CaseCheck examine_fields(const Case& given, const TimeDomainSetup& setup) {
  CaseCheck check;
  check.highest = find_highest_frequency(given);
  check.size_m = setup.summary.high_m - setup.summary.low_m;
  check.size_wavelengths = check.highest.hz / c0_m_per_s * check.size_m;
  check.regions = check_regions(given, setup, check.highest.hz);
  Warnings(given, setup, check).add_of_fields();
  return check;
}

CaseCheck examine_case(const Case& given, const TimeDomainSetup& setup, const comm::Communicator& ranks) {
  CaseCheck check = examine_fields(given, setup);
  check.local_steps = find_local_steps(setup, ranks);
  if (check.highest.hz > 0) check.steps_per_period = 1 / (check.highest.hz * setup.dt_s);
  Warnings(given, setup, check).add_of_march();
  return check;
}

std::vector<RankMemory> predict_memory(const Case& given, const TimeDomainSetup& setup,
                                       const march::BackendTraits& traits, const comm::Communicator& ranks) {
  const auto counts =
      march::count_problem(setup.problem, static_cast<std::int64_t>(given.ports.size()), setup.steps, traits);
  const Precision precision = given.method.precision;
  const march::DevicePlan device = march::plan_device(counts, precision, traits);
  march::ProblemCounts sampled = counts;
  sampled.steps = setup.sampled_steps;
  const march::HostPlan host = march::plan_host(sampled, precision, traits, given.initial_fields.has_value());
  constexpr std::int64_t later = 3'000'000;  // stacks of threads, pages of libraries that are first used later
  const std::int64_t base = setup.bytes_before + later;
  const std::int64_t mesh =
      bytes_of_mesh(counts.elements(), setup.slab.is_repeated) + 2 * march::bytes_of_functionals(counts);
  RankMemory mine;
  mine.elements = counts.elements();
  mine.device = device.march();
  mine.device_peak = device.peak();
  const std::int64_t on_host = traits.on_host ? device.march() : 0;
  const std::int64_t step =
      host.stable_step + (traits.on_host ? device.march() - device.walls + device.stable_step : 0);
  // lists on the host are freed when the device is complete
  const std::int64_t start = on_host + std::max(host.start, traits.on_host ? device.start : 0);
  const std::int64_t from_slabs = peak_of_mesh_setup(setup.slab, counts.elements(), ranks.size(), ranks.rank() == 0);
  mine.host_setup = base + std::max({from_slabs, mesh + step, mesh + start});
  mine.host_march = base + mesh + on_host + host.recorder;
  mine.host_checkpoint = base + mesh + on_host + host.checkpoint;
  if (ranks.rank() == 0) {
    const auto ports = static_cast<std::int64_t>(given.ports.size());
    const std::int64_t waves = 5 * 8 * (setup.steps + 2) * ports;  // of all ports, for the S-parameters
    mine.host_results =
        base + mesh + on_host + waves + static_cast<std::int64_t>(size_of_results(given, marches_of(given), 0).memory);
  }
  return ranks.all_gather(std::span<const RankMemory>(&mine, 1));
}

std::int64_t predict_field_bytes(const Case& given, const TimeDomainSetup& setup, std::int64_t drives,
                                 const comm::Communicator& ranks) {
  std::array<std::int64_t, 2> cells{};  // tetrahedra, triangles
  for (const results::FieldGrid& grid : setup.grids)
    cells[grid.is_cut() ? 1 : 0] += std::accumulate(grid.cells.begin(), grid.cells.end(), std::int64_t{0});
  ranks.sum_in_place(std::span<std::int64_t>(cells));
  if (!given.outputs.fields) return 0;
  return drives * results::bytes_of_fields(*given.outputs.fields, cells[0], cells[1], setup.steps);
}

DiskSpace predict_disk(const Case& given, const TimeDomainSetup& setup, const comm::Communicator& ranks) {
  constexpr std::int64_t number = 8;
  const auto rows_of = [&](std::int64_t every) { return setup.steps / every + 2; };
  DiskSpace disk;
  disk.histories = 5 * rows_of(1) * static_cast<std::int64_t>(given.ports.size());
  for (const ProbeSpec& probe : given.outputs.probes)
    disk.histories += (1 + (probe.electric ? 3 : 0) + (probe.magnetic ? 3 : 0)) * rows_of(probe.every);
  if (given.outputs.energy_every) disk.histories += 4 * rows_of(*given.outputs.energy_every);
  disk.histories *= 2 * number * marches_of(given);  // as streams and in results.h5
  disk.results = static_cast<std::int64_t>(size_of_results(given, marches_of(given), 0).disk);
  const std::int64_t dofs = static_cast<std::int64_t>(basis::reference_element(given.method.basis).dofs);
  disk.fields = predict_field_bytes(given, setup, marches_of(given), ranks);
  const std::int64_t field = dofs * (given.method.precision == Precision::single_precision ? 4 : 8);
  disk.checkpoints = given.run.checkpoint.keep * setup.summary.element_count * (2 * field + number);
  return disk;
}

}  // namespace tetrawave::modes
