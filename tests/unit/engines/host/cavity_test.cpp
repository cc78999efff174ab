#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "sources/initial_fields.hpp"
#include "squared_error.hpp"
#include "support/cavity.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

/// TM110 of the unit cube: E_z = sin(pi x) sin(pi y) cos(k t), k = pi sqrt(2); eta0 H from curl E = -dH/dt.
constexpr double k_110 = 1.41421356237309505 * pi;

VectorField mode_electric(double t_m) {
  return [=](const Vec3& r) { return Vec3{0, 0, std::cos(k_110 * t_m) * std::sin(pi * r[0]) * std::sin(pi * r[1])}; };
}

struct Cavity {
  BoxProblem box;
  std::unique_ptr<march::Engine> engine;
  double dt_m;
  std::int64_t steps;

  Cavity(std::int64_t cells, Space space, double jitter, double time_m, double cfl, std::int64_t energy_every = 0,
         Precision precision = Precision::double_precision)
      : box(unit_box(cells, jitter), space, {}) {
    box.problem.energy_every = energy_every;
    march::EngineOptions options;
    options.precision = precision;
    engine = host::make_engine(box.problem, options, comm::Communicator::world());
    const double limit = cfl * engine->find_stable_step();
    steps = static_cast<std::int64_t>(std::ceil(time_m / limit));
    dt_m = time_m / static_cast<double>(steps);
    march::Start start;
    start.dt_m = dt_m;
    start.steps = steps;
    start.electric = project_field(box.mesh, space, mode_electric(0));
    start.magnetic = std::vector<double>(start.electric->size(), 0.0);
    engine->start(start);
  }

  double relative_error(double time_m) {
    const auto error =
        squared_error(box.mesh, box.problem.space, engine->field(march::Field::electric), mode_electric(time_m));
    return std::sqrt(error.difference / error.reference);
  }
};

double error_after_periods(std::int64_t cells, Space space, double periods) {
  const double time_m = periods * 2 * pi / k_110;
  Cavity cavity(cells, space, 0.4, time_m, 0.5);
  cavity.engine->advance(cavity.steps);
  return cavity.relative_error(time_m);
}

}  // namespace

TEST_CASE("the energy of a closed cavity is constant in the conserved form") {
  Cavity cavity(3, Space::full_1, 0.3, 20, 0.95, 20);
  cavity.engine->advance(cavity.steps);
  cavity.engine->finish();
  const auto rows = cavity.engine->take_energy();
  REQUIRE(rows.size() > 10);
  const double first = rows.front().electric + rows.front().magnetic;
  for (const auto& row : rows) REQUIRE(std::abs(row.electric + row.magnetic - first) < 1e-12 * first);
  CHECK(first == Approx(eps0_f_per_m / 2 / 4).epsilon(0.02));
}

TEST_CASE("mode errors on three meshes fall as given for DGTD-Central") {
  const double m6 = error_after_periods(6, Space::mixed_1, 1.375);
  const double m8 = error_after_periods(8, Space::mixed_1, 1.375);
  const double f6 = error_after_periods(6, Space::full_1, 1.375);
  const double f8 = error_after_periods(8, Space::full_1, 1.375);
  const double f12 = error_after_periods(12, Space::full_1, 1.375);
  INFO(m6 << " " << m8 << " " << f6 << " " << f8 << " " << f12);
  CHECK(m6 == Approx(.477).epsilon(.25));
  CHECK(m8 == Approx(.288).epsilon(.25));
  CHECK(f6 == Approx(.109).epsilon(.25));
  CHECK(f8 == Approx(.0762).epsilon(.25));
  CHECK(f12 == Approx(.0499).epsilon(.25));
}
