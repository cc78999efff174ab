#include "modes/time_domain_setup.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "basis/reference_element.hpp"
#include "mesh/box_mesh.hpp"
#include "mesh/build_mesh.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/run_mesher.hpp"
#include "observe/ports.hpp"
#include "observe/probes.hpp"
#include "sources/expression.hpp"
#include "sources/initial_fields.hpp"
#include "sources/waveform.hpp"

namespace tetrawave::modes {

namespace {

MeshSlab read_slab(const Case& given, const std::filesystem::path& mesh_file, const comm::Communicator& ranks) {
  if (const auto* box = std::get_if<BoxSpec>(&given.mesh)) return make_box_slab(*box, ranks.rank(), ranks.size());
  const auto& spec = std::get<MeshFileSpec>(given.mesh);
  const bool ready = spec.file.extension() == ".h5";
  const auto path = ready ? spec.file : mesh_file;
  ranks.agree([&] {
    if (!ready && ranks.rank() == 0) run_mesher(spec, given.unit_m, path);
  });
  MeshSlab slab;
  ranks.agree([&] { slab = read_mesh_slab(path, ranks.rank(), ranks.size()); });
  return slab;
}

void set_up_mesh(TimeDomainSetup& setup, const Case& given, const std::filesystem::path& mesh_file,
                 const comm::Communicator& ranks) {
  const MeshSlab slab = read_slab(given, mesh_file, ranks);
  ranks.agree([&] {
    setup.problem.media = media_of_regions(given, slab.region_names);
    setup.boundaries = make_boundaries(given, slab.group_names);
  });
  setup.mesh = build_local_mesh(slab, setup.boundaries.tags, ranks);
  setup.summary = summarise_mesh(setup.mesh, setup.boundaries.walls.size(), ranks);
  log::info("mesh: {} elements, {} regions, shortest edge {:.4g} m, smallest radius ratio {:.3f}",
            setup.summary.element_count, slab.region_names.size(), setup.summary.shortest_edge_m.min,
            setup.summary.radius_ratio.min);
}

/// The gradient of a potential of this degree is in the tangential traces of the space.
int potential_degree(Space space) {
  const bool full = space == Space::full_1 || space == Space::full_2;
  return basis::reference_element(space).degree + (full ? 1 : 0);
}

void set_up_ports(TimeDomainSetup& setup, const Case& given, const comm::Communicator& ranks) {
  for (std::size_t p = 0; p < given.ports.size(); ++p) {
    const PortSpec& spec = given.ports[p];
    const auto tag = static_cast<std::int32_t>(p);
    const auto faces = observe::collect_port_faces(setup.mesh, tag, setup.problem.media, ranks);
    const Medium medium = port_medium(spec, faces.media);
    const CoaxialPort port =
        make_coaxial_port(spec, faces.all, faces.normal, medium, potential_degree(given.method.basis));
    observe::add_port(setup.problem, faces, port.mode, medium, tag + 1);
    setup.ports.push_back(
        {spec.name, port.mode.impedance_ohm, port.inner_radius_m, port.outer_radius_m, faces.all.size()});
    log::info("port {}: coaxial, radii {:.5g} and {:.5g} m, {:.4f} ohm, {} faces", spec.name, port.inner_radius_m,
              port.outer_radius_m, port.mode.impedance_ohm, faces.all.size());
  }
}

/// dt from cfl or as given; above the limit only with allow_unstable.
void set_up_time(TimeDomainSetup& setup, const Case& given) {
  setup.stable_step_s = setup.engine->find_stable_step() / c0_m_per_s;
  setup.dt_s = given.method.time_step_s.value_or(given.method.cfl * setup.stable_step_s);
  if (setup.dt_s > setup.stable_step_s && !given.method.allow_unstable)
    fail(ExitCode::bad_case,
         "{}: error: the time step {:.6g} s is above the stable limit {:.6g} s of this mesh: lower it, use method.cfl, "
         "or "
         "set method.allow_unstable: true",
         given.method.step_place.text, setup.dt_s, setup.stable_step_s);
  setup.steps =
      given.time.steps ? *given.time.steps : static_cast<std::int64_t>(std::ceil(*given.time.end_s / setup.dt_s));
  log::info("time step {:.6g} s ({:.3g} of the stable limit), {} steps", setup.dt_s, setup.dt_s / setup.stable_step_s,
            setup.steps);
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

}  // namespace

std::unique_ptr<TimeDomainSetup> set_up(const Case& given, const std::filesystem::path& mesh_file,
                                        const EngineFactory& make_engine, const comm::Communicator& ranks,
                                        bool allow_oversubscribe) {
  auto setup = std::make_unique<TimeDomainSetup>();
  setup->problem.mesh = &setup->mesh;
  setup->problem.space = given.method.basis;
  setup->problem.energy_every = given.outputs.energy_every.value_or(0);
  set_up_mesh(*setup, given, mesh_file, ranks);
  setup->problem.walls = setup->boundaries.walls;
  set_up_ports(*setup, given, ranks);
  observe::add_probes(setup->problem, given.outputs.probes, ranks);
  ranks.agree([&] {
    setup->engine =
        make_engine(setup->problem, {given.method.precision, given.run.threads, allow_oversubscribe}, ranks);
  });
  set_up_time(*setup, given);
  return setup;
}

observe::HistoryPlan history_plan(const Case& given, const TimeDomainSetup& setup) {
  observe::HistoryPlan plan;
  for (const PortSummary& port : setup.ports) plan.ports.push_back({port.name, port.impedance_ohm});
  plan.probes = given.outputs.probes;
  plan.dt_s = setup.dt_s;
  plan.steps = setup.steps;
  return plan;
}

march::Start make_start(const Case& given, const TimeDomainSetup& setup, const std::vector<std::size_t>& driven) {
  march::Start start;
  start.dt_m = c0_m_per_s * setup.dt_s;
  start.steps = setup.steps;
  const auto rows = static_cast<std::size_t>(setup.steps + 1);
  for (std::size_t p = 0; p < given.ports.size(); ++p) {
    std::vector<double> electric(rows, 0.0);
    std::vector<double> magnetic(rows, 0.0);
    if (std::find(driven.begin(), driven.end(), p) != driven.end()) {
      const Excitation wave = make_excitation(given, *given.ports[p].excite);
      for (std::size_t n = 0; n < rows; ++n) {
        electric[n] = wave((static_cast<double>(n) + 0.5) * setup.dt_s);
        magnetic[n] = wave(static_cast<double>(n) * setup.dt_s);
      }
    }
    start.waves_electric.push_back(std::move(electric));
    start.waves_magnetic.push_back(std::move(magnetic));
  }
  if (given.initial_fields) {
    const InitialFieldsSpec& fields = *given.initial_fields;
    start.electric = project(given, setup, fields.electric, fields.electric_places, 1);
    start.magnetic = project(given, setup, fields.magnetic, fields.magnetic_places, eta0_ohm);
  }
  return start;
}

}  // namespace tetrawave::modes
