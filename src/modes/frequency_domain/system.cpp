#include "modes/frequency_domain/system.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/quadrature.hpp"
#include "media/axis_constants.hpp"
#include "media/skin_effect.hpp"
#include "mesh/map_element.hpp"
#include "terms/pml/layers.hpp"
#include "terms/walls/element_parts.hpp"

namespace tetrawave::modes {

namespace {

const Complex j{0, 1};

Complex wave_number(Complex hz) { return 2 * pi * hz / c0_m_per_s; }

std::size_t region_of(const Model& setup, LocalIndex element) {
  return static_cast<std::size_t>(setup.mesh.region[static_cast<std::size_t>(element)]);
}

/// eps or mu along the axes; of a layer times Lambda_i = s_j s_k/s_i, s_i = 1 + sigma_i/(s + alpha).
std::array<Complex, 3> tensor_of(const march::Problem& problem, LocalIndex element, march::Field field, Complex hz) {
  const bool electric = field == march::Field::electric;
  std::array<Complex, 3> tensor = axis_constants(problem.medium_of(element), electric, hz);
  if (!march::is_layer(problem, element)) return tensor;
  const auto stretch = march::stretch_of(problem, element, field);
  const Complex s = j * wave_number(hz);
  std::array<Complex, 3> factor;
  for (std::size_t i = 0; i < 3; ++i) factor[i] = 1.0 + stretch.sigma[i] / (s + stretch.alpha);
  for (std::size_t i = 0; i < 3; ++i)
    tensor[i] *= (1.0 + stretch.loss / s) * factor[(i + 1) % 3] * factor[(i + 2) % 3] / factor[i];
  return tensor;
}

}  // namespace

std::vector<DrivenSet> driven_sets(const Case& given) {
  DrivenSet all{"", {}, !given.sources.empty()};
  for (std::size_t p = 0; p < given.ports.size(); ++p)
    if (given.ports[p].excite && given.ports[p].excite->amplitude != 0) all.ports.push_back(p);
  std::vector<DrivenSet> sets;
  if (given.outputs.s_parameters && given.outputs.s_parameters->drive_each)
    for (const std::size_t p : all.ports) sets.push_back({given.ports[p].name, {p}, false});
  else if (!all.ports.empty() || all.sources)
    sets.push_back(all);
  for (std::size_t w = 0; w < given.plane_waves.size(); ++w)
    sets.push_back({tetrawave::format("wave-{}", w), {}, false, w});
  return sets;
}

FrequencySystem::FrequencySystem(const Case& given, const Model& setup, const std::vector<FoundPort>& ports,
                                 int threads, const comm::Communicator& ranks, const fem::AssemblyDevice* device)
    : given_(given), setup_(setup), threads_(threads) {
  for (std::size_t p = 0; p < ports.size(); ++p) {
    models_.push_back(make_port_model(given.ports[p], setup.ports[p], 0));
    is_inner_.push_back(ports[p].faces.is_inner());
    currents_.emplace_back();
    if (models_.back().kind != results::PortModel::Kind::line) continue;
    currents_.back() = results::make_wall_current(setup.problem, results::place_faces(ports[p].faces), ports[p].recipe);
    currents_.back()->of_wave = ranks.sum(currents_.back()->of_wave);  // of this rank's faces
  }
  list_walls(ranks);
  clock_.end("unknowns");
  list_media();
  group_walls();
  lit_ = lit_faces();
  if (!given.plane_waves.empty()) {
    scattering_.emplace(outer_medium(given.plane_waves.front().place, "plane_waves"), setup, shared_, lit_, threads_);
    std::vector<fem::ElementFace> of_total;
    for (const fem::ElementFace& face : lit_)
      if (scattering_->is_total(face.first)) of_total.push_back(face);
    lit_traces_.emplace(traces_for_waves(space(), setup.mesh, std::move(of_total)));
  }
  clock_.end("media");
  ranks.agree([&] {
    assembly_.emplace(space(), shapes(), walls_, given.solver.assembly, threads,
                      space().unknowns > 0 ? device : nullptr);
    assembly_->reserve_complex();  // a solver looks for free memory after the order of its rows
  });
  clock_.end("pattern");
}

fem::ElementShapes FrequencySystem::shapes() const {
  fem::ElementShapes result(setup_.mesh);
  if (setup_.problem.layers) result.copies = {};  // each element there has a medium of its own
  return result;
}

const fem::AssemblyFigures* FrequencySystem::device_figures() const {
  return assembly_->is_on_device() ? &assembly_->figures() : nullptr;
}

void FrequencySystem::list_walls(const comm::Communicator& ranks) {
  ElementWalls list = list_element_walls(setup_.problem, ranks.rank());
  metal_ = std::move(list.metal);
  walls_ = std::move(list.walls);
  wall_tags_ = std::move(list.tags);
  shared_ = fem::number_shared_unknowns(setup_.problem.space, setup_.mesh, metal_, ranks, nullptr, threads_);
}

void FrequencySystem::list_media() {
  ElementKinds kinds = list_element_kinds(setup_.problem);
  kind_ = std::move(kinds.of_element);
  element_of_kind_ = std::move(kinds.first);
}

fem::EdgeCoefficients<Complex> FrequencySystem::coefficients(std::size_t kind, Complex hz) const {
  const LocalIndex element = element_of_kind_[kind];
  const auto eps = tensor_of(setup_.problem, element, march::Field::electric, hz);
  const auto mu = tensor_of(setup_.problem, element, march::Field::magnetic, hz);
  const Complex k0 = wave_number(hz);
  fem::EdgeCoefficients<Complex> result;
  for (std::size_t i = 0; i < 3; ++i) {
    result.stiffness[i] = 1.0 / mu[i];
    result.mass[i] = -k0 * k0 * eps[i];
  }
  return result;
}

Complex FrequencySystem::admittance_of_open(const fem::ElementFace& face, std::int32_t tag, Complex hz) const {
  const Medium& medium = setup_.problem.media[region_of(setup_, face.first)];
  const auto port = static_cast<std::size_t>(tag);
  if (port >= models_.size()) {
    Medium plain = medium;  // a layer's losses are apart
    if (march::is_layer(setup_.problem, face.first)) {
      const auto& loss = setup_.problem.layers->loss_per_m[region_of(setup_, face.first)];
      plain.sigma_e = loss[0] * medium.eps_r;
      plain.sigma_m = loss[1] * medium.mu_r;
    }
    const ComplexConstants constants = constants_at(plain, hz);
    return std::sqrt(constants.eps / constants.mu);
  }
  const auto mixed = setup_.problem.open_admittance.find({face.first, face.second});
  if (mixed != setup_.problem.open_admittance.end()) return mixed->second;
  return 1.0 / (medium.impedance() * models_[port].impedance_ratio(hz));
}

Complex FrequencySystem::admittance_of_sheet(std::size_t port, Complex hz, bool of_source) const {
  const results::PortModel& model = models_[port];
  const Complex s = j * (2 * pi * hz);
  Complex ohms = model.impedance_ohm;
  if (model.inductance_h > 0) ohms += s * model.inductance_h;
  if (model.capacitance_f > 0 && !of_source) ohms = 1.0 / (1.0 / ohms + s * model.capacitance_f);
  return eta0_ohm / (setup_.problem.wall_ohms[port] / model.impedance_ohm * ohms);
}

Complex FrequencySystem::wall_factor(std::size_t wall, Complex hz) const {
  const auto tag = static_cast<std::size_t>(wall_tags_[wall]);
  const Complex s = j * wave_number(hz);
  const march::Wall law = setup_.problem.walls[tag];
  if (march::is_open(law)) return s * admittance_of_open(walls_[wall], wall_tags_[wall], hz);
  ensure(march::has_loss(law), "a wall of metal has no term");
  if (march::is_conductor(law)) {
    const BoundarySpec& metal = given_.boundaries[tag - models_.size()];
    return s * eta0_ohm / surface_impedance({metal.sigma_s_per_m, metal.roughness_m, 0, hz.real()}, hz);
  }
  return s * (tag < models_.size() ? admittance_of_sheet(tag, hz, false)
                                   : Complex(eta0_ohm / setup_.problem.wall_ohms[tag]));
}

void FrequencySystem::assemble(double hz, fem::CsrMatrix<Complex>& matrix) const {
  assembled_hz_ = hz;
  std::vector<fem::EdgeCoefficients<Complex>> media(element_of_kind_.size());
  for_each_index(media.size(), threads_, [&](std::size_t k) { media[k] = coefficients(k, hz); });
  assembly_->assemble<Complex>(media, kind_, wall_factors(hz), matrix);
}

/// By tag, region behind the face and, on ports of several media, admittance of the face.
void FrequencySystem::group_walls() {
  std::map<std::tuple<std::int32_t, std::size_t, double>, std::size_t> groups;
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    const auto mixed = setup_.problem.open_admittance.find({walls_[w].first, walls_[w].second});
    const double admittance = mixed == setup_.problem.open_admittance.end() ? 0 : mixed->second;
    const auto [found, is_new] =
        groups.try_emplace({wall_tags_[w], region_of(setup_, walls_[w].first), admittance}, wall_of_group_.size());
    if (is_new) wall_of_group_.push_back(w);
    wall_group_.push_back(found->second);
  }
}

std::vector<Complex> FrequencySystem::wall_factors(Complex hz) const {
  std::vector<Complex> of_groups, factors;
  for (const std::size_t wall : wall_of_group_) of_groups.push_back(wall_factor(wall, hz));
  for (const std::size_t group : wall_group_) factors.push_back(of_groups[group]);
  return factors;
}

std::vector<Complex> FrequencySystem::symbol(Complex hz) const {
  std::vector<Complex> values;
  for (std::size_t kind = 0; kind < element_of_kind_.size(); ++kind) {
    const fem::EdgeCoefficients<Complex> medium = coefficients(kind, hz);
    values.insert(values.end(), medium.stiffness.begin(), medium.stiffness.end());
    values.insert(values.end(), medium.mass.begin(), medium.mass.end());
  }
  for (const std::size_t wall : wall_of_group_) values.push_back(wall_factor(wall, hz));
  return values;
}

fem::EdgeSpace FrequencySystem::driven_space() const {
  std::vector<bool> is_driven(static_cast<std::size_t>(space().unknowns), false);
  const auto add = [&](LocalIndex element) {
    for (const std::int32_t u : space().of(static_cast<std::size_t>(element)))
      if (u != fem::EdgeSpace::fixed) is_driven[static_cast<std::size_t>(u)] = true;
  };
  for (const march::DrivenFace& driven : setup_.problem.driven) add(driven.element);
  for (const march::SourceTerm& term : setup_.problem.sources) add(term.element);
  fem::EdgeSpace result = space();
  std::vector<std::int32_t> number(is_driven.size(), fem::EdgeSpace::fixed);
  result.unknowns = 0;
  for (std::size_t u = 0; u < number.size(); ++u)
    if (is_driven[u]) number[u] = result.unknowns++;
  for (std::int32_t& u : result.unknown)
    if (u != fem::EdgeSpace::fixed) u = number[static_cast<std::size_t>(u)];
  return result;
}

std::vector<std::int32_t> FrequencySystem::recorded_unknowns() const {
  std::set<LocalIndex> elements;
  const auto add = [&](const march::Functional& functional) {
    for (const auto& item : functional.items) elements.insert(item.element);
  };
  for (const auto* functionals : {&setup_.problem.electric, &setup_.problem.magnetic})
    for (const march::Functional& functional : *functionals) add(functional);
  for (const auto& current : currents_)
    if (current) add(current->of_field);
  std::set<std::int32_t> unknowns;
  for (const LocalIndex element : elements)
    for (const std::int32_t u : space().of(static_cast<std::size_t>(element)))
      if (u != fem::EdgeSpace::fixed) unknowns.insert(u);
  return {unknowns.begin(), unknowns.end()};
}

const Medium& FrequencySystem::outer_medium(const Place& place, const char* key) const {
  std::vector<std::int32_t> regions;
  for (const fem::ElementFace& face : lit_) regions.push_back(static_cast<std::int32_t>(region_of(setup_, face.first)));
  std::sort(regions.begin(), regions.end());
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
  const Medium* medium = nullptr;
  for (const std::int32_t region : ranks().all_gather(std::span<const std::int32_t>(regions))) {
    const Medium& own = setup_.problem.media[static_cast<std::size_t>(region)];
    if (!own.is_lossless() || !own.is_isotropic() || own.is_dispersive() || (medium != nullptr && !(own == *medium)))
      fail(ExitCode::bad_case,
           "{}: error: {}: the absorbing faces lie in one lossless isotropic medium; found region '{}'", place.text,
           key, setup_.mesh.region_names[static_cast<std::size_t>(region)]);
    medium = &own;
  }
  if (medium == nullptr)
    fail(ExitCode::bad_case, "{}: error: {}: no face is absorbing, through which waves could come or go", place.text,
         key);
  return *medium;
}

Complex FrequencySystem::incident_voltage(std::size_t port, double hz, const DrivenSet& set) const {
  if (std::find(set.ports.begin(), set.ports.end(), port) == set.ports.end()) return 0;
  const NamedExcitation& excite = *given_.ports[port].excite;
  const results::PortModel& model = models_[port];
  const Complex whole = excite.amplitude * std::exp(-2 * pi * hz * excite.delay_s * j);
  const bool power = model.kind == results::PortModel::Kind::waveguide;  // its amplitude is a in sqrt(W)
  return (power ? std::sqrt(model.reference(hz)) : Complex(1)) * whole / model.voltage_scale;
}

/// Absorbing faces: tags of ports come first, then those of the case's boundaries.
std::vector<fem::ElementFace> FrequencySystem::lit_faces() const {
  std::vector<fem::ElementFace> lit;
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    const auto tag = static_cast<std::size_t>(wall_tags_[w]);
    if (tag >= models_.size() && march::is_open(setup_.problem.walls[tag])) lit.push_back(walls_[w]);
  }
  std::sort(lit.begin(), lit.end());
  return lit;
}

/// Where fields are scattered, with the wave as the space has it.
std::vector<Complex> FrequencySystem::electric_of(LocalIndex element, const FieldSolution& field) const {
  std::vector<Complex> dofs = electric_as_solved(element, field);
  if (!field.set.plane_wave || scattering_->is_total(element)) return dofs;
  const PlaneWave wave = wave_of(field.hz, field.set);
  const auto in_space = project(element, [&](const Vec3& r, const std::array<double, 4>&) { return wave.electric(r); });
  for (std::size_t i = 0; i < dofs.size(); ++i) dofs[i] += in_space[i];
  return dofs;
}

/// M^-1 int N . v.
std::vector<Complex> FrequencySystem::project(LocalIndex element, const ElementField& field) const {
  const basis::MappedElement physical = map_element(setup_.problem.space, setup_.mesh, element);
  const std::size_t n = space().functions;
  const int degree = physical.degree_of_rule(2 * basis::reference_element(setup_.problem.space).degree);
  std::vector<double> real(n, 0), imaginary(n, 0);
  for (const auto& q : basis::tetrahedron_rule(degree)) {
    const auto values = physical.values(q.barycentric);
    const ComplexVector v = field(physical.point(q.barycentric), q.barycentric);
    const double weight = q.weight * physical.volume(q.barycentric);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t x = 0; x < 3; ++x) {
        real[i] += weight * values[i][x] * v[x].real();
        imaginary[i] += weight * values[i][x] * v[x].imag();
      }
  }
  auto mass = physical.mass();
  mass.factor();
  mass.solve(real.data());
  mass.solve(imaginary.data());
  std::vector<Complex> dofs;
  for (std::size_t i = 0; i < n; ++i) dofs.emplace_back(real[i], imaginary[i]);
  return dofs;
}

/// eta0 H = j/k0 mu^-1 curl E, which the space of a straight element holds; of a curved one what is nearest to it.
std::vector<Complex> FrequencySystem::magnetic_of(LocalIndex element, Complex hz,
                                                  const std::vector<Complex>& electric) const {
  const basis::MappedElement physical = map_element(setup_.problem.space, setup_.mesh, element);
  const auto mu = tensor_of(setup_.problem, element, march::Field::magnetic, hz);
  return project(element, [&](const Vec3&, const std::array<double, 4>& barycentric) {
    const auto curls = physical.curls(barycentric);
    ComplexVector field{};
    for (std::size_t x = 0; x < 3; ++x) {
      for (std::size_t i = 0; i < electric.size(); ++i) field[x] += electric[i] * curls[i][x];
      field[x] *= j / (wave_number(hz) * mu[x]);
    }
    return field;
  });
}

Complex FrequencySystem::evaluate(const march::Functional& functional, const FieldSolution& field) const {
  Complex sum = 0;
  for (const auto& item : functional.items) {
    const auto dofs = electric_of(item.element, field);
    for (std::size_t i = 0; i < dofs.size(); ++i) sum += item.weight[i] * dofs[i];
  }
  return sum;
}

PortReading FrequencySystem::read_port(std::size_t port, const FieldSolution& field) const {
  if (has_line_mode(port)) {
    std::array<Complex, 1> voltage{line_voltage(port, field)};
    add_over_ranks(voltage);
    return {voltage[0], 0};
  }
  std::array<Complex, 2> reading{evaluate(setup_.problem.electric[port], field),
                                 currents_[port] ? evaluate(currents_[port]->of_field, field) : Complex(0)};
  add_over_ranks(reading);
  return {reading[0], reading[1]};
}

void FrequencySystem::add_over_ranks(std::span<Complex> values) const {
  if (ranks().size() == 1) return;
  ranks().sum_in_place(std::span<double>(reinterpret_cast<double*>(values.data()), 2 * values.size()));
}

PortPhasors FrequencySystem::phasors(std::size_t port, double hz, const DrivenSet& set,
                                     const PortReading& reading) const {
  const results::PortModel& model = models_[port];
  const Complex sent = incident_voltage(port, hz, set);
  Complex v = reading.voltage;
  Complex zi = 2.0 * sent - v;
  if (currents_[port] && !has_line_mode(port)) zi = currents_[port]->of_wave * sent - reading.current;
  if (model.inductance_h > 0) {  // to the terminals of the resistance
    const Complex ohms = model.impedance_ohm;
    zi = (2.0 * sent - v) * ohms / (ohms + Complex(0, 2 * pi * hz * model.inductance_h));
    v = 2.0 * sent - zi;
  }
  v *= model.voltage_scale;
  zi *= model.voltage_scale;  // Z of the whole times i of the whole
  const Complex z = model.reference(hz);
  const Complex root = std::sqrt(z);
  return {(v + zi) / (2.0 * root), (v - zi) / (2.0 * root), v, zi / z};
}

PortPhasors FrequencySystem::at_port(std::size_t port, const FieldSolution& field) const {
  return phasors(port, field.hz, field.set, read_port(port, field));
}

std::array<Complex, 6> FrequencySystem::at_probe(std::size_t probe, const FieldSolution& field) const {
  std::array<Complex, 6> values{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t number = models_.size() + 3 * probe + axis;
    values[axis] = evaluate(setup_.problem.electric[number], field);
    for (const auto& item : setup_.problem.magnetic[number].items) {
      const auto dofs = magnetic_of(item.element, field.hz, electric_of(item.element, field));
      for (std::size_t i = 0; i < dofs.size(); ++i) values[3 + axis] += item.weight[i] * dofs[i];
    }
  }
  add_over_ranks(values);
  return values;
}

ElementFields FrequencySystem::fields(const std::vector<LocalIndex>& elements, const FieldSolution& field) const {
  const std::size_t n = space().functions;
  ElementFields result{std::vector<Complex>(elements.size() * n), std::vector<Complex>(elements.size() * n)};
  for_each_task(elements.size(), threads_, [&](std::size_t k) {
    const auto electric = electric_of(elements[k], field);
    const auto magnetic = magnetic_of(elements[k], field.hz, electric);
    std::copy(electric.begin(), electric.end(), result.electric.begin() + static_cast<std::ptrdiff_t>(k * n));
    std::copy(magnetic.begin(), magnetic.end(), result.magnetic.begin() + static_cast<std::ptrdiff_t>(k * n));
  });
  return result;
}

}  // namespace tetrawave::modes
