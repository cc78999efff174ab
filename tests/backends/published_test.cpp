// Dispersive media by the published recursive convolutions, beside the passive equations.
#include <cmath>

#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "support/cavity.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

/// delta/(1 + s tau), lengths of time in metres.
PoleTerm debye(double delta, double tau) { return {1, 1 / tau, 0, delta / tau, 0}; }
PoleTerm lorentz(double delta, double w0, double damping) { return {2, w0 * w0, 2 * damping, delta * w0 * w0, 0}; }

/// A closed unit cube of 48 Kuhn tetrahedra full of one medium.
struct Cube {
  BoxProblem box;
  std::unique_ptr<march::Engine> engine;
  double limit;

  Cube(Scheme scheme, Medium medium, Dispersion dispersion)
      : box(unit_box(2), Space::full_1, {}, with(medium, dispersion)) {
    box.problem.scheme = scheme;
    march::EngineOptions options;
    options.threads = 1;
    engine = host::make_engine(box.problem, options, Communicator::self());
    limit = engine->find_stable_step();
  }

  /// From H alone, so that nothing is polarised at first.
  void start(double dt_m, std::int64_t steps) {
    march::Start start;
    start.dt_m = dt_m;
    start.steps = steps;
    const std::size_t dofs = box.mesh.global_id.size() * dofs_of(Space::full_1);
    start.electric.emplace(dofs, 0.0);
    start.magnetic.emplace(dofs);
    for (std::size_t i = 0; i < dofs; ++i) (*start.magnetic)[i] = std::sin(1.7 * static_cast<double>(i));
    engine->start(start);
  }

  /// Rate [1/m] at which the fields grow between two times.
  double growth(double dt_m, double from_m, double to_m) {
    const auto first = static_cast<std::int64_t>(from_m / dt_m);
    const auto last = static_cast<std::int64_t>(to_m / dt_m);
    start(dt_m, last);
    engine->advance(first);
    const double before = engine->present_energy();
    engine->advance(last - first);
    return std::log(engine->present_energy() / before) / (2 * static_cast<double>(last - first) * dt_m);
  }

 private:
  static Medium with(Medium medium, Dispersion dispersion) {
    medium.dispersion = dispersion;
    return medium;
  }
};

Medium medium_with(const PoleTerm& term) {
  Medium medium;
  medium.electric_poles = {term};
  return medium;
}

std::vector<double> electric_at(Cube& cube, double time_m, std::int64_t steps) {
  cube.start(time_m / static_cast<double>(steps), steps);
  cube.engine->advance(steps);
  return cube.engine->field(march::Field::electric);
}

}  // namespace

TEST_CASE("the published convolutions of DFDD-ELD grow as fast as was found for them, the passive equations do not") {
  struct Published {
    PoleTerm term;
    double rate;
    double until;
  };
  for (const Published& known : {Published{debye(2, 0.03), 0.77, 40}, Published{lorentz(1.25, 6, 0.3), 0.14, 150}}) {
    const Medium medium = medium_with(known.term);
    Cube published(Scheme::dfdd_eld, medium, Dispersion::published);
    const double dt = 0.05 * published.limit;
    CHECK(published.growth(dt, known.until / 2, known.until) == Approx(known.rate).epsilon(0.02));
    Cube passive(Scheme::dfdd_eld, medium, Dispersion::passive);
    CHECK(passive.growth(dt, known.until / 2, known.until) < 1e-6);
    Cube central(Scheme::dgtd_central, medium, Dispersion::published);
    CHECK(central.growth(dt, known.until / 2, known.until) < 1e-6);
  }
}

TEST_CASE("in DGTD-Central both ways of marching dispersive media agree to second order in the step") {
  const PoleTerm overdamped{2, 4, 6, 8, 0}, drude{2, 0, 2, 9, 0}, complex_pole{2, 40, 1.5, 30, 1.2},
      double_pole{2, 9, 6, 9, 0};
  for (const PoleTerm& term : {debye(2, 0.1), lorentz(1.25, 6, 0.3), overdamped, drude, complex_pole, double_pole}) {
    Medium medium = medium_with(term);
    medium.sigma_e = 0.4;
    Cube passive(Scheme::dgtd_central, medium, Dispersion::passive);
    Cube published(Scheme::dgtd_central, medium, Dispersion::published);
    const auto difference = [&](std::int64_t steps) {
      return largest_difference(electric_at(published, 0.8, steps), electric_at(passive, 0.8, steps));
    };
    const double coarse = difference(80), fine = difference(160);
    CHECK(coarse < 0.02);
    CHECK(coarse / fine == Approx(4).epsilon(0.1));
  }
}
