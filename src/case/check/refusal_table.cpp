#include <vector>

#include "case/check/refusals.hpp"

namespace tetrawave {

namespace {

using enum Test;
constexpr auto at_key = Refusal::At::key;
constexpr auto at_value = Refusal::At::value;

const Setting stored{"method.layout", is, {"stored"}};
const Setting upwind{"method.scheme", is, {"dgtd-upwind"}};
const Setting not_upwind{"method.scheme", is_not, {"dgtd-upwind"}};
const Setting dfdd{"method.scheme", is, {"dfdd-eld"}};
const Setting not_central{"method.scheme", is, {"dgtd-upwind", "dfdd-eld"}};
const Setting time_domain{"mode", is, {"time-domain"}};
const Setting fe_iiee{"mode", is, {"fe-iiee"}};
const Setting fourth{"method.time_order", is, {"4"}};
const Setting statics{"mode", is, {"assembly-2d"}};
const Setting plane{"dimension", is, {"2"}};
const Setting no_plane{"dimension", is_not, {"2"}};
const Setting shared{"solver.ranks", is, {"system"}};
const Setting not_shared{"solver.ranks", is_not, {"system"}};

constexpr auto no_frequency =
    "{path}: a static problem has no frequency: give eps_r or mu_r at zero frequency instead of dispersion or a loss "
    "tangent";

/// What the schemes of the time domain do not have.
const std::vector<Refusal> of_schemes{
    {{"method.basis", is, {"full-4"}},
     {dfdd},
     at_value,
     "method.basis: full-4 is for method.scheme dgtd-central and dgtd-upwind; dfdd-eld has "
     "spaces up to full-3: use full-3 or another scheme"},
    {{"method.dispersion", is, {"published"}},
     {upwind},
     at_value,
     "method.dispersion: only dgtd-central and dfdd-eld have 'published'; the recursion "
     "published for dgtd-upwind does not converge: use 'passive'"},
    {stored,
     {upwind, {"method.local_time_stepping.max_classes", above, {}, 1}},
     at_value,
     "method.layout: 'stored' has no local time stepping in dgtd-upwind: use 'factored', or "
     "local_time_stepping.max_classes: 1"},
    {{"method.penalty", above},
     {not_central},
     at_value,
     "method.penalty: only dgtd-central has a penalty on jumps: omit it with scheme {method.scheme}"},
    {{"method.penalty", above},
     {stored},
     at_value,
     "method.penalty: 'layout: stored' has none: use 'factored', or 'penalty: 0'"},
    {{"boundaries.pml"},
     {stored, not_upwind},
     at_key,
     "boundaries.pml: 'layout: stored' has absorbing layers in the scheme 'dgtd-upwind' only; "
     "use 'factored'"},
    {{"boundaries.conductor.*"},
     {stored, not_upwind},
     at_key,
     "boundaries.conductor.{*}: method.layout: stored has conductors in the scheme "
     "dgtd-upwind only; use method.layout: factored, pec, or impedance with the resistance at "
     "one frequency"},
    {{"sources.0"},
     {stored, dfdd},
     at_value,
     "dfdd-eld has sources in the factored layout only: use method.layout: factored"},
    {{"ports.*.boundary"},
     {{"ports.*.inductance", above}, not_central},
     at_value,
     "port '{ports.*.name}': the face '{ports.*.boundary}' has an inductance, which only scheme dgtd-central supports"},
    {{"ports.*.boundary"},
     {{"ports.*.capacitance", above}, not_central},
     at_value,
     "port '{ports.*.name}': the face '{ports.*.boundary}' has a capacitance, which only scheme dgtd-central supports"},
    {{"materials.*.kerr.chi3|n2", above},
     {not_central},
     at_value,
     "materials.{*}.kerr: a Kerr medium needs method.scheme: dgtd-central"},
    {{"materials.*.kerr.chi3|n2", above},
     {time_domain, {"method.basis"}, {"method.basis", is_not, {"mixed-1", "full-1", "mixed-2", "full-2"}}},
     at_value,
     "materials.{*}.kerr: a Kerr medium needs method.basis mixed-1, full-1, mixed-2 or full-2; found {method.basis}"},
    {{"materials.*.kerr.chi3|n2", above},
     {stored},
     at_value,
     "materials.{*}.kerr: a Kerr medium needs method.layout: factored"},
    {{"materials.*.kerr.chi3|n2", above},
     {time_domain, {"method.precision", is, {"single"}}},
     at_value,
     "materials.{*}.kerr: a Kerr medium needs method.precision: double; in single precision rounding is above the "
     "tolerance of the iteration"},
    {{"materials.*.kerr.chi3|n2", above},
     {time_domain, {"materials.*.eps_r|mu_r", list}},
     at_value,
     "materials.{*}.kerr: a Kerr medium has one eps_r and one mu_r for all axes"},
    {{"ports.*.other_modes", is, {"reflect"}},
     {time_domain, {"materials.*.kerr.chi3|n2", above}},
     at_value,
     "{path}: 'reflect' is not available with Kerr media; use 'absorb'"},
};

/// What steps of fourth order do not have.
const std::vector<Refusal> of_fourth_order{
    {fourth,
     {not_central},
     at_value,
     "only dgtd-central has method.time_order: 4; omit it with scheme {method.scheme} "
     "(dgtd-upwind has fourth order by itself)"},
    {fourth, {stored}, at_value, "method.time_order: 4 needs method.layout: factored"},
    {fourth,
     {{"method.penalty", above}},
     at_value,
     "method.time_order: 4 is not available with a penalty on jumps: omit one of the two"},
    {fourth,
     {{"method.local_time_stepping.max_classes", above, {}, 1}},
     at_value,
     "method.time_order: 4 is not available with local time stepping: use "
     "local_time_stepping.max_classes: 1, or time_order: 2"},
    {fourth,
     {{"method.dispersion", is, {"published"}}},
     at_value,
     "method.time_order: 4 advances dispersive media exactly: use method.dispersion: passive"},
    {fourth, {{"array"}}, at_value, "method.time_order: 4 is not available with a finite array: use time_order: 2"},
    {{"boundaries.pml"},
     {fourth},
     at_key,
     "boundaries.pml: method.time_order: 4 has no absorbing layers: use boundaries.absorbing, "
     "or time_order: 2"},
    {{"boundaries.conductor.*"},
     {fourth},
     at_key,
     "boundaries.conductor.{*}: method.time_order: 4 has no conductors: use pec, impedance "
     "with the resistance at one frequency, or time_order: 2"},
    {{"materials.*.kerr.chi3|n2", above},
     {fourth},
     at_value,
     "materials.{*}.kerr: a Kerr medium needs method.time_order: 2"},
    {{"materials.*.magnetic_dispersion"},
     {fourth},
     at_key,
     "{path}: method.time_order: 4 has no magnetic dispersion: use time_order: 2"},
    {{"materials.*.sigma_m", above},
     {fourth},
     at_value,
     "{path}: method.time_order: 4 has no magnetic losses: use time_order: 2"},
    {{"materials.*.eps_r", list},
     {fourth, {"materials.*.sigma", above}},
     at_value,
     "{path}: method.time_order: 4 has no losses in anisotropic media: use time_order: 2"},
    {{"materials.*.eps_r", list},
     {fourth, {"materials.*.loss_tangent", above}},
     at_value,
     "{path}: method.time_order: 4 has no losses in anisotropic media: use time_order: 2"},
    {{"materials.*.eps_r", list},
     {fourth, {"materials.*.electric_dispersion"}},
     at_value,
     "{path}: method.time_order: 4 has no dispersion in anisotropic media: use time_order: 2"},
    {{"ports.*.type", is, {"rectangular-waveguide"}},
     {fourth},
     at_value,
     "{path}: method.time_order: 4 has no waveguide ports: use time_order: 2"},
    {{"ports.*.inductance|capacitance", above},
     {fourth},
     at_value,
     "{path}: method.time_order: 4 has no reactances in lumped ports: use time_order: 2"},
    {{"ports.*.other_modes", is, {"reflect"}},
     {fourth},
     at_value,
     "{path}: 'reflect' is not available with method.time_order: 4; use 'absorb'"},
};

/// What a mode does not have, where no key of its own says so (`x-modes` of the schema).
const std::vector<Refusal> of_modes{
    {{"method.basis", is, {"full-4"}},
     {{"mode", is_not, {"time-domain"}}},
     at_value,
     "method.basis: full-4 is for mode time-domain; finite elements, mode {mode}, have spaces "
     "up to full-3: use full-3"},
    {{"mesh.order", is, {"2"}},
     {{"mode", is, {"time-domain", "fetd"}}},
     at_value,
     "mesh.order: 2 (curved tetrahedra) is for modes frequency-domain, fe-iiee and eigenmode; "
     "mode {mode} needs straight ones, order 1"},
    {{"ports.*.other_modes", is, {"reflect"}},
     {{"mode", is_not, {"time-domain", "fetd"}}},
     at_value,
     "{path}: 'reflect' is for modes time-domain and fetd; use 'absorb'"},
    {{"materials.*.kerr"},
     {{"mode", is, {"frequency-domain", "fe-iiee", "eigenmode", "fetd"}}, {"materials.*.kerr.chi3|n2", not_0}},
     at_key,
     "{path}: mode {mode} is linear: leave it out"},
    {{"materials.*.kerr.chi3|n2"}, {statics}, at_value, "materials.{*}.kerr: mode assembly-2d is linear: leave it out"},
    {{"materials.*"},
     {statics, {"materials.*.eps_r|mu_r", list}},
     at_key,
     "{path}: mode assembly-2d takes isotropic materials: give one number"},
    {{"materials.*"},
     {statics, {"materials.*.electric_dispersion|magnetic_dispersion|wideband-debye"}},
     at_key,
     no_frequency},
    {{"materials.*"}, {statics, {"materials.*.loss_tangent", above}}, at_key, no_frequency},
    {{"materials.*"}, {statics, {"materials.*.eps_complex.1", not_0}}, at_key, no_frequency},
    {{"method.precision", is, {"single"}},
     {{"mode", is, {"frequency-domain", "fe-iiee", "eigenmode", "fetd"}}},
     at_value,
     "method.precision: mode {mode} computes in double precision; leave 'single' out"},
    {{"sources.*.type", is, {"plane-wave"}},
     {{"mode", is, {"frequency-domain", "fe-iiee"}}},
     at_value,
     "{path}: 'plane-wave' is for modes time-domain and fetd; mode {mode} has 'dipole' and 'current', and "
     "'plane_waves'"},
    {{"boundaries.periodic"},
     {{"mode", is, {"frequency-domain"}}, {"plane_waves"}},
     at_key,
     "boundaries.periodic: plane_waves cannot be combined with periodic faces"},
    {{"plane_waves.0"},
     {{"boundaries.pml"}, no_plane},
     at_value,
     "plane_waves: needs absorbing faces instead of boundaries.pml"},
    {{"iiee.outer"},
     {{"boundaries.pml"}, {"plane_waves.0", absent}},
     at_value,
     "{path}: needs absorbing faces instead of boundaries.pml"},
    {{"boundaries.periodic"}, {fe_iiee}, at_key, "boundaries.periodic: mode fe-iiee has no periodic faces"},
    {{"boundaries.periodic"},
     {{"array"}},
     at_key,
     "boundaries.periodic: a finite array ends at its rim; for an infinite array mesh one cell and leave 'array' out"},
    {{"solver.preconditioner", is, {"p-multigrid"}},
     {{"mode", is, {"fetd", "eigenmode"}}},
     at_value,
     "{path}: 'p-multigrid' is for modes frequency-domain and fe-iiee; mode {mode} has the others"},
};

/// What parts of one method do not have together.
const std::vector<Refusal> of_solvers{
    {{"solver.diagonal_scaling", is, {"true"}},
     {{"solver.preconditioner", is, {"p-multigrid"}}},
     at_value,
     "{path}: 'p-multigrid' does not scale the matrix; omit the key"},
    {{"solver.method", is, {"gmres"}},
     {not_shared},
     at_value,
     "{path}: '{value}' is for systems divided among ranks: mode frequency-domain with solver.ranks: system"},
    {{"solver.preconditioner", is, {"oras"}},
     {not_shared, {"array", absent}},
     at_value,
     "{path}: '{value}' is for arrays (array), and for systems divided among ranks: mode "
     "frequency-domain with solver.ranks: system"},
    {{"solver.exchange", is, {"gather"}},
     {not_shared},
     at_value,
     "{path}: '{value}' is for systems divided among ranks: mode frequency-domain with solver.ranks: system"},
    {{"run.transport", is, {"ipc", "nccl", "cuda-aware-mpi", "page-locked"}},
     {{"mode", is, {"frequency-domain"}}, not_shared},
     at_value,
     "{path}: '{value}' is for systems divided among ranks: mode frequency-domain with solver.ranks: system"},
    {{"solver.diagonal_scaling", is, {"true"}},
     {shared, {"solver.method", is, {"gmres"}}},
     at_value,
     "{path}: 'gmres' does not scale the matrix; omit the key"},
    {{"solver.diagonal_scaling", is, {"true"}},
     {{"solver.method", is_not, {"gmres"}}, {"solver.preconditioner", is, {"oras"}}},
     at_value,
     "{path}: 'oras' does not scale the matrix; omit the key"},
    {{"solver.preconditioner", is, {"p-multigrid"}},
     {shared},
     at_value,
     "{path}: 'p-multigrid' needs the whole system on each rank; with solver.ranks: system "
     "use 'oras', or solver.method: direct"},
    {shared, {plane}, at_value, "{path}: with 'dimension: 2' there is only one rank; omit 'system'"},
    {{"iiee.max_iterations", typed},
     {{"iiee.iterations"}},
     at_key,
     "{path}: 'iterations' already fixes their number; omit one of the two"},
    {{"frequency.sweep.fast", is, {"true"}},
     {fe_iiee, {"iiee.iterations"}},
     at_value,
     "{path}: a fast sweep needs boundary values of converged iterations; omit iiee.iterations"},
    {{"iiee.precision", is, {"mixed"}},
     {{"iiee.kernel", is, {"paper"}}},
     at_value,
     "{path}: kernel 'paper' sums in double precision only; omit 'mixed'"},
    {{"iiee.compression_tolerance"},
     {{"iiee.sums", is, {"pairs"}}},
     at_key,
     "{path}: nothing is compressed with sums: pairs; leave one of the two out"},
    {{"iiee.sums", is, {"compressed"}},
     {{"iiee.kernel", is, {"paper"}}},
     at_value,
     "{path}: 'compressed' sums run on CPUs, kernel 'paper' on GPUs; leave one of the two out"},
    {{"iiee.sums", is, {"compressed"}},
     {{"iiee.precision", is, {"mixed"}}},
     at_value,
     "{path}: 'compressed' sums are in double precision; omit precision 'mixed'"},
    {{"array.excitation|scan"},
     {{"outputs.s_parameters.drive", is, {"each"}}},
     at_key,
     "{path}: with 'drive: each' every cell is driven by itself; leave one of the two out"},
    {{"outputs.s_parameters"},
     {{"sources"}},
     at_key,
     "{path}: the case has sources too, so that the ports' waves are not of the driven port alone; leave one of the "
     "two out"},
    {{"outputs.rational_model"},
     {{"array"}, {"outputs.s_parameters.drive", is, {"together"}}},
     at_key,
     "{path}: the ports of the array are driven together, which gives no S-parameters; use "
     "outputs.s_parameters.drive: each"},
};

/// Keys that plane problems do not have.
std::vector<Refusal> of_planes() {
  std::vector<Refusal> all{
      {{"outputs.far_field.monostatic", is, {"true"}},
       {plane},
       at_value,
       "{path}: is not for dimension: 2: include the direction of incidence in phi"},
      {{"solver.preconditioner", is, {"p-multigrid"}},
       {plane},
       at_value,
       "{path}: 'p-multigrid' is for tetrahedra; with dimension: 2 use one of the others, or solver.method: direct"},
      {{"ports.*.type", is_not, {"parallel-plate"}},
       {plane},
       at_value,
       "{path}: '{value}' is for tetrahedra; with dimension: 2 there is 'parallel-plate'"},
      {{"ports.*.type", is, {"parallel-plate"}}, {no_plane}, at_value, "{path}: 'parallel-plate' needs dimension: 2"},
      {{"sources.*.type", is, {"current"}},
       {plane},
       at_value,
       "{path}: 'current' is for tetrahedra; with dimension: 2 there is 'dipole', a line current"},
      {{"planar"}, {no_plane}, at_key, "planar: needs dimension: 2; without it the case has tetrahedra"},
      {{"mesh.rectangle", typed},
       {no_plane, {"mode", is_not, {"assembly-2d"}}},
       at_key,
       "mesh.rectangle: needs dimension: 2; without it the mesh is a box or a file"},
  };
  struct Key {
    const char* path;
    const char* text;
  };
  for (const auto& [path, text] : std::vector<Key>{
           {"mesh.box", "{path}: is not for dimension: 2: use rectangle, or a file"},
           {"mesh.order", "{path}: is not for dimension: 2: planar.order is also the order of the geometry"},
           {"array", "{path}: is not for dimension: 2: use mesh"},
           {"method.basis", "{path}: is not for dimension: 2: use planar.field and planar.order"},
           {"method.edge_factor", "{path}: is not for dimension: 2: refine the mesh towards edges"},
           {"boundaries.pml.faces",
            "{path}: is not for dimension: 2: mesh the layer, and give its surfaces as regions"},
           {"boundaries.periodic", "{path}: is not for dimension: 2: use pmc or pec where fields are symmetric"},
           {"solver.precision", "{path}: is not for dimension: 2: omit it"},
           {"solver.assembly", "{path}: is not for dimension: 2: omit it"},
           {"frequency.sweep", "{path}: is not for dimension: 2, where every frequency is solved: omit it"},
           {"outputs.far_field.surface",
            "{path}: is not for dimension: 2, where the surface is next to the absorbing walls or "
            "layers: omit it"},
           {"outputs.far_field.ground", "{path}: is not for dimension: 2: mesh both halves"},
           {"outputs.far_field.symmetry", "{path}: is not for dimension: 2: mesh both halves"},
           {"outputs.near_field", "{path}: is not for dimension: 2: use probes or fields, in the mesh"},
           {"outputs.fields.cuts", "{path}: is not for dimension: 2: regions lie in the plane already"},
       })
    all.push_back({{path, typed}, {plane}, at_key, text});
  return all;
}

}  // namespace

std::span<const Refusal> refusals() {
  static const std::vector<Refusal> all = [] {
    std::vector<Refusal> together = of_planes();
    for (const auto* part : {&of_schemes, &of_fourth_order, &of_modes, &of_solvers})
      together.insert(together.end(), part->begin(), part->end());
    return together;
  }();
  return all;
}

}  // namespace tetrawave
