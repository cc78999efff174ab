#include "modes/time_domain_setup.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "basis/reference_element.hpp"
#include "media/wideband_debye.hpp"
#include "mesh/box_mesh.hpp"
#include "mesh/build_mesh.hpp"
#include "mesh/make_mesh_file.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/order_elements.hpp"
#include "modes/absorbing_layers.hpp"
#include "modes/error_list.hpp"
#include "modes/far_field.hpp"
#include "modes/kerr_check.hpp"
#include "modes/port_setup.hpp"
#include "modes/sources.hpp"
#include "observe/probes.hpp"
#include "sources/expression.hpp"
#include "sources/initial_fields.hpp"
#include "sources/waveform.hpp"

namespace tetrawave::modes {

namespace {

/// Laminates as the terms that stand for them.
void report_laminates(const std::vector<MaterialSpec>& materials) {
  for (const MaterialSpec& material : materials) {
    if (!material.wideband_debye) continue;
    const WidebandDebyeFit fit = fit_wideband_debye(*material.wideband_debye);
    log::info(
        "material {}: {} Debye terms, eps_r {:.6g} at infinite frequency; over the band eps is within {:.2g} and the "
        "loss tangent within {:.2g} (relative) of the wideband model",
        material.name, fit.terms.size(), fit.eps_r, fit.permittivity_error, fit.loss_tangent_error);
  }
}

/// Warns of resonances that the time step does not resolve.
void check_resonances(const TimeDomainSetup& setup) {
  constexpr double most = 1e-3;
  const auto& media = setup.problem.media;
  for (std::size_t r = 0; r < media.size(); ++r) {
    const double shift = resonance_shift(media[r], c0_m_per_s * setup.dt_s);
    if (shift > most)
      log::warning(
          "region {}: the time step lowers the highest resonance of its material by {:.2g} percent; a step below "
          "{:.3g} "
          "s keeps it within 0.1",
          setup.mesh.region_names[r], 100 * shift, setup.dt_s * std::sqrt(most / shift));
  }
}

/// What is wrong with a mesh file that the case names is told at that place of the case.
MeshSlab read_named_slab(const MeshFileSpec& spec, const comm::Communicator& ranks) {
  try {
    return read_mesh_slab(spec.file, ranks.rank(), ranks.size());
  } catch (const UserError& error) {
    throw UserError(error.code(), tetrawave::format("{}: error: {}", spec.place.text, error.what()));
  }
}

/// Of an array, its plan and the ports of all cells too.
MeshSlab read_slab(TimeDomainSetup& setup, const std::filesystem::path& mesh_file, bool keep_mesh, int threads,
                   const comm::Communicator& ranks) {
  Case& given = setup.given;
  MeshSlab slab;
  if (const auto* box = std::get_if<BoxSpec>(&given.mesh)) {
    ranks.agree([&] { slab = make_box_slab(*box, ranks.rank(), ranks.size()); });
    return slab;
  }
  const auto& spec = std::get<MeshFileSpec>(given.mesh);
  const bool ready = !is_mesh_to_make(spec, given);
  ranks.agree([&] {
    if (ready || ranks.rank() != 0 || (keep_mesh && std::filesystem::exists(mesh_file))) return;
    make_mesh_file(spec, given, mesh_file);
  });
  if (given.array) {
    ArraySlab array = read_array(given, ready ? spec.file : mesh_file, mesh_file.parent_path(), threads, ranks);
    setup.array = array.plan;
    return std::move(array.slab);
  }
  ranks.agree(
      [&] { slab = ready ? read_named_slab(spec, ranks) : read_mesh_slab(mesh_file, ranks.rank(), ranks.size()); });
  return slab;
}

/// Seconds since the last call.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(begin_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void set_up_mesh(TimeDomainSetup& setup, const std::filesystem::path& mesh_file, bool keep_mesh, int threads,
                 const comm::Communicator& ranks) {
  Stopwatch watch;
  const Case& given = setup.given;
  MeshSlab slab = read_slab(setup, mesh_file, keep_mesh, threads, ranks);
  setup.slab = sizes_of(slab);
  ranks.agree([&] {
    ErrorList errors;
    errors.collect([&] { setup.problem.media = media_of_regions(given, slab.region_names); });
    errors.collect([&] { setup.boundaries = make_boundaries(given, slab.group_names); });
    errors.throw_if_any();
  });
  ConnectedSlab connected = connect_elements(std::move(slab), setup.boundaries.tags, threads, ranks);
  setup.seconds.mesh = watch.lap();
  setup.mesh = distribute_elements(std::move(connected), {given.run.ordering, threads}, ranks);
  setup.shares = measure_shares(setup.mesh, ranks);
  setup.seconds.partition = watch.lap();
  setup.summary = summarise_mesh(setup.mesh, setup.boundaries.walls.size(), threads, ranks);
  setup.seconds.mesh += watch.lap();
  setup.problem.layers = make_layers(given, setup.mesh, setup.summary, setup.problem.media, ranks);
  log::info(
      "mesh: {} elements, {} regions, shortest edge {:.4g} m, smallest radius ratio {:.3f}; order '{}': {:.1f} % of "
      "the "
      "faces inside blocks of {} elements, {:.1f} % inside parts of {}",
      setup.summary.element_count, setup.mesh.region_names.size(), setup.summary.shortest_edge_m.min,
      setup.summary.radius_ratio.min, name_of(given.run.ordering), 100 * setup.shares.in_block, order_block,
      100 * setup.shares.in_part, order_part);
}

/// Every rank has all faces of a port, so that all ranks find the same errors.
void set_up_ports_and_probes(TimeDomainSetup& setup, const comm::Communicator& ranks) {
  const Case& given = setup.given;
  ErrorList errors;
  set_up_ports(setup, errors, ranks);
  errors.collect([&] { observe::add_probes(setup.problem, given.outputs.probes, ranks); });
  errors.collect([&] {
    if (given.outputs.fields) setup.grids = observe::add_field_grids(setup.problem, *given.outputs.fields, ranks);
  });
  errors.throw_if_any();
}

std::int64_t count_steps(const TimeSpec& time, double dt_s) {
  const double steps = time.steps ? static_cast<double>(*time.steps) : std::ceil(*time.end_s / dt_s);
  if (!(steps <= 0x1p40))
    fail(ExitCode::bad_case, "{}: error: time: {:.3g} steps of {:.6g} s are too many: at most 2^40 (1.1e12)",
         time.place.text, steps, dt_s);
  return static_cast<std::int64_t>(steps);
}

/// dt from cfl or as given; above the limit only with allow_unstable.
void set_up_time(TimeDomainSetup& setup, const Case& given, const std::optional<KnownStep>& known) {
  setup.stable_step_s = known ? known->stable_step_s : setup.engine->find_stable_step() / c0_m_per_s;
  setup.dt_s = known ? known->dt_s : given.method.time_step_s.value_or(given.method.cfl * setup.stable_step_s);
  if (setup.dt_s > setup.stable_step_s && !given.method.allow_unstable)
    fail(ExitCode::bad_case,
         "{}: error: the time step {:.6g} s is above the stable limit {:.6g} s of this mesh: lower it, use method.cfl "
         "instead, or set method.allow_unstable: true",
         given.method.step_place.text, setup.dt_s, setup.stable_step_s);
  setup.steps = count_steps(given.time, setup.dt_s);
  log::info("time step {:.6g} s ({:.3g} of the stable limit), {} steps", setup.dt_s, setup.dt_s / setup.stable_step_s,
            setup.steps);
  check_resonances(setup);
}

std::vector<double> project(const Case& given, const TimeDomainSetup& setup, const std::array<std::string, 3>& texts,
                            const std::array<Place, 3>& places, double scale) {
  const FieldExpression field(texts, places);
  if (field.is_zero())
    return std::vector<double>(setup.mesh.corners.size() * basis::reference_element(given.method.basis).dofs, 0.0);
  auto dofs = project_field(
      setup.mesh, given.method.basis, [field](const Vec3& r) { return field(r); }, setup.engine->threads());
  for (double& dof : dofs) dof *= scale;
  return dofs;
}

/// A source's wave by the step.
march::Wave make_source_wave(const Case& given, const TimeDomainSetup& setup, const SourceSpec& source) {
  return [wave = make_excitation(given, source.excite), dt_s = setup.dt_s](double steps) { return wave(steps * dt_s); };
}

/// The waves of all excitations, so that a march in a later turn does not find one wrong.
void check_waves(const Case& given, const TimeDomainSetup& setup) {
  ErrorList errors;
  for (std::size_t p = 0; p < given.port_tag_count(); ++p)  // copies have the waveform of theirs
    if (given.ports[p].excite)
      errors.collect([&] {
        const march::Wave wave = make_excitation_wave(given, setup, p);
        for (std::int64_t n = 0; n <= setup.steps; ++n) (void)wave(static_cast<double>(n));
      });
  for (const SourceSpec& source : given.sources)
    errors.collect([&] {
      const march::Wave wave = make_source_wave(given, setup, source);
      for (std::int64_t n = 0; n <= setup.steps; ++n) (void)wave(static_cast<double>(n));
    });
  errors.throw_if_any();
}

/// With initial fields, which a march that goes on has not, every step is sampled.
void set_sampling(const Case& given, const TimeDomainSetup& setup, march::Start& start) {
  if (!given.outputs.far_field || given.initial_fields) return;
  const auto& frequencies = given.outputs.far_field->frequencies_hz;
  start.spectra_every =
      choose_spectra_every(start, setup.dt_s, *std::max_element(frequencies.begin(), frequencies.end()));
}

}  // namespace

std::optional<double> PortSummary::cutoff_hz() const {
  if (!radii_m) return std::nullopt;
  return c0_m_per_s / (pi * ((*radii_m)[0] + (*radii_m)[1]) * refractive_index);
}

double PortSummary::mode_cutoff_hz() const { return c0_m_per_s * mode_cutoff_per_m / (2 * pi * refractive_index); }

std::unique_ptr<TimeDomainSetup> set_up(const Case& spec, const std::filesystem::path& mesh_file,
                                        const EngineFactory& make_engine, const comm::Communicator& ranks,
                                        bool allow_oversubscribe, const std::optional<KnownStep>& known) {
  ranks.agree([&] {
    check_media(spec.materials);
    check_kerr(spec);
  });
  report_laminates(spec.materials);
  auto setup = std::make_unique<TimeDomainSetup>();
  setup->given = spec;
  const Case& given = setup->given;
  setup->bytes_before = resident_bytes();
  setup->problem.mesh = &setup->mesh;
  setup->problem.scheme = given.method.scheme;
  setup->problem.space = given.method.basis;
  setup->problem.layout = given.method.layout;
  setup->problem.kerr = {given.method.kerr.newton, given.method.kerr.averaged, given.method.kerr.tolerance,
                         given.method.kerr.max_iterations};
  setup->problem.energy_every = given.outputs.energy_every.value_or(0);
  const march::EngineOptions options{given.method.precision, given.run.threads, allow_oversubscribe};
  set_up_mesh(*setup, mesh_file, known.has_value(), march::threads_of_rank(options, ranks), ranks);
  setup->problem.walls = setup->boundaries.walls;
  setup->problem.wall_ohms = setup->boundaries.wall_ohms;
  setup->problem.wall_branches = setup->boundaries.wall_branches;
  set_up_ports_and_probes(*setup, ranks);
  ranks.agree([&] { check_kerr_walls(given, setup->problem); });
  setup->source_delay_s = add_sources(setup->problem, given, ranks) / c0_m_per_s;
  set_up_far_field(*setup, given, ranks);
  Stopwatch watch;
  ranks.agree([&] { setup->engine = make_engine(setup->problem, options, ranks); });
  setup->seconds.engine = watch.lap();
  set_up_time(*setup, given, known);
  setup->seconds.step = watch.lap();
  ranks.agree([&] { check_waves(given, *setup); });
  return setup;
}

observe::HistoryPlan history_plan(const Case& given, const TimeDomainSetup& setup) {
  observe::HistoryPlan plan;
  for (std::size_t p = 0; p < setup.ports.size(); ++p)
    plan.ports.push_back(make_port_model(given.ports[p], setup.ports[p], setup.engine->is_staggered()));
  plan.probes = given.outputs.probes;
  plan.joint_ports = given.array.has_value();
  plan.dt_s = setup.dt_s;
  plan.steps = setup.steps;
  plan.staggered = setup.engine->is_staggered();
  return plan;
}

march::Start make_start(const Case& given, const TimeDomainSetup& setup, const std::vector<std::size_t>& driven,
                        bool with_fields) {
  march::Start start;
  start.dt_m = c0_m_per_s * setup.dt_s;
  start.steps = setup.steps;
  for (std::size_t p = 0; p < given.ports.size(); ++p) {
    const bool sends = std::find(driven.begin(), driven.end(), p) != driven.end();
    start.waves.push_back(sends ? make_port_wave(given, setup, p) : march::Wave([](double) { return 0.0; }));
  }
  for (const SourceSpec& source : given.sources) start.source_waves.push_back(make_source_wave(given, setup, source));
  if (!with_fields || !given.initial_fields) {
    set_sampling(given, setup, start);
    return start;
  }
  const InitialFieldsSpec& fields = *given.initial_fields;
  ErrorList errors;
  errors.collect([&] { start.electric = project(given, setup, fields.electric, fields.electric_places, 1); });
  errors.collect([&] { start.magnetic = project(given, setup, fields.magnetic, fields.magnetic_places, eta0_ohm); });
  errors.throw_if_any();
  return start;
}

}  // namespace tetrawave::modes
