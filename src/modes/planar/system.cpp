#include "modes/planar/system.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "basis/quadrature.hpp"
#include "media/axis_constants.hpp"
#include "media/skin_effect.hpp"

namespace tetrawave::modes {

namespace {

const Complex j{0, 1};

double k0_of(double hz) { return 2 * pi * hz / c0_m_per_s; }

}  // namespace

std::vector<std::vector<std::int32_t>> PlanarSystem::blocks_of(const PlanarSetup& setup) {
  std::vector<std::vector<std::int32_t>> blocks;
  for (const PlanarPort& port : setup.ports) blocks.push_back(port.modes.unknowns);
  return blocks;
}

PlanarSystem::PlanarSystem(const Case& given, const PlanarSetup& setup, int threads)
    : given_(given), setup_(setup), assembly_(setup.mesh, setup.space, blocks_of(setup), threads) {
  for (std::size_t p = 0; p < given.outputs.probes.size(); ++p) {
    const ProbePoint& probe = given.outputs.probes[p];
    probes_.push_back(place_in_mesh(probe.point_m, probe.point_place, tetrawave::format("outputs.probes.{}.point", p)));
  }
  for (std::size_t s = 0; s < given.sources.size(); ++s)
    sources_.push_back(place_in_mesh(given.sources[s].position_m, given.sources[s].position_place,
                                     tetrawave::format("sources.{}.position", s)));
}

PlanarSystem::Place2 PlanarSystem::place_in_mesh(const Vec3& point_m, const Place& place,
                                                 const std::string& what) const {
  const Point2 point{point_m[0], point_m[1]};
  for (const double slack : {1e-9, 1e-4}) {  // the second for curved edges that a point lies on
    for (std::size_t e = 0; e < setup_.mesh.element_count(); ++e) {
      Point2 low{1e300, 1e300}, high{-1e300, -1e300};
      for (std::size_t k = 0; k < setup_.mesh.nodes_per_element(); ++k) {
        const auto id = static_cast<std::size_t>(setup_.mesh.elements[setup_.mesh.nodes_per_element() * e + k]);
        for (std::size_t x = 0; x < 2; ++x) {
          low[x] = std::min(low[x], setup_.mesh.nodes[id][x]);
          high[x] = std::max(high[x], setup_.mesh.nodes[id][x]);
        }
      }
      const double size = std::max(high[0] - low[0], high[1] - low[1]) / 4;
      if (point[0] < low[0] - size || point[0] > high[0] + size || point[1] < low[1] - size ||
          point[1] > high[1] + size)
        continue;
      const auto l = fem::PlanarElement(setup_.mesh, e, setup_.space.kind, setup_.space.order).locate(point);
      if (std::min({l[0], l[1], l[2]}) >= -slack) return {e, l};
    }
  }
  fail(ExitCode::bad_case, "{}: error: {}: ({:.6g}, {:.6g}) m is not in the mesh", place.text, what, point[0],
       point[1]);
}

std::vector<PlanarSystem::Tensors> PlanarSystem::tensors_at(double hz) const {
  std::vector<Tensors> all;
  for (const Medium& medium : setup_.media)
    all.push_back({axis_constants(medium, true, hz), axis_constants(medium, false, hz)});
  return all;
}

// Lambda_x = s_y/s_x, Lambda_y = s_x/s_y, Lambda_z = s_x s_y, s_i = 1 + sigma_i/(j k0 + alpha), as in theory/pml.
PlanarSystem::Tensors PlanarSystem::in_layer(const Tensors& medium, const Point2& place_m, double hz) const {
  const LayerDepth at = setup_.depth_at(place_m);
  std::array<Complex, 2> stretch{1, 1};
  for (std::size_t x = 0; x < 2; ++x)
    if (at.depth[x] > 0) {
      const double sigma = 2 * std::log(1 / given_.pml->reflection) / at.thickness_m[x] * std::pow(at.depth[x], 3);
      stretch[x] = 1.0 + sigma / (j * k0_of(hz) + 0.1 / at.thickness_m[x]);
    }
  const std::array<Complex, 3> lambda{stretch[1] / stretch[0], stretch[0] / stretch[1], stretch[0] * stretch[1]};
  Tensors result = medium;
  for (std::size_t i = 0; i < 3; ++i) {
    result.eps[i] *= lambda[i];
    result.mu[i] *= lambda[i];
  }
  return result;
}

fem::PlanarCoefficients PlanarSystem::coefficients(const Tensors& medium, double hz) const {
  const double k2 = k0_of(hz) * k0_of(hz);
  switch (field()) {
    case PlanarField::e_z:
      return {{1.0 / medium.mu[1], 1.0 / medium.mu[0]}, -k2 * medium.eps[2]};
    case PlanarField::h_z:
      return {{1.0 / medium.eps[1], 1.0 / medium.eps[0]}, -k2 * medium.mu[2]};
    case PlanarField::e_xy:
      break;
  }
  return {{-k2 * medium.eps[0], -k2 * medium.eps[1]}, 1.0 / medium.mu[2]};
}

fem::PlanarAssembly::Medium PlanarSystem::medium_at(double hz) const {
  std::vector<fem::PlanarCoefficients> plain;
  std::vector<Tensors> tensors = tensors_at(hz);
  for (const Tensors& tensor : tensors) plain.push_back(coefficients(tensor, hz));
  return [this, hz, plain = std::move(plain), tensors = std::move(tensors)](std::size_t element, const Point2& at) {
    const auto region = static_cast<std::size_t>(setup_.mesh.region[element]);
    return setup_.is_layer[region] ? coefficients(in_layer(tensors[region], at, hz), hz) : plain[region];
  };
}

// j k0 times the admittance of the wall, with H_z its impedance, relative to free space.
Complex PlanarSystem::wall_factor(const PlanarWall& wall, double hz) const {
  Complex impedance = 1;
  if (wall.is_open()) {
    const Medium& medium = setup_.media[setup_.region_of(wall.edge.element)];
    const ComplexConstants constants = constants_at(medium, hz);
    impedance = std::sqrt(constants.mu / constants.eps);
  } else if (wall.kind == BoundaryKind::impedance) {
    impedance = wall.spec->impedance_ohm / eta0_ohm;
  } else if (wall.kind == BoundaryKind::conductor) {
    impedance = surface_impedance({wall.spec->sigma_s_per_m, wall.spec->roughness_m, 0, hz}, hz) / eta0_ohm;
  }
  return j * k0_of(hz) * (field() == PlanarField::h_z ? impedance : 1.0 / impedance);
}

// E over H of a mode, over eta0: j k0 mu/gamma of TE, gamma/(j k0 eps) of TM.
Complex PlanarSystem::wave_impedance(const PlanarPort& port, std::size_t mode, double hz) const {
  const Medium& medium = setup_.media[port.region];
  const double kc = pi * static_cast<double>(port.modes.half_waves(mode)) / port.modes.width_m;
  const double k = k0_of(hz) * port.model.refractive_index;
  Complex gamma = k > kc ? j * std::sqrt(k * k - kc * kc) : Complex(std::sqrt(kc * kc - k * k));
  if (std::abs(gamma) < 1e-6 * k) gamma = 1e-6 * k;  // at the cutoff itself
  const Complex s = j * k0_of(hz);
  return field() == PlanarField::e_z ? s * medium.mu_r / gamma : gamma / (s * medium.eps_r);
}

void PlanarSystem::assemble(double hz, fem::CsrMatrix<Complex>& matrix) const {
  assembly_.assemble(medium_at(hz), matrix);
  for (const PlanarWall& wall : setup_.walls)
    if (wall.kind != BoundaryKind::pec && wall.kind != BoundaryKind::pmc)
      assembly_.add_wall(wall.edge, wall_factor(wall, hz), matrix);
  for (const PlanarPort& port : setup_.ports)
    for (std::size_t m = 0; m < port.modes.moments.size(); ++m) {
      const Complex impedance = wave_impedance(port, m, hz);
      const Complex factor = j * k0_of(hz) * (field() == PlanarField::h_z ? impedance : 1.0 / impedance);
      assembly_.add_product(port.modes.unknowns, port.modes.moments[m], factor, matrix);
    }
}

Complex PlanarSystem::incident(std::size_t port, double hz, const DrivenSet& set) const {
  if (std::find(set.ports.begin(), set.ports.end(), port) == set.ports.end()) return 0;
  const NamedExcitation& excite = *given_.ports[port].excite;
  return excite.amplitude * std::exp(-2 * pi * hz * excite.delay_s * j);
}

void PlanarSystem::add(std::size_t element, std::size_t function, const Complex& value,
                       std::vector<Complex>& side) const {
  const std::int32_t u = setup_.space.unknown[static_cast<std::size_t>(setup_.space.shared_of(element)[function])];
  if (u != fem::PlanarSpace::fixed) side[static_cast<std::size_t>(u)] += value;
}

std::vector<std::vector<Complex>> PlanarSystem::right_hand_sides(double hz, const std::vector<DrivenSet>& sets) const {
  std::vector<std::vector<Complex>> sides;
  for (const DrivenSet& set : sets) {
    std::vector<Complex>& side = sides.emplace_back(static_cast<std::size_t>(setup_.space.unknowns), Complex(0));
    for (const std::size_t p : set.ports) {
      // With sqrt(Z) in ohm: E along the port is (a + b) sqrt(Z), eta0 H -+ eta0 (a - b)/sqrt(Z).
      const PlanarPort& port = setup_.ports[p];
      const Complex z = wave_impedance(port, port.mode, hz), root = std::sqrt(z * eta0_ohm);
      const Complex a = incident(p, hz, set);
      const Complex drive = field() == PlanarField::h_z ? z * (-port.polarity * eta0_ohm * a / root) : a * root / z;
      for (std::size_t i = 0; i < port.modes.unknowns.size(); ++i)
        side[static_cast<std::size_t>(port.modes.unknowns[i])] +=
            2.0 * j * k0_of(hz) * drive * port.modes.moments[port.mode][i];
    }
    if (set.sources) add_sources(hz, side);
    if (set.plane_wave) add_wave(hz, wave_of(set, hz), side);
  }
  return sides;
}

void PlanarSystem::add_sources(double hz, std::vector<Complex>& side) const {
  const std::vector<Tensors> tensors = tensors_at(hz);
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    const SourceDescription& source = given_.sources[s];
    const Complex ampere =
        source.excite.amplitude * std::exp(-2 * pi * hz * source.excite.delay_s * j) / norm(source.direction);
    const std::size_t e = sources_[s].element;
    const auto& eps = tensors[static_cast<std::size_t>(setup_.mesh.region[e])].eps;
    const fem::PlanarPoint at =
        fem::PlanarElement(setup_.mesh, e, setup_.space.kind, setup_.space.order).at(sources_[s].barycentric);
    const Vec3& d = source.direction;
    for (std::size_t i = 0; i < setup_.space.functions; ++i) {
      const fem::PlanarFunction& v = at.functions[i];
      Complex moment;
      if (field() == PlanarField::e_z)
        moment = -j * k0_of(hz) * d[2] * v.scalar;
      else if (field() == PlanarField::e_xy)
        moment = -j * k0_of(hz) * (d[0] * v.vector[0] + d[1] * v.vector[1]);
      else
        moment = v.vector[1] * d[0] / eps[0] - v.vector[0] * d[1] / eps[1];
      add(e, i, eta0_ohm * ampere * moment, side);
    }
  }
}

PlanarSolution PlanarSystem::complete(double hz, const DrivenSet& set, const std::vector<Complex>& unknowns) const {
  PlanarSolution solution{hz, set, std::vector<Complex>(setup_.space.unknown.size()), {}};
  for (std::size_t i = 0; i < solution.functions.size(); ++i)
    if (const std::int32_t u = setup_.space.unknown[i]; u != fem::PlanarSpace::fixed)
      solution.functions[i] = unknowns[static_cast<std::size_t>(u)];
  if (set.plane_wave && !setup_.layer_border.empty()) solution.border = on_border(wave_of(set, hz));
  return solution;
}

PortPhasors PlanarSystem::at_port(std::size_t p, const PlanarSolution& solution) const {
  const PlanarPort& port = setup_.ports[p];
  Complex amplitude = 0;
  std::vector<Complex> unknowns(static_cast<std::size_t>(setup_.space.unknowns));
  for (std::size_t i = 0; i < setup_.space.unknown.size(); ++i)
    if (const std::int32_t u = setup_.space.unknown[i]; u != fem::PlanarSpace::fixed)
      unknowns[static_cast<std::size_t>(u)] = solution.functions[i];
  for (std::size_t i = 0; i < port.modes.unknowns.size(); ++i)
    amplitude += port.modes.moments[port.mode][i] * unknowns[static_cast<std::size_t>(port.modes.unknowns[i])];
  const Complex root = std::sqrt(wave_impedance(port, port.mode, solution.hz) * eta0_ohm);
  PortPhasors phasors;
  phasors.incident = incident(p, solution.hz, solution.set);
  phasors.reflected = field() == PlanarField::h_z ? port.polarity * amplitude * root / eta0_ohm + phasors.incident
                                                  : amplitude / root - phasors.incident;
  phasors.voltage = (phasors.incident + phasors.reflected) * root;
  phasors.current = (phasors.incident - phasors.reflected) / root;
  return phasors;
}

PlanarFields PlanarSystem::fields_of(const Complex& scalar, const std::array<Complex, 2>& vector, const Tensors& medium,
                                     double hz) const {
  const Complex s = j * k0_of(hz);
  PlanarFields fields;
  switch (field()) {
    case PlanarField::e_z:
      fields.electric[2] = scalar;
      fields.magnetic = {-vector[1] / (s * medium.mu[0]), vector[0] / (s * medium.mu[1]), 0};
      break;
    case PlanarField::h_z:
      fields.magnetic[2] = scalar;
      fields.electric = {vector[1] / (s * medium.eps[0]), -vector[0] / (s * medium.eps[1]), 0};
      break;
    case PlanarField::e_xy:
      fields.electric = {vector[0], vector[1], 0};
      fields.magnetic[2] = -scalar / (s * medium.mu[2]);
  }
  return fields;
}

PlanarFields PlanarSystem::at(std::size_t element, const std::array<double, 3>& barycentric,
                              const PlanarSolution& solution) const {
  const fem::PlanarPoint point =
      fem::PlanarElement(setup_.mesh, element, setup_.space.kind, setup_.space.order).at(barycentric);
  const auto shared = setup_.space.shared_of(element);
  const auto region = static_cast<std::size_t>(setup_.mesh.region[element]);
  const bool is_layer = setup_.is_layer[region];
  Complex scalar = 0;
  std::array<Complex, 2> vector{};
  for (std::size_t i = 0; i < setup_.space.functions; ++i) {
    Complex c = solution.functions[static_cast<std::size_t>(shared[i])];
    if (is_layer && !solution.border.empty()) c -= solution.border[static_cast<std::size_t>(shared[i])];
    scalar += c * point.functions[i].scalar;
    for (std::size_t x = 0; x < 2; ++x) vector[x] += c * point.functions[i].vector[x];
  }
  const Medium& medium = setup_.media[region];
  Tensors tensors{axis_constants(medium, true, solution.hz), axis_constants(medium, false, solution.hz)};
  if (is_layer) tensors = in_layer(tensors, point.place_m, solution.hz);
  return fields_of(scalar, vector, tensors, solution.hz);
}

std::array<Complex, 6> PlanarSystem::at_probe(std::size_t probe, const PlanarSolution& solution) const {
  const PlanarFields fields = at(probes_[probe].element, probes_[probe].barycentric, solution);
  std::array<Complex, 6> values;
  for (std::size_t x = 0; x < 3; ++x) {
    values[x] = fields.electric[x];
    values[3 + x] = fields.magnetic[x] / eta0_ohm;
  }
  return values;
}

double PlanarSystem::lost(const PlanarSolution& solution) const {
  const double hz = solution.hz;
  const std::vector<Tensors> tensors = tensors_at(hz);
  const auto squared = [](const std::array<Complex, 3>& field, const std::array<Complex, 3>& constants) {
    double sum = 0;
    for (std::size_t x = 0; x < 3; ++x) sum -= constants[x].imag() * std::norm(field[x]);
    return sum;
  };
  double sum = 0;  // of |E|^2 over eta0
  for (std::size_t e = 0; e < setup_.mesh.element_count(); ++e) {
    const auto region = static_cast<std::size_t>(setup_.mesh.region[e]);
    const Medium& medium = setup_.media[region];
    if (setup_.is_layer[region] || (medium.is_lossless() && !medium.is_dispersive())) continue;
    for (const basis::TrianglePoint& q : basis::symmetric_triangle_rule(6)) {
      const PlanarFields fields = at(e, q.barycentric, solution);
      const fem::PlanarPoint point =
          fem::PlanarElement(setup_.mesh, e, setup_.space.kind, setup_.space.order).at(q.barycentric);
      sum += k0_of(hz) * q.weight * point.area_m2 *
             (squared(fields.electric, tensors[region].eps) + squared(fields.magnetic, tensors[region].mu));
    }
  }
  for (const PlanarWall& wall : setup_.walls) {
    if (!wall.has_loss()) continue;
    const double real = (wall_factor(wall, hz) / (j * k0_of(hz))).real();
    const auto shared = setup_.space.shared_of(static_cast<std::size_t>(wall.edge.element));
    for (const fem::PlanarEdgePoint& point : fem::points_on_edge(setup_.mesh, setup_.space, wall.edge)) {
      Complex trace = 0;
      for (const std::size_t i : setup_.space.on_edge(static_cast<std::size_t>(wall.edge.edge)))
        trace += solution.functions[static_cast<std::size_t>(shared[i])] *
                 fem::trace_of(setup_.space.kind, point.at.functions[i], point.tangent);
      sum += real * point.length_m * std::norm(trace);
    }
  }
  return sum / (2 * eta0_ohm);
}

}  // namespace tetrawave::modes
