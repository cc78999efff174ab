#include "model/time_domain_setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/text/suggest.hpp"
#include "basis/reference_element.hpp"
#include "case/error_list.hpp"
#include "march/loop/step_classes.hpp"
#include "media/wideband_debye.hpp"
#include "mesh/array/array_elements.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/connect/order_elements.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh/make/box_mesh.hpp"
#include "mesh/make/make_mesh_file.hpp"
#include "mesh/report/fingerprint.hpp"
#include "mesh/report/setup_memory.hpp"
#include "model/absorbing_layers.hpp"
#include "model/check/kerr_check.hpp"
#include "model/edge_warnings.hpp"
#include "model/far_field.hpp"
#include "model/port_setup.hpp"
#include "model/sheet_edges.hpp"
#include "model/sources.hpp"
#include "model/wave_check.hpp"
#include "modes/fe_iiee/integral_boundary.hpp"
#include "modes/fetd/fetd.hpp"
#include "modes/frequency_domain/plane_waves.hpp"
#include "results/history/probes.hpp"
#include "sources/expression.hpp"
#include "sources/initial_fields.hpp"
#include "sources/waveform.hpp"

namespace tetrawave::modes {

namespace {

/// Laminates replaced by their Debye terms.
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

/// Reports errors in a mesh file at the line of the case that names it.
MeshSlab read_named_slab(const MeshFileSpec& spec, int order, const comm::Communicator& ranks) {
  try {
    return read_mesh_slab(spec.file, ranks.rank(), ranks.size(), order);
  } catch (const UserError& error) {
    throw UserError(error.code(), tetrawave::format("{}: error: {}", spec.place.text, error.what()));
  }
}

/// Rejects meshes too large for this machine's memory (else the OOM killer would act silently). Each rank checks its
/// own share.
void check_host_memory(const SlabSizes& sizes, const Place& place, const comm::Communicator& ranks) {
  const std::int64_t needed =
      peak_of_mesh_setup(sizes, sizes.all_elements / ranks.size(), ranks.size(), ranks.rank() == 0);
  const auto available = available_bytes();
  if (!available || needed <= *available) return;
  fail(ExitCode::out_of_memory,
       "{}: error: a mesh of {} elements takes about {} of host memory on each of {} ranks to be set up, but {} are "
       "there: use a coarser mesh, or more hosts",
       place.text, sizes.all_elements, describe_bytes(needed), ranks.size(), describe_bytes(*available));
}

/// The share of a rank in a box; none for a box with too many cells to count, which is rejected elsewhere.
SlabSizes sizes_of(const BoxSpec& box, const comm::Communicator& ranks) {
  double cells = 1, nodes = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto count = static_cast<double>(box.cells[axis] + box.layer_cells[axis][0] + box.layer_cells[axis][1]);
    cells *= count;
    nodes *= count + 1;
  }
  if (cells > 0x1p40) return {};
  const auto all_elements = static_cast<std::int64_t>(6 * cells), all_nodes = static_cast<std::int64_t>(nodes);
  return {all_elements / ranks.size(), all_nodes / ranks.size(), 0, all_elements, all_nodes, false, false};
}

/// Reads the slab of the mesh; for an array also its grid and the ports of all cells, and the unit cells unless it is
/// explicit.
MeshSlab read_slab(TimeDomainSetup& setup, const std::filesystem::path& mesh_file, bool keep_mesh,
                   std::optional<UnitCells>& cells, const comm::Communicator& ranks) {
  Case& given = setup.given;
  MeshSlab slab;
  if (const auto* box = std::get_if<BoxSpec>(&given.mesh)) {
    ranks.agree([&] {
      check_host_memory(sizes_of(*box, ranks), box->place, ranks);
      slab = make_box_slab(*box, ranks.rank(), ranks.size());
    });
    return slab;
  }
  const auto& spec = std::get<MeshFileSpec>(given.mesh);
  const bool ready = !is_mesh_to_make(spec, given);
  ranks.agree([&] {
    if (ready || ranks.rank() != 0 || (keep_mesh && std::filesystem::exists(mesh_file))) return;
    make_mesh_file(spec, given, mesh_file, ranks.size());
  });
  if (given.array) {
    ArrayCells array = read_array(given, ready ? spec.file : mesh_file, mesh_file.parent_path(), ranks);
    setup.array = array.plan;
    if (!given.array->is_explicit) cells = std::move(array.cells);
    return std::move(array.slab);
  }
  ranks.agree([&] {
    const int order = order_to_read(spec, given);
    slab = ready ? read_named_slab(spec, order, ranks) : read_mesh_slab(mesh_file, ranks.rank(), ranks.size(), order);
    if (ready) slab.source = spec.file.string();
    check_host_memory(sizes_of(slab), spec.place, ranks);
  });
  return slab;
}

/// Reports errors of elements at the mesh's place in the case; an invalid box is an error of the case.
template <class Work>
auto at_place_of_mesh(const Case& given, const Work& work) {
  const auto* box = std::get_if<BoxSpec>(&given.mesh);
  try {
    return work();
  } catch (const UserError& error) {
    if (error.code() != ExitCode::bad_mesh) throw;
    const Place& place = box != nullptr ? box->place : std::get<MeshFileSpec>(given.mesh).place;
    throw UserError(box != nullptr ? ExitCode::bad_case : error.code(),
                    tetrawave::format("{}: error: {}", place.text, error.what()));
  }
}

/// Number of steps of each element of the slab in one of the coarsest level, from the radius of its inscribed sphere:
/// an estimate for partitioning. None on one rank or with one level.
CutWeights weigh_elements(const ConnectedSlab& connected, const std::vector<Medium>& media, const MethodSpec& method,
                          const comm::Communicator& ranks) {
  if (method.max_classes == 1 || ranks.size() == 1) return {};
  std::vector<double> scales;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < connected.elements.size(); ++e) {
    const Medium& medium = media[static_cast<std::size_t>(connected.slab.region[e])];
    scales.push_back(measure_element(connected.elements.corners(e)).inradius_m * std::sqrt(medium.eps_r * medium.mu_r));
    smallest = std::min(smallest, scales.back());
  }
  smallest = ranks.min(smallest);
  std::int64_t coarsest = 0;
  std::vector<int> classes;
  for (const double scale : scales) {
    const double levels = std::floor(std::log(scale / smallest) / std::log(3.));
    classes.push_back(static_cast<int>(std::clamp(levels, 0., method.max_classes - 1.)));
    coarsest = std::max<std::int64_t>(coarsest, classes.back());
  }
  march::StepClasses all;
  all.count = static_cast<int>(ranks.max(coarsest)) + 1;
  CutWeights weights{{}, method.keep_inside};
  for (const int c : classes) weights.elements.push_back(static_cast<std::int32_t>(all.substeps(c)));
  return weights;
}

void set_up_mesh(TimeDomainSetup& setup, const std::filesystem::path& mesh_file, bool keep_mesh, int threads,
                 const comm::Communicator& ranks) {
  PhaseClock& clock = setup.clock;
  const Case& given = setup.given;
  std::optional<UnitCells> cells;
  MeshSlab slab = read_slab(setup, mesh_file, keep_mesh, cells, ranks);
  clock.end("read");
  ranks.agree([&] {
    ErrorList errors;
    errors.collect([&] { setup.problem.media = media_of_regions(given, slab.region_names); });
    errors.collect([&] { setup.boundaries = make_boundaries(given, slab.group_names); });
    if (given.mode == Mode::fe_iiee) errors.collect([&] { setup.inner_faces = find_inner_faces(given.iiee, slab); });
    errors.throw_if_any();
  });
  const FaceTags& tags = setup.boundaries.tags;
  setup.slab = sizes_of(slab);
  setup.slab.is_repeated = cells.has_value();
  if (cells) {
    setup.mesh = build_array_mesh(*cells, setup.array->grid, tags, given.run.ordering, threads, ranks, &clock);
  } else {
    const auto curved = at_place_of_mesh(given, [&] { return find_curved_elements(slab); });
    const std::string source = slab.source;
    ConnectedSlab connected =
        at_place_of_mesh(given, [&] { return connect_elements(std::move(slab), tags, threads, ranks, &clock); });
    CutWeights weights = weigh_elements(connected, setup.problem.media, given.method, ranks);
    setup.mesh =
        distribute_elements(std::move(connected), {given.run.ordering, threads, std::move(weights)}, ranks, &clock);
    at_place_of_mesh(given, [&] { curve_elements(setup.mesh, curved, source); });
    if (!curved.empty()) log::info("mesh: {} elements have curved edges", curved.size());
  }
  setup.shares = measure_shares(setup.mesh, ranks, threads);
  setup.halos = measure_halos(setup.mesh, ranks);
  setup.summary = summarise_mesh(setup.mesh, setup.boundaries.walls.size(), threads, ranks);
  setup.mesh_hash = hash_of_mesh(setup.mesh, threads, ranks);
  clock.end("quality");
  setup.problem.layers = make_layers(given, setup.mesh, setup.summary, setup.problem.media, ranks);
  log::info(
      "mesh: {} elements, {} regions, shortest edge {:.4g} m, smallest radius ratio {:.3f}; order '{}': {:.1f} % of "
      "the faces inside blocks of {} elements, {:.1f} % inside parts of {}",
      setup.summary.element_count, setup.mesh.region_names.size(), setup.summary.shortest_edge_m.min,
      setup.summary.radius_ratio.min, name_of(given.run.ordering), 100 * setup.shares.in_block, order_block,
      100 * setup.shares.in_part, order_part);
}

/// Every rank has all faces of a port, so all ranks find the same errors.
std::vector<FoundPort> set_up_ports_and_probes(TimeDomainSetup& setup, int threads, const comm::Communicator& ranks) {
  const Case& given = setup.given;
  ErrorList errors;
  std::vector<FoundPort> ports = set_up_ports(setup, errors, threads, ranks);
  errors.collect([&] { results::add_probes(setup.problem, given.outputs.probes, ranks); });
  errors.collect([&] {
    if (given.outputs.fields) setup.grids = results::add_field_grids(setup.problem, *given.outputs.fields, ranks);
  });
  errors.throw_if_any();
  return ports;
}

/// Number of time steps of the run, each `substeps` of the smallest ones.
std::int64_t count_steps(const TimeSpec& time, double dt_s, std::int64_t substeps) {
  const double steps = time.steps ? std::ceil(static_cast<double>(*time.steps) / static_cast<double>(substeps))
                                  : std::ceil(*time.end_s / dt_s);
  constexpr double most = 1e9;  // a day at ten thousand steps a second; waves are tables over the steps
  if (!(steps <= most))
    fail(ExitCode::bad_case, "{}: error: time: {:.3g} steps of {:.6g} s are too many: at most {:g}", time.place.text,
         steps, dt_s, most);
  return static_cast<std::int64_t>(steps);
}

/// The engine and its stable step (that of the time loop).
double make_engine_and_step(TimeDomainSetup& setup, const std::function<void()>& make,
                            const comm::Communicator& ranks) {
  setup.engine.reset();  // the memory of one at a time
  ranks.agree(make);
  return setup.engine->find_stable_step();
}

/// Cost of a step of all elements without LTS, in steps with LTS: in DGTD-Upwind a prediction and a stage replace five
/// stages.
double cost_without_classes(Scheme scheme) { return scheme == Scheme::dgtd_upwind ? 2.5 : 1; }

/// Assigns LTS levels, and makes the engine with them: bounds of elements are not equally sharp, so levels are tried
/// for several scalings of the bounds, and none at all; the choice with the longest time per update is kept. Returns
/// the stable step of the time loop.
double set_up_classes(TimeDomainSetup& setup, const Case& given, int threads, const std::function<void()>& make,
                      const comm::Communicator& ranks) {
  const double alone = make_engine_and_step(setup, make, ranks);
  const std::vector<double> bounds = march::bound_steps(setup.problem, threads);
  march::StepClasses best;
  double best_gain = 1;
  double best_step = alone;
  std::vector<std::int8_t> tried;
  for (const double share : {1.0, 0.75, 0.5}) {
    setup.problem.classes = march::assign_classes(setup.problem, bounds, given.method.max_classes, ranks, share);
    const bool is_new = ranks.max(std::int64_t{setup.problem.classes.of_element == tried ? 0 : 1}) == 1;
    if (setup.problem.classes.count == 1 || !is_new) continue;
    tried = setup.problem.classes.of_element;
    const double step = make_engine_and_step(setup, make, ranks);
    const double gain = march::gain_by_counting(march::count_classes(setup.problem, ranks)) *
                        cost_without_classes(given.method.scheme) * step / alone /
                        static_cast<double>(setup.problem.classes.substeps(0));
    if (gain <= best_gain) continue;
    best = setup.problem.classes;
    best_gain = gain;
    best_step = step;
  }
  setup.problem.classes = std::move(best);
  setup.engine.reset();
  ranks.agree(make);
  setup.class_elements = march::count_classes(setup.problem, ranks);
  setup.predicted_gain = best_gain;
  std::string elements;
  for (const std::int64_t count : setup.class_elements)
    elements += (elements.empty() ? "" : ", ") + std::to_string(count);
  log::info(
      "local time stepping: {} of at most {} classes, of {} elements at 1, 3, 9, .. times the smallest step: {:.3g} "
      "times "
      "fewer updates, {:.3g} times with the shorter smallest step",
      setup.class_elements.size(), given.method.max_classes, elements, march::gain_by_counting(setup.class_elements),
      best_gain);
  return best_step;
}

/// dt from cfl or as given; above the limit only with allow_unstable.
void set_up_time(TimeDomainSetup& setup, const Case& given, const std::optional<KnownStep>& known,
                 const std::optional<double>& limit_m, const comm::Communicator& ranks) {
  const std::int64_t substeps = setup.problem.classes.substeps(0);
  const auto in_step = static_cast<double>(substeps);
  setup.stable_step_s =
      known ? known->stable_step_s : (limit_m ? *limit_m : setup.engine->find_stable_step()) / c0_m_per_s / in_step;
  setup.smallest_dt_s =
      known ? known->dt_s / in_step : given.method.time_step_s.value_or(given.method.cfl * setup.stable_step_s);
  setup.dt_s = known ? known->dt_s : in_step * setup.smallest_dt_s;
  if (given.mode == Mode::fetd) {
    check_implicit_step(setup, given);
  } else if (setup.smallest_dt_s > setup.stable_step_s && !given.method.allow_unstable && !known)
    fail(ExitCode::bad_case,
         "{}: error: the time step {:.6g} s is above the stable limit {:.6g} s of this mesh: lower it, use method.cfl "
         "instead, or set method.allow_unstable: true",
         given.method.step_place.text, setup.smallest_dt_s, setup.stable_step_s);
  setup.steps = count_steps(given.time, setup.dt_s, substeps);
  log::info("time step {:.6g} s ({:.3g} of the {} limit), {} steps{}", setup.smallest_dt_s,
            setup.smallest_dt_s / setup.stable_step_s, given.mode == Mode::fetd ? "explicit" : "stable", setup.steps,
            substeps == 1 ? "" : tetrawave::format(" of the coarsest class, {} of the finest in each", substeps));
  check_resonances(setup, ranks);
}

std::vector<double> project(const Case& given, const TimeDomainSetup& setup, const std::array<std::string, 3>& texts,
                            const std::array<Place, 3>& places, double scale) {
  ErrorList errors;  // of each component
  for (std::size_t axis = 0; axis < 3; ++axis)
    errors.collect([&] { (void)Formula(texts[axis], {"x", "y", "z"}, places[axis]); });
  errors.throw_if_any();
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

}  // namespace

double PortSummary::mode_cutoff_hz() const { return c0_m_per_s * mode_cutoff_per_m / (2 * pi * refractive_index); }

std::unique_ptr<TimeDomainSetup> set_up_problem(const Case& spec, const MeshPlan& plan, const comm::Communicator& ranks,
                                                std::vector<FoundPort>* ports) {
  ranks.agree([&] {
    check_media(spec.materials);
    check_kerr(spec);
    check_plane_waves_at_symmetry(spec);
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
  setup->problem.sums_jumps = given.mode == Mode::time_domain && given.method.scheme == Scheme::dgtd_upwind;
  set_up_mesh(*setup, plan.file, plan.keep, plan.threads, ranks);
  find_metal_edges(*setup, ranks);
  setup->problem.walls = setup->boundaries.walls;
  setup->problem.wall_ohms = setup->boundaries.wall_ohms;
  setup->problem.wall_branches = setup->boundaries.wall_branches;
  std::vector<FoundPort> found = set_up_ports_and_probes(*setup, plan.threads, ranks);
  if (ports != nullptr) *ports = std::move(found);
  ranks.agree([&] { check_kerr_walls(given, setup->problem); });
  auto* borders = given.mode == Mode::fetd ? &setup->plane_waves : nullptr;
  setup->source_delay_s = add_sources(setup->problem, given, ranks, borders) / c0_m_per_s;
  warn_of_spurious_modes(setup->problem, setup->summary.region_volume_m3, given, ranks);
  if (given.mode != Mode::fe_iiee || !given.outputs.far_field || !given.outputs.far_field->surface.empty())
    set_up_far_field(*setup, given, ranks);
  set_up_sheet_edges(*setup, ranks);
  warn_of_coarse_edges(*setup, ranks);
  setup->clock.end("ports");
  return setup;
}

std::unique_ptr<TimeDomainSetup> set_up(const Case& spec, const std::filesystem::path& mesh_file,
                                        const EngineFactory& make_engine, const comm::Communicator& ranks,
                                        const std::optional<KnownStep>& known,
                                        const std::shared_ptr<const fem::FactorDevice>& factor_device) {
  const march::EngineOptions options{spec.method.precision, spec.run.threads, spec.run.transport};
  std::vector<FoundPort> ports;
  const int threads = march::threads_of_rank(options, ranks);
  auto setup = set_up_problem(spec, {mesh_file, known.has_value(), threads}, ranks, &ports);
  const Case& given = setup->given;
  const auto make = [&] { setup->engine = make_engine(setup->problem, options, ranks); };
  setup->class_elements = march::count_classes(setup->problem, ranks);
  std::optional<double> limit_m;
  if (given.method.max_classes > 1)
    limit_m = set_up_classes(*setup, given, threads, make, ranks);
  else if (given.mode == Mode::fetd)
    make_implicit_march(*setup, ports, {threads, factor_device}, ranks);
  else
    ranks.agree(make);
  setup->clock.end("layout");
  set_up_time(*setup, given, known, limit_m, ranks);
  setup->clock.end("step");
  ranks.agree([&] {
    check_waves(given, *setup);
    setup->spectra_every = choose_spectra_every(given, *setup);
    setup->jumps_every = choose_jumps_every(given, *setup);
  });
  return setup;
}

results::HistoryPlan history_plan(const Case& given, const TimeDomainSetup& setup) {
  results::HistoryPlan plan;
  const march::StepClasses& classes = setup.problem.classes;
  for (std::size_t p = 0; p < setup.ports.size(); ++p) {
    const int step_class = classes.of_waves.empty() ? 0 : classes.of_waves.at(p + 1);
    const bool leaps = given.mode != Mode::fetd && given.method.scheme != Scheme::dgtd_upwind;
    plan.ports.push_back(
        make_port_model(given.ports[p], setup.ports[p], leaps ? classes.step_of(step_class, setup.dt_s) : 0));
    plan.ports.back().source_is_mean = given.mode == Mode::fetd;
  }
  plan.modes = setup.port_modes;
  plan.probes = given.outputs.probes;
  plan.joint_ports = given.array.has_value();
  plan.threads = setup.engine->threads();
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
  std::vector<bool> sends(given.ports.size(), false);
  for (const std::size_t p : driven) sends[p] = true;
  start.waves.assign(given.ports.size(), [](double) { return 0.0; });
  for_each_task(given.ports.size(), setup.engine->threads(), [&](std::size_t p) {
    if (sends[p]) start.waves[p] = make_port_wave(given, setup, p);
  });
  for (const SourceSpec& source : given.sources) start.source_waves.push_back(make_source_wave(given, setup, source));
  start.spectra_every = setup.spectra_every;
  start.jumps_every = setup.jumps_every;
  if (!with_fields || !given.initial_fields) return start;
  const InitialFieldsSpec& fields = *given.initial_fields;
  ErrorList errors;
  errors.collect([&] { start.electric = project(given, setup, fields.electric, fields.electric_places, 1); });
  errors.collect([&] { start.magnetic = project(given, setup, fields.magnetic, fields.magnetic_places, eta0_ohm); });
  errors.throw_if_any();
  return start;
}

}  // namespace tetrawave::modes
