#include "modes/time_domain/health_watch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "case/region_media.hpp"
#include "modes/time_domain/start.hpp"

namespace tetrawave::modes {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double silent = 1e-9;        ///< of a wave's peak: too little to make any energy grow
constexpr double driven_bound = 1e30;  ///< of the total incident energy
constexpr double cost_share = 0.005;   // half of what is allowed: checks do not all cost the same
constexpr std::int64_t looks = 32;     // checks of the energy per run, and per its driven part
constexpr std::int64_t batch = 16;     // steps that are queued at once (march.hpp)
constexpr int always = 16;             // the first pieces are short: what blows up at once is seen while it is finite

/// First step from which all of `wave` is zero, from its values at every step.
std::int64_t end_of(const std::vector<double>& wave) {
  double peak = 0;
  for (const double w : wave) peak = std::max(peak, std::abs(w));
  auto last = static_cast<std::int64_t>(wave.size());
  while (last > 0 && std::abs(wave[static_cast<std::size_t>(last - 1)]) <= silent * peak) --last;
  return last;
}

/// First step from which some of `wave` is more than next to nothing of its peak.
std::int64_t start_of(const std::vector<double>& wave) {
  double peak = 0;
  for (const double w : wave) peak = std::max(peak, std::abs(w));
  const auto loud = [&](double w) { return std::abs(w) > silent * peak; };
  return std::find_if(wave.begin(), wave.end(), loud) - wave.begin();
}

/// Steps between checks of the energy of a run of `steps`.
std::int64_t look_every(std::int64_t steps, bool implicit) {
  const std::int64_t least = implicit ? 1 : batch;
  return least * (steps / (looks * least) + 1);
}

}  // namespace

HealthWatch::HealthWatch(TimeDomainSetup& setup, const march::Start& start, const comm::Communicator& ranks)
    : setup_(setup), ranks_(ranks), look_every_(look_every(start.steps, setup.is_implicit)) {
  struct PortWave {
    std::int64_t quiet_from = 0, over_from = 0;
    double joules = 0;
  };
  std::vector<PortWave> ports(start.waves.size());
  for_each_task(ports.size(), setup.engine->threads(), [&](std::size_t p) {
    const bool has_tail = setup.ports[p].mode_cutoff_per_m > 0;  // what a waveguide's port sends outlasts its waveform
    const std::int64_t last = has_tail ? start.steps : setup.sampled_steps;
    std::vector<double> wave;
    for (std::int64_t n = 0; n <= last; ++n) wave.push_back(start.waves[p](static_cast<double>(n)));
    const std::int64_t end = end_of(wave);
    ports[p].quiet_from = ports[p].over_from = end + 1;
    for (const double v : wave) ports[p].joules += setup.dt_s * v * v / setup.ports[p].face_impedance_ohm();
    if (end == 0 || !has_tail) return;
    const march::Wave excitation = make_excitation_wave(setup, p);
    for (std::int64_t n = 0; n <= last; ++n) wave[static_cast<std::size_t>(n)] = excitation(static_cast<double>(n));
    ports[p].over_from = end_of(wave) + 1;
  });
  for (const PortWave& port : ports) {
    quiet_from_ = std::max(quiet_from_, port.quiet_from);
    sources_over_from_ = std::max(sources_over_from_, port.over_from);
    drive_j_ += port.joules;
  }
  for (const march::Wave& source : start.source_waves) {
    std::vector<double> wave;
    for (std::int64_t n = 0; n <= setup.sampled_steps; ++n) wave.push_back(source(static_cast<double>(n)));
    sources_rise_until_ = std::max(sources_rise_until_, start_of(wave));
    const double delay = std::min(setup.source_delay_s / setup.dt_s, static_cast<double>(start.steps));
    const std::int64_t end = end_of(wave) + 2 + static_cast<std::int64_t>(delay);
    quiet_from_ = std::max(quiet_from_, end);
    sources_over_from_ = std::max(sources_over_from_, end);
  }
  const std::int64_t driven = std::min(sources_over_from_, start.steps);
  look_every_driven_ = look_every(driven, setup.is_implicit);
  driven_until_ = (driven + look_every_driven_ - 1) / look_every_driven_ * look_every_driven_;
  const double c = std::min(setup.smallest_dt_s / setup.stable_step_s, 0.99);
  growth_ = 2 * (1 + c) / (1 - c);
}

bool HealthWatch::is_due(double marched_seconds) {
  marched_since_ += marched_seconds;
  return checks_ < always || cost_ <= cost_share * marched_since_;
}

double HealthWatch::bound_j() const {
  if (found_j_ <= 0) return std::numeric_limits<double>::infinity();
  return grows_by_itself() ? growth_ * found_j_ : driven_bound * (drive_j_ + found_j_);
}

void HealthWatch::check(std::int64_t step) {
  const auto begin = Clock::now();
  const double energy = setup_.engine->present_energy();
  if (!(energy <= bound_j()) || !std::isfinite(energy)) report(step, energy);
  // Growth from check to check must not be its own bound. In DFDD-ELD rates give energy to fields, which P is of.
  const bool is_bound = !grows_by_itself() || has_rates(setup_.problem.scheme);
  if (is_bound && step >= sources_rise_until_) found_j_ = std::max(found_j_, energy);
  energy_.last_j = energy;
  last_step_ = step;
  cost_ = ranks_.max(std::chrono::duration<double>(Clock::now() - begin).count());
  seconds_ += cost_;
  marched_since_ = 0;
  ++checks_;
}

void HealthWatch::note(std::int64_t step, double energy_j) {
  if (!(energy_j > energy_.largest_j) || !std::isfinite(energy_j)) return;
  energy_.largest_j = energy_j;
  energy_.largest_time_s = static_cast<double>(step) * setup_.dt_s;
}

void HealthWatch::note(const std::vector<march::EnergyRow>& rows) {
  for (const march::EnergyRow& row : rows) note(row.step, row.total());
}

void HealthWatch::report(std::int64_t step, double energy_j) {
  const march::WorstElement worst = setup_.engine->find_worst_element();
  const double time = static_cast<double>(step) * setup_.dt_s;
  const std::string what =
      std::isfinite(energy_j)
          ? tetrawave::format("the energy has grown to {:.3g} J, {:.3g} times its largest value before{}", energy_j,
                              energy_j / found_j_, grows_by_itself() ? ", though no source acts any more" : "")
          : std::string("the fields are no longer finite");
  fail(ExitCode::unstable,
       "unstable at step {} (t = {:.6g} s): {}; worst is element {} at ({:.6g}, {:.6g}, {:.6g}) m in region '{}' "
       "(material '{}'); {}",
       step, time, what, worst.id, worst.centroid_m[0], worst.centroid_m[1], worst.centroid_m[2], worst.region,
       material_of(setup_.given, region_in_case(setup_.given, worst.region)), remedy_for(worst.region));
}

std::string HealthWatch::remedy_for(const std::string& region) const {
  const auto& names = setup_.problem.mesh->region_names;
  const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), region) - names.begin());
  const bool in_layer = setup_.problem.layers && at < names.size() && setup_.problem.layers->is_layer[at];
  const std::string in_layers = tetrawave::format(
      "absorbing layers grow where their elements are many times wider than thick: give boundaries.pml fewer cells or "
      "more thickness, make the mesh finer along it, {}or use boundaries.absorbing",
      setup_.is_implicit || has_upwind_fluxes(setup_.problem.scheme) ? "" : "use method.scheme: dgtd-upwind, ");
  if (setup_.is_implicit)
    return "no step is too long for implicit time stepping: " + (in_layer ? in_layers : "check the mesh there");
  const double share = setup_.smallest_dt_s / setup_.stable_step_s;
  const std::string step =
      tetrawave::format("the time step {:.6g} s is {:.4g} of the stable limit {:.6g} s: ", setup_.smallest_dt_s, share,
                        setup_.stable_step_s);
  if (in_layer && share <= 1) return step + "a lower one does not help, " + in_layers;
  return step + (setup_.given.method.dispersion == Dispersion::published ? "use method.dispersion: passive, " : "") +
         "lower method.cfl or method.time_step, or check the mesh there";
}

}  // namespace tetrawave::modes
