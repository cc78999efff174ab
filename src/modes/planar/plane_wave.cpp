// Plane waves that come from outside: total fields, and scattered ones in layers.
#include <cmath>

#include "base/constants.hpp"
#include "modes/planar/system.hpp"

namespace tetrawave::modes {

namespace {

const Complex imaginary{0, 1};

}  // namespace

PlanarWave::PlanarWave(const PlanarSpec& planar, const IncidentWave& wave, const Medium& medium, double hz)
    : along_z_(planar.field == PlanarField::e_z),
      wave_number_(2 * pi * hz / c0_m_per_s * std::sqrt(medium.eps_r * medium.mu_r)),
      impedance_(medium.impedance()),
      direction_{-std::cos(wave.phi_deg * pi / 180), -std::sin(wave.phi_deg * pi / 180)} {}

// The unit vector of theta at theta = 90 is -z, that of phi (-sin phi, cos phi).
PlanarFields PlanarWave::at(const Point2& x) const {
  const Complex wave = std::exp(-imaginary * wave_number_ * (direction_[0] * x[0] + direction_[1] * x[1]));
  const Point2 along_phi{direction_[1], -direction_[0]};
  PlanarFields fields;
  if (along_z_) {
    fields.electric[2] = -wave;
    // H = d x E/Z, with E = -z: d x (-z) = (-d_y, d_x)
    fields.magnetic = {-direction_[1] * wave / impedance_, direction_[0] * wave / impedance_, 0};
  } else {
    fields.electric = {along_phi[0] * wave, along_phi[1] * wave, 0};
    fields.magnetic[2] = (direction_[0] * along_phi[1] - direction_[1] * along_phi[0]) * wave / impedance_;
  }
  return fields;
}

std::array<Complex, 2> PlanarWave::gradient(const Point2& x) const {
  const PlanarFields fields = at(x);
  const Complex u = along_z_ ? fields.electric[2] : fields.magnetic[2];
  return {-imaginary * wave_number_ * direction_[0] * u, -imaginary * wave_number_ * direction_[1] * u};
}

PlanarWave PlanarSystem::wave_of(const DrivenSet& set, double hz) const {
  return {*given_.planar, given_.plane_waves[*set.plane_wave], setup_.media[*setup_.outer_region], hz};
}

// On absorbing walls and on the border of layers, n out of the total field: its flux, and on walls the trace, are the
// wave's; the elements of the layers get A w, w the wave's coefficients on the border.
void PlanarSystem::add_wave(double hz, const PlanarWave& wave, std::vector<Complex>& side) const {
  for (const PlanarWall& wall : setup_.walls)
    if (wall.is_open() && !setup_.is_layer[setup_.region_of(wall.edge.element)])
      add_flux(wall.edge, wave, wall_factor(wall, hz), hz, side);
  for (const fem::PlanarEdge& edge : setup_.layer_border) add_flux(edge, wave, 0, hz, side);
  if (!setup_.layer_border.empty()) add_border(hz, wave, side);
}

void PlanarSystem::add_flux(const fem::PlanarEdge& edge, const PlanarWave& wave, const Complex& admittance, double hz,
                            std::vector<Complex>& side) const {
  const Medium& medium = setup_.media[*setup_.outer_region];
  for (const fem::PlanarEdgePoint& point : fem::points_on_edge(setup_.mesh, setup_.space, edge)) {
    const PlanarFields fields = wave.at(point.at.place_m);
    Complex flux, trace;
    Point2 tangent{-point.normal[1], point.normal[0]};  // n to the left of it
    if (setup_.space.kind == fem::PlanarKind::nodal) {
      const auto slope = wave.gradient(point.at.place_m);
      const bool along_z = field() == PlanarField::e_z;
      flux = (point.normal[0] * slope[0] + point.normal[1] * slope[1]) / (along_z ? medium.mu_r : medium.eps_r);
      trace = along_z ? fields.electric[2] : fields.magnetic[2];
    } else {
      flux = -imaginary * (2 * pi * hz / c0_m_per_s) * fields.magnetic[2];  // curl E/mu
      trace = tangent[0] * fields.electric[0] + tangent[1] * fields.electric[1];
    }
    for (const std::size_t i : setup_.space.on_edge(static_cast<std::size_t>(edge.edge)))
      add(static_cast<std::size_t>(edge.element), i,
          point.length_m * fem::trace_of(setup_.space.kind, point.at.functions[i], tangent) *
              (flux + admittance * trace),
          side);
  }
}

std::vector<Complex> PlanarSystem::on_border(const PlanarWave& wave) const {
  std::vector<Complex> values(setup_.space.unknown.size());
  for (const fem::PlanarEdge& edge : setup_.layer_border) {
    const auto shared = setup_.space.shared_of(static_cast<std::size_t>(edge.element));
    const std::vector<std::size_t> places = setup_.space.on_edge(static_cast<std::size_t>(edge.edge));
    if (setup_.space.kind == fem::PlanarKind::nodal) {
      for (const std::size_t i : places) {
        const Point2& node = setup_.mesh.nodes[static_cast<std::size_t>(shared[i])];
        const PlanarFields fields = wave.at(node);
        values[static_cast<std::size_t>(shared[i])] =
            field() == PlanarField::e_z ? fields.electric[2] : fields.magnetic[2];
      }
      continue;
    }
    // The projection on the traces of one or two functions, which are orthogonal: a constant and a line.
    for (const std::size_t i : places) {
      Complex moment = 0;
      double mass = 0;
      for (const fem::PlanarEdgePoint& point : fem::points_on_edge(setup_.mesh, setup_.space, edge)) {
        const double trace = fem::trace_of(setup_.space.kind, point.at.functions[i], point.tangent);
        const PlanarFields fields = wave.at(point.at.place_m);
        moment +=
            point.length_m * trace * (point.tangent[0] * fields.electric[0] + point.tangent[1] * fields.electric[1]);
        mass += point.length_m * trace * trace;
      }
      values[static_cast<std::size_t>(shared[i])] = moment / mass;
    }
  }
  return values;
}

void PlanarSystem::add_border(double hz, const PlanarWave& wave, std::vector<Complex>& side) const {
  const std::vector<Complex> values = on_border(wave);
  const fem::PlanarAssembly::Medium medium = medium_at(hz);
  const std::size_t n = setup_.space.functions;
  for (std::size_t e = 0; e < setup_.mesh.element_count(); ++e) {
    if (!setup_.is_layer[static_cast<std::size_t>(setup_.mesh.region[e])]) continue;
    const auto shared = setup_.space.shared_of(e);
    const bool touches = std::any_of(shared.begin(), shared.end(),
                                     [&](std::int32_t i) { return values[static_cast<std::size_t>(i)] != 0.0; });
    if (!touches) continue;
    const std::vector<Complex> matrix = assembly_.element_matrix(e, medium);
    for (std::size_t i = 0; i < n; ++i) {
      Complex sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += matrix[i * n + k] * values[static_cast<std::size_t>(shared[k])];
      add(e, i, sum, side);
    }
  }
}

}  // namespace tetrawave::modes
