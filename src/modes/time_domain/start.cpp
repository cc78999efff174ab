#include "modes/time_domain/start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "base/constants.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "basis/physical_element.hpp"
#include "basis/reference_element.hpp"
#include "case/error_list.hpp"
#include "model/port_setup.hpp"
#include "results/s_parameters/march_result.hpp"
#include "sources/expression.hpp"
#include "sources/initial_fields.hpp"
#include "sources/ports/modal_source.hpp"
#include "sources/waveform.hpp"

namespace tetrawave::modes {

namespace {

std::vector<double> project(const TimeDomainSetup& setup, const std::array<std::string, 3>& texts,
                            const std::array<Place, 3>& places, double scale) {
  ErrorList errors;  // of each component
  for (std::size_t axis = 0; axis < 3; ++axis)
    errors.collect([&] { (void)Formula(texts[axis], {"x", "y", "z"}, places[axis]); });
  errors.throw_if_any();
  const FieldExpression field(texts, places);
  if (field.is_zero())
    return std::vector<double>(setup.mesh.corners.size() * basis::reference_element(setup.given.method.basis).dofs,
                               0.0);
  auto dofs = project_field(
      setup.mesh, setup.given.method.basis, [field](const Vec3& r) { return field(r); }, setup.engine->threads());
  for (double& dof : dofs) dof *= scale;
  return dofs;
}

/// The change of mu H in a step by magnetic losses and by terms that answer at once, over what the leap-frog schemes
/// take where H is given: within 5 percent in DGTD-Central, and after some nanoseconds in DFDD-ELD (theory/dispersion).
double share_of_fastest(Scheme scheme, const Medium& medium, double dt_m) {
  const double per_rate = dt_m / (medium.mu_r * *std::min_element(medium.mu_axes.begin(), medium.mu_axes.end()));
  const double losses = per_rate * medium.sigma_m;
  double terms = 0;
  for (const PoleTerm& term : medium.magnetic_poles) terms += per_rate * std::abs(term.states == 1 ? term.b0 : term.b1);
  return has_rates(scheme) ? std::max(losses / 0.04, terms / 0.1) : (losses + terms) / 0.45;
}

/// A given H is stepped back to half a step before t = 0, unless steps begin with E.
void refuse_fast_magnetic_media(const TimeDomainSetup& setup, const std::vector<double>& magnetic, const Place& place) {
  const auto& method = setup.given.method;
  if (setup.is_implicit || !is_leap_frog(method.scheme) || method.time_order != 2 || setup.problem.records_rates())
    return;
  const march::StepClasses& classes = setup.problem.classes;
  const std::size_t dofs = basis::reference_element(method.basis).dofs;
  double most = 1;
  std::size_t fastest = setup.mesh.corners.size();
  for (std::size_t e = 0; e < setup.mesh.corners.size(); ++e) {
    const double* first = magnetic.data() + e * dofs;
    if (std::all_of(first, first + dofs, [](double dof) { return dof == 0; })) continue;
    const auto element = static_cast<LocalIndex>(e);
    const double dt_m = c0_m_per_s * classes.step_of(classes.of(element), setup.dt_s);
    const double share = share_of_fastest(method.scheme, setup.problem.media[setup.problem.material_of(element)], dt_m);
    if (share <= most) continue;
    most = share;
    fastest = e;
  }
  if (fastest == setup.mesh.corners.size()) return;
  fail(ExitCode::bad_case,
       "{}: error: initial_fields.H: region '{}' has magnetic losses that are {:.2g} times too fast for a given H in "
       "{}: the "
       "E that it generates would be wrong; use method.scheme: dgtd-upwind, method.time_step: {:.2g} s, or give E",
       place.text, setup.mesh.region_names[static_cast<std::size_t>(setup.mesh.region[fastest])], most,
       name_of(method.scheme), 0.9 * setup.dt_s / most);
}

/// Magnitude of a given field at the centroid of an element.
double size_at_centroid(const TimeDomainSetup& setup, const std::vector<double>& dofs, std::size_t element) {
  const basis::PhysicalElement physical(setup.given.method.basis, setup.mesh.corners[element]);
  const std::vector<Vec3> values = physical.values({0.25, 0.25, 0.25, 0.25});
  Vec3 field{};
  for (std::size_t i = 0; i < values.size(); ++i) field = field + dofs[element * values.size() + i] * values[i];
  return norm(field);
}

/// A source's wave by the step.
march::Wave make_source_wave(const TimeDomainSetup& setup, const SourceDescription& source) {
  return [wave = make_excitation(setup.given.waveforms, source.excite), dt_s = setup.dt_s](double steps) {
    return wave(steps * dt_s);
  };
}

}  // namespace

march::Wave make_excitation_wave(const TimeDomainSetup& setup, std::size_t port) {
  return [wave = make_excitation(setup.given.waveforms, *setup.given.ports[port].excite),
          dt_s = setup.dt_s](double steps) { return wave(steps * dt_s); };
}

march::Wave make_port_wave(const TimeDomainSetup& setup, std::size_t port) {
  const PortSummary& summary = setup.ports[port];
  march::Wave excitation = [whole = make_excitation_wave(setup, port),
                            share = 1 / summary.voltage_scale](double steps) { return share * whole(steps); };
  if (summary.mode_cutoff_per_m == 0) return excitation;
  // a in sqrt(W) is a voltage of sqrt(Z) a at the medium's impedance Z, by the step of the elements at the port
  const march::StepClasses& classes = setup.problem.classes;
  const std::int64_t substeps = classes.substeps(classes.of_memories);
  const auto in_step = static_cast<double>(substeps);
  const double step_over_cutoff =
      c0_m_per_s * setup.dt_s / in_step * summary.mode_cutoff_per_m / summary.refractive_index;
  auto by_substep = [excitation = std::move(excitation), in_step](double n) { return excitation(n / in_step); };
  return
      [source = std::make_shared<ModalSource>(std::move(by_substep), step_over_cutoff, (setup.steps + 1) * substeps),
       scale = std::sqrt(summary.impedance_ohm), in_step](double steps) { return scale * (*source)(steps * in_step); };
}

results::HistoryPlan history_plan(const TimeDomainSetup& setup) {
  results::HistoryPlan plan;
  const march::StepClasses& classes = setup.problem.classes;
  for (std::size_t p = 0; p < setup.ports.size(); ++p) {
    const int step_class = classes.of_waves.empty() ? 0 : classes.of_waves.at(p + 1);
    const auto& method = setup.given.method;
    const bool leaps = !setup.is_implicit && is_leap_frog(method.scheme) && method.time_order == 2;
    plan.ports.push_back(
        make_port_model(setup.given.ports[p], setup.ports[p], leaps ? classes.step_of(step_class, setup.dt_s) : 0));
    plan.ports.back().source_is_mean = setup.is_implicit;
  }
  plan.modes = setup.port_modes;
  if (!setup.is_implicit)
    plan.remedy = results::remedy_of_slow_decay(setup.given.method.scheme, setup.given.method.basis);
  plan.probes = setup.given.outputs.probes;
  plan.joint_ports = setup.given.array.has_value();
  plan.threads = setup.engine->threads();
  plan.dt_s = setup.dt_s;
  plan.steps = setup.steps;
  plan.staggered = setup.engine->is_staggered();
  return plan;
}

results::ResultRequest result_request(const TimeDomainSetup& setup) {
  const auto& given = setup.given;
  const auto& method = given.method;
  const auto any_of = [&](const auto& is_such) {
    return std::any_of(given.materials.begin(), given.materials.end(), is_such);
  };
  const bool is_implicit = setup.is_implicit;
  return {given.resolved_yaml,
          name_of(given.mode),
          is_implicit ? "newmark" : name_of(method.scheme),
          name_of(method.basis),
          is_implicit ? "assembled" : name_of(method.layout),
          name_of(method.precision),
          any_of([](const Material& m) {
            return m.wideband_debye || !m.electric_dispersion.empty() || !m.magnetic_dispersion.empty();
          }),
          any_of([](const Material& m) { return m.kerr && m.kerr->chi3_m2_per_v2 > 0; }),
          has_rates(method.scheme) && setup.class_elements.size() == 1,
          !is_implicit && has_upwind_fluxes(method.scheme),
          given.time.steps ? "time.steps" : "time.end",
          given.outputs,
          {given.ports, given.waveforms, given.array}};
}

march::Start make_start(const TimeDomainSetup& setup, const std::vector<std::size_t>& driven, bool with_fields) {
  march::Start start;
  start.dt_m = c0_m_per_s * setup.dt_s;
  start.steps = setup.steps;
  std::vector<bool> sends(setup.given.ports.size(), false);
  for (const std::size_t p : driven) sends[p] = true;
  start.waves.assign(setup.given.ports.size(), [](double) { return 0.0; });
  for_each_task(setup.given.ports.size(), setup.engine->threads(), [&](std::size_t p) {
    if (sends[p]) start.waves[p] = make_port_wave(setup, p);
  });
  for (const SourceDescription& source : setup.given.sources)
    start.source_waves.push_back(make_source_wave(setup, source));
  start.spectra_every = setup.spectra_every;
  start.jumps_every = setup.jumps_every;
  if (!with_fields || !setup.given.initial_fields) return start;
  const InitialFieldsSpec& fields = *setup.given.initial_fields;
  ErrorList errors;
  errors.collect([&] { start.electric = project(setup, fields.electric, fields.electric_places, 1); });
  errors.collect([&] { start.magnetic = project(setup, fields.magnetic, fields.magnetic_places, eta0_ohm); });
  errors.throw_if_any();
  refuse_fast_magnetic_media(setup, *start.magnetic, fields.magnetic_places[0]);
  return start;
}

std::string find_lost_fields(const TimeDomainSetup& setup, const march::Start& start, const comm::Communicator& ranks) {
  const Scheme scheme = setup.given.method.scheme;
  if (setup.is_implicit || !has_rates(scheme) || !setup.problem.layers || !setup.given.initial_fields) return {};
  const std::size_t count = setup.mesh.corners.size();
  std::vector<std::array<double, 2>> of_range(count_ranges(count, setup.engine->threads()));  // in layers, elsewhere
  for_ranges(count, of_range.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    for (std::size_t e = first; e < last; ++e) {
      const bool in_layer = setup.problem.layers->is_layer[static_cast<std::size_t>(setup.mesh.region[e])];
      double& most = of_range[range][in_layer ? 0 : 1];
      most = std::max({most, size_at_centroid(setup, *start.electric, e), size_at_centroid(setup, *start.magnetic, e)});
    }
  });
  std::array<double, 2> most{};
  for (const auto& found : of_range)
    for (std::size_t i : {0, 1}) most[i] = std::max(most[i], found[i]);
  for (double& size : most) size = ranks.max(size);
  const double share = most[0] / std::max({most[0], most[1], std::numeric_limits<double>::min()});
  if (share < 1e-3) return {};
  return tetrawave::format(
      "initial_fields: {} starts with fields of zero in absorbing layers; up to {:.2g} of the largest field is given "
      "there and lost: give fields that vanish in the layers, or use dgtd-central or dgtd-upwind",
      name_of(scheme), share);
}

}  // namespace tetrawave::modes
