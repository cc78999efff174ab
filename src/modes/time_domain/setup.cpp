#include "modes/time_domain/setup.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/scheme.hpp"
#include "march/loop/step_classes.hpp"
#include "media/material.hpp"
#include "model/set_up/set_up_model.hpp"
#include "modes/time_domain/far_field.hpp"
#include "modes/time_domain/wave_check.hpp"

namespace tetrawave::modes {

namespace {

/// The coarsest LTS level in each region.
std::vector<int> coarsest_classes(const TimeDomainSetup& setup, const comm::Communicator& ranks) {
  std::vector<int> coarsest(setup.problem.media.size(), 0);
  for (LocalIndex e = 0; e < setup.mesh.element_count(); ++e) {
    int& known = coarsest[static_cast<std::size_t>(setup.mesh.region[static_cast<std::size_t>(e)])];
    known = std::max(known, setup.problem.classes.of(e));
  }
  for (int& c : coarsest) c = static_cast<int>(ranks.max(std::int64_t{c}));
  return coarsest;
}

/// Warns of resonances that the time step does not resolve.
void check_resonances(const TimeDomainSetup& setup, const comm::Communicator& ranks) {
  constexpr double most = 1e-3;
  const auto& media = setup.problem.media;
  const std::vector<int> coarsest = coarsest_classes(setup, ranks);
  for (std::size_t r = 0; r < setup.mesh.region_names.size(); ++r) {
    const double shift = resonance_shift(media[r], setup.problem.classes.step_of(coarsest[r], c0_m_per_s * setup.dt_s));
    if (shift > most)
      log::warning(
          "region {}: the time step lowers the highest resonance of its material by {:.2g} percent; a step below "
          "{:.3g} s keeps it within 0.1",
          setup.mesh.region_names[r], 100 * shift, setup.smallest_dt_s * std::sqrt(most / shift));
  }
}

/// Number of time steps of the run, each `substeps` of the smallest ones.
std::int64_t count_steps(const Model& model, double dt_s, std::int64_t substeps) {
  const auto& time = model.given.time;
  const double steps = time.steps ? std::ceil(static_cast<double>(*time.steps) / static_cast<double>(substeps))
                                  : std::ceil(*time.end_s / dt_s);
  constexpr double most = 1e9;  // a day at ten thousand steps a second; waves are tables over the steps
  if (!(steps <= most))
    fail(ExitCode::bad_case, "{}: error: time: {:.3g} steps of {:.6g} s are too many: at most {:g}", time.place.text,
         steps, dt_s, most);
  return static_cast<std::int64_t>(steps);
}

/// Seconds of a step of the engine as it stands, with so many waves, all zero: of a batch that takes a twentieth of a
/// second.
double time_step(march::Engine& engine, double dt_m, std::size_t ports, std::size_t sources,
                 const comm::Communicator& ranks) {
  using Clock = std::chrono::steady_clock;
  constexpr double enough_s = 0.05;
  constexpr std::int64_t most = 4096;
  march::Start start;
  start.dt_m = dt_m;
  start.steps = 2 * most;
  start.waves.assign(ports, [](double) { return 0.0; });
  start.source_waves.assign(sources, [](double) { return 0.0; });
  start.spectra_every = 16;
  engine.start(start);
  for (std::int64_t steps = 1;; steps *= 2) {
    const auto begin = Clock::now();
    engine.advance(steps);
    engine.synchronize();
    const double seconds = ranks.max(std::chrono::duration<double>(Clock::now() - begin).count());
    if (seconds > enough_s || steps == most) return seconds / static_cast<double>(steps);
  }
}

/// Cost of a step of all elements without LTS, in steps with LTS: in DGTD-Upwind a prediction and a stage replace five
/// stages.
double cost_without_classes(Scheme scheme) { return has_upwind_fluxes(scheme) ? 2.5 : 1; }

/// Says so where no levels of DGTD-Upwind pay because fluxes without damping make modes grow at any step of their own.
void explain_single_level(const march::Problem& problem, const comm::Communicator& ranks) {
  const auto& undamped = problem.undamped;
  const bool is_any = has_upwind_fluxes(problem.scheme) &&
                      std::any_of(undamped.begin(), undamped.end(), [](std::uint8_t faces) { return faces != 0; });
  if (problem.classes.count == 1 && ranks.max(std::int64_t{is_any ? 1 : 0}) == 1)
    log::info(
        "local time stepping: around edges of metal the flux does not damp, so levels are not stable there; "
        "method.pec: weak, dgtd-central and dfdd-eld can have levels");
}

/// Assigns LTS levels, and makes the engine with them: bounds of elements are not equally sharp, so levels are tried
/// for several scalings of the bounds, and none at all; the choice with the longest time per update is kept. Returns
/// the stable step of the time loop.
double set_up_classes(TimeDomainSetup& setup, int threads, const std::function<void()>& make,
                      const comm::Communicator& ranks) {
  make();
  const double alone = setup.engine->find_stable_step();
  setup.single.dt_s = setup.given.method.time_step_s.value_or(setup.given.method.cfl * alone / c0_m_per_s);
  setup.single.seconds = time_step(*setup.engine, c0_m_per_s * setup.single.dt_s, setup.given.ports.size(),
                                   setup.given.sources.size(), ranks);
  const std::vector<double> bounds = march::bound_steps(setup.problem, threads);
  march::StepClasses best;
  double best_gain = 1;
  double best_step = alone;
  std::vector<std::int8_t> tried;
  for (const double share : {1.0, 0.75, 0.5}) {
    setup.problem.classes = march::assign_classes(setup.problem, bounds, setup.given.method.max_classes, ranks, share);
    const bool is_new = ranks.max(std::int64_t{setup.problem.classes.of_element == tried ? 0 : 1}) == 1;
    if (setup.problem.classes.count == 1 || !is_new) continue;
    tried = setup.problem.classes.of_element;
    make();
    const double gain_per_m = march::gain_by_counting(march::count_classes(setup.problem, ranks)) *
                              cost_without_classes(setup.given.method.scheme) / alone /
                              static_cast<double>(setup.problem.classes.substeps(0));
    const double step = setup.engine->find_stable_step(best_gain / gain_per_m);
    if (gain_per_m * step <= best_gain) continue;
    best = setup.problem.classes;
    best_gain = gain_per_m * step;
    best_step = step;
  }
  setup.problem.classes = std::move(best);
  make();
  setup.class_elements = march::count_classes(setup.problem, ranks);
  setup.predicted_gain = best_gain;
  std::string elements;
  for (const std::int64_t count : setup.class_elements)
    elements += (elements.empty() ? "" : ", ") + std::to_string(count);
  log::info(
      "local time stepping: {} of at most {} levels, of {} elements at 1, 3, 9, .. times the "
      "smallest step: {:.3g} times fewer updates, {:.3g} times when the smaller step is counted",
      setup.class_elements.size(), setup.given.method.max_classes, elements,
      march::gain_by_counting(setup.class_elements), best_gain);
  explain_single_level(setup.problem, ranks);
  return best_step;
}

/// Throws UserError (bad_case) if the step exceeds the limit for newmark.beta below 1/4.
void check_implicit_step(const TimeDomainSetup& setup) {
  if (setup.given.newmark_beta >= 0.25) return;
  const double limit_s = setup.stable_step_s / std::sqrt(1 - 4 * setup.given.newmark_beta);
  if (setup.dt_s > limit_s)
    fail(ExitCode::bad_case,
         "{}: error: with newmark.beta {:g} the time step {:.6g} s is above the stable limit {:.6g} s of this mesh: "
         "lower "
         "it, or leave beta at 0.25, which has none",
         setup.given.method.step_place.text, setup.given.newmark_beta, setup.dt_s, limit_s);
}

/// dt from cfl or as given; above the limit only with allow_unstable.
void set_up_time(TimeDomainSetup& setup, const std::optional<KnownStep>& known, const std::optional<double>& limit_m,
                 const comm::Communicator& ranks) {
  const std::int64_t substeps = setup.problem.classes.substeps(0);
  const auto in_step = static_cast<double>(substeps);
  setup.stable_step_s =
      known ? known->stable_step_s : (limit_m ? *limit_m : setup.engine->find_stable_step()) / c0_m_per_s / in_step;
  setup.smallest_dt_s = known ? known->dt_s / in_step
                              : setup.given.method.time_step_s.value_or(setup.given.method.cfl * setup.stable_step_s);
  setup.dt_s = known ? known->dt_s : in_step * setup.smallest_dt_s;
  if (setup.is_implicit) {
    check_implicit_step(setup);
  } else if (setup.smallest_dt_s > setup.stable_step_s && !setup.given.method.allow_unstable && !known)
    fail(ExitCode::bad_case,
         "{}: error: the time step {:.6g} s is above the stable limit {:.6g} s of this mesh: lower it, use method.cfl "
         "instead, or set method.allow_unstable: true",
         setup.given.method.step_place.text, setup.smallest_dt_s, setup.stable_step_s);
  setup.steps = count_steps(setup, setup.dt_s, substeps);
  log::info("time step {:.6g} s ({:.3g} of the {} limit), {} steps{}", setup.smallest_dt_s,
            setup.smallest_dt_s / setup.stable_step_s, setup.is_implicit ? "explicit" : "stable", setup.steps,
            substeps == 1 ? "" : tetrawave::format(" of the coarsest level, each with {} of the finest", substeps));
  check_resonances(setup, ranks);
}

}  // namespace

Stepping explicit_stepping(const EngineFactory& make_engine) {
  return {[make_engine](Model& model, ModelParts&, const comm::Communicator& ranks) {
            std::unique_ptr<march::Engine> engine;
            ranks.agree([&] { engine = make_engine(model.problem, engine_options(model.given), ranks); });
            return engine;
          },
          false};
}

std::unique_ptr<TimeDomainSetup> set_up(const Case& spec, const std::filesystem::path& mesh_file,
                                        const Stepping& stepping, const comm::Communicator& ranks,
                                        const std::optional<KnownStep>& known) {
  const int threads = march::threads_of_rank(engine_options(spec), ranks);
  auto setup = std::make_unique<TimeDomainSetup>();
  setup->is_implicit = stepping.is_implicit;
  ModelParts parts = set_up_model(
      *setup, spec, {{mesh_file, known.has_value(), threads}, stepping.is_implicit, false, stepping.is_implicit, {}},
      ranks);
  const auto make = [&] {
    setup->engine.reset();  // the memory of one at a time
    setup->engine = stepping.make_engine(*setup, parts, ranks);
  };
  setup->class_elements = march::count_classes(setup->problem, ranks);
  std::optional<double> limit_m;
  if (setup->given.method.max_classes > 1)
    limit_m = set_up_classes(*setup, threads, make, ranks);
  else
    make();
  setup->clock.end("layout");
  set_up_time(*setup, known, limit_m, ranks);
  setup->clock.end("step");
  ranks.agree([&] {
    check_waves(*setup);
    setup->spectra_every = choose_spectra_every(*setup);
    setup->jumps_every = choose_jumps_every(*setup);
  });
  return setup;
}

}  // namespace tetrawave::modes
