#include "modes/time_domain/wave_check.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/scheme.hpp"
#include "case/error_list.hpp"
#include "sources/waveform.hpp"
#include "terms/sources/kernel.hpp"

namespace tetrawave::modes {

namespace {

/// A run of fewer steps is sampled at all of them.
constexpr std::int64_t few = 10'000'000;
constexpr std::int64_t most_sampled = 100'000'000;
constexpr double most_table_bytes = 4e9;

[[noreturn]] void refuse(const TimeDomainSetup& setup, const std::string& why, double most) {
  fail(ExitCode::bad_case, "{}: error: time: {} steps are too many {}: at most {:.3g}", setup.given.time.place.text,
       setup.steps, why, most);
}

/// Last step at which an excitation is active.
std::int64_t last_step(const TimeDomainSetup& setup, const NamedExcitation& spec, const Excitation& wave) {
  const double end = wave.end_s() / setup.dt_s + 1;
  if (end <= static_cast<double>(most_sampled)) return std::min(setup.steps, static_cast<std::int64_t>(end));
  if (setup.steps > most_sampled)
    refuse(setup, tetrawave::format("for the waveform '{}', which acts until their end", spec.waveform),
           static_cast<double>(most_sampled));
  return setup.steps;
}

/// Bytes per step of the tables that hold waves for all steps: of sources inside the mesh
/// (terms/sources/device/device_sources.hpp), and of all ports if one is dispersive (march/interface/wave_window.hpp,
/// sources/ports/modal_source.hpp).
double table_bytes_per_step(const TimeDomainSetup& setup) {
  const auto substeps = static_cast<double>(setup.problem.classes.substeps(0));
  double numbers = 0;
  if (!setup.is_implicit) numbers += kernels::wave_samples * substeps * static_cast<double>(setup.given.sources.size());
  if (!setup.problem.memories.empty()) {
    const double tables = has_upwind_fluxes(setup.given.method.scheme) ? 5 : 2;
    numbers += (tables + 2) * substeps * static_cast<double>(setup.given.ports.size() + 1);
  }
  return 8 * numbers;
}

}  // namespace

void check_waves(TimeDomainSetup& setup) {
  const double bytes = table_bytes_per_step(setup);
  if (static_cast<double>(setup.steps) * bytes > most_table_bytes)
    refuse(setup, "for sources inside the mesh and ports with memory, whose waveforms are kept for all of them",
           most_table_bytes / bytes);
  std::vector<const NamedExcitation*> driven;
  for (std::size_t p = 0; p < setup.given.port_tag_count(); ++p)  // copies have the waveform of theirs
    if (setup.given.ports[p].excite) driven.push_back(&*setup.given.ports[p].excite);
  for (const SourceDescription& source : setup.given.sources) driven.push_back(&source.excite);
  setup.sampled_steps = std::min(setup.steps, few);
  ErrorList errors;
  for (const NamedExcitation* spec : driven)
    errors.collect([&] {
      const Excitation wave = make_excitation(setup.given.waveforms, *spec);
      const std::int64_t steps = std::max(std::min(setup.steps, few), last_step(setup, *spec, wave));
      for (std::int64_t n = 0; n <= steps; ++n) (void)wave(static_cast<double>(n) * setup.dt_s);
      setup.sampled_steps = std::max(setup.sampled_steps, steps);
    });
  errors.throw_if_any();
}

}  // namespace tetrawave::modes
