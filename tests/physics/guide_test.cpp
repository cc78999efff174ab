// A plane wave in a guide of two electric and two magnetic walls, driven and absorbed by open walls at its ends: the
// scattering parameters of the discrete operator are known from its semi-discrete spectrum.
#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "support/cavity.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

using Complex = std::complex<double>;

/// Adds the uniform profile e_y on the faces of one end: wave row `wave`, functionals for v and Z i.
void add_end(march::Problem& problem, const std::string& group, std::int32_t wave, double area) {
  march::Functional voltage;
  march::Functional current;
  const LocalMesh& mesh = *problem.mesh;
  const auto tag = static_cast<std::int32_t>(std::find(mesh.group_names.begin(), mesh.group_names.end(), group) -
                                             mesh.group_names.begin());
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      if (mesh.boundary[static_cast<std::size_t>(e)][f] != tag) continue;
      const basis::PhysicalElement element(problem.space, mesh.corners[static_cast<std::size_t>(e)]);
      const auto m = element.face_moments(
          f,
          [](const auto&) {
            return Vec3{0, 1, 0};
          },
          4);
      problem.driven.push_back({e, static_cast<std::uint8_t>(f), wave, m.direct, m.rotated});
      const auto scaled = [area](std::vector<double> x) {
        for (double& value : x) value /= area;
        return x;
      };
      voltage.items.push_back({e, scaled(m.direct)});
      current.items.push_back({e, scaled(m.rotated)});
    }
  problem.electric.push_back(voltage);
  problem.magnetic.push_back(current);
}

struct Scattering {
  Complex s11;        ///< from the voltage at the driven end: (V - V_inc)/V_inc
  Complex s21;        ///< V/V_inc at the far end
  Complex incident;   ///< wave going in, by E and H at the driven end, over the one that drives
  Complex s21_waves;  ///< by E and H at both ends
};

/// Three wavelengths of guide, `per_wavelength` cells in each, at a small time step.
Scattering measure(Space space, int per_wavelength) {
  constexpr double wavelength = 1;
  const double h = wavelength / per_wavelength;
  BoxMesh box;
  box.cells = {2, 2, 3 * per_wavelength};
  box.size_m = {2 * h, 2 * h, 3 * wavelength};
  using march::Wall;
  BoxProblem guide(box, space,
                   {{"x0", Wall::magnetic}, {"x1", Wall::magnetic}, {"z0", Wall::open}, {"z1", Wall::open}});
  add_end(guide.problem, "z0", 1, 4 * h * h);
  add_end(guide.problem, "z1", 2, 4 * h * h);
  march::EngineOptions options;
  options.threads = 1;
  const auto engine = host::make_engine(guide.problem, options, comm::Communicator::world());
  const double dt = 0.2 * engine->find_stable_step();
  constexpr double width = 0.35 * wavelength;
  const auto pulse = [&](double t) {
    const double u = (t - 6 * width) / width;
    return std::sin(2 * pi * (t - 6 * width) / wavelength) * std::exp(-u * u / 2);
  };
  march::Start start;
  start.dt_m = dt;
  start.steps = static_cast<std::int64_t>(40 * wavelength / dt);
  start.waves = {[&](double n) { return pulse(n * dt); }, [](double) { return 0.0; }};
  engine->start(start);
  engine->advance(start.steps);
  engine->finish();
  const auto record = engine->take_record();
  Complex v1, v2, incident;
  Complex a1, b2;
  for (std::int64_t n = 0; n < record.rows; ++n) {
    const double* row = record.values.data() + 4 * n;
    const Complex whole = std::polar(dt, -2 * pi * static_cast<double>(n) * dt / wavelength);
    const Complex half = whole * std::polar(1.0, -pi * dt / wavelength);
    v1 += row[0] * whole;
    v2 += row[1] * whole;
    incident += pulse(static_cast<double>(n) * dt) * whole;
    a1 += (row[0] * whole + row[2] * half) / 2.0;
    b2 += (row[1] * whole - row[3] * half) / 2.0;
  }
  return {(v1 - incident) / incident, v2 / incident, a1 / incident, b2 / a1};
}

/// Phase error per wavelength in degrees.
double phase_error(const Complex& s21) { return std::arg(s21) * 180 / pi / 3; }

}  // namespace

TEST_CASE("a plane wave through three wavelengths of guide has the transmission of the semi-discrete operator") {
  struct Published {
    Space space;
    int per_wavelength;
    double s21, degrees, s11;
  };
  const auto p =
      GENERATE(Published{Space::mixed_1, 10, .99542, -12.54, .026}, Published{Space::full_1, 5, .98895, .38, .041},
               Published{Space::full_1, 10, .99413, .32, .011}, Published{Space::mixed_2, 3, .97799, -3.89, .048},
               Published{Space::mixed_2, 5, .99912, -.40, .010}, Published{Space::full_2, 3, .99221, -.43, .041},
               Published{Space::full_2, 5, .99987, -.01, .004});
  const Scattering s = measure(p.space, p.per_wavelength);
  INFO("s21 " << std::abs(s.s21) << " phase " << phase_error(s.s21) << " s11 " << std::abs(s.s11));
  CHECK(std::abs(std::abs(s.s21) - p.s21) < .0015);
  CHECK(std::abs(phase_error(s.s21) - p.degrees) < .15);
  CHECK(std::abs(std::abs(s.s11) - p.s11) < .0015);
  INFO(std::abs(s.incident) << " " << std::abs(s.s21_waves));
  CHECK(std::abs(s.incident - 1.0) < 2 * p.s11);
  CHECK(std::abs(s.s21_waves) < 1.01);
}
