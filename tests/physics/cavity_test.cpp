// Closed cavities over many steps, and their resonance.
#include <cmath>

#include "base/constants.hpp"
#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "host/engine.hpp"
#include "sources/initial_fields.hpp"
#include "support/cavity.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

std::unique_ptr<march::Engine> one_thread(const march::Problem& problem) {
  march::EngineOptions options;
  options.threads = 1;
  return host::make_engine(problem, options, comm::Communicator::world());
}

Vec3 te101(const Vec3& r) { return {0, std::sin(pi * r[0]) * std::sin(pi * r[2]), 0}; }

/// <E, E0> as a functional: weights are the mass times the dofs of E0.
march::Functional amplitude_of(const BoxProblem& box, const std::vector<double>& dofs) {
  march::Functional functional;
  const std::size_t n = dofs.size() / box.mesh.corners.size();
  for (LocalIndex e = 0; e < box.mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    const auto mass = basis::PhysicalElement(box.problem.space, box.mesh.corners[k]).mass();
    march::Functional::Item item{e, std::vector<double>(n, 0.0)};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) item.weight[i] += mass(i, j) * dofs[k * n + j];
    functional.items.push_back(std::move(item));
  }
  return functional;
}

march::Start start_with(std::vector<double> electric, double dt_m, std::int64_t steps) {
  march::Start start;
  start.dt_m = dt_m;
  start.steps = steps;
  start.magnetic = std::vector<double>(electric.size(), 0.0);
  start.electric = std::move(electric);
  return start;
}

/// Relative error of the frequency of TE101 in a unit cube: a(t + dt) + a(t - dt) = 2 cos(w dt) a(t), least squares.
double frequency_error(Space space, std::int64_t cells) {
  BoxProblem box(unit_box(cells), space, {});
  const auto dofs = project_field(box.mesh, space, te101);
  box.problem.electric.push_back(amplitude_of(box, dofs));
  const auto engine = one_thread(box.problem);
  const double dt = 0.3 / static_cast<double>(cells) / 5;
  REQUIRE(dt < engine->find_stable_step());
  const auto steps = static_cast<std::int64_t>(6 / dt);
  engine->start(start_with(dofs, dt, steps));
  engine->advance(steps);
  engine->finish();
  const auto a = engine->take_record().values;
  const std::size_t lag = a.size() / 40;
  double top = 0;
  double bottom = 0;
  for (std::size_t k = lag; k + lag < a.size(); ++k) {
    top += (a[k + lag] + a[k - lag]) * a[k];
    bottom += 2 * a[k] * a[k];
  }
  const double w = std::acos(top / bottom) / (static_cast<double>(lag) * dt);
  const double exact = pi * std::sqrt(2.0);
  return std::abs(w - exact) / exact;
}

}  // namespace

TEST_CASE("the conserved energy of a cavity varies below 1e-10 over 100,000 steps") {
  const Space space = GENERATE(Space::mixed_1, Space::full_1);
  BoxProblem box(unit_box(2, 0.3), space, {});
  box.problem.energy_every = 500;
  const auto engine = one_thread(box.problem);
  constexpr std::int64_t steps = 100000;
  engine->start(start_with(project_field(box.mesh, space, te101), 0.9 * engine->find_stable_step(), steps));
  engine->advance(steps);
  engine->finish();
  double low = 1e300;
  double high = 0;
  for (const auto& row : engine->take_energy()) {
    low = std::min(low, row.electric + row.magnetic);
    high = std::max(high, row.electric + row.magnetic);
  }
  CHECK((high - low) / high < 1e-10);
}

TEST_CASE("the resonance error falls with about second order on three meshes") {
  const Space space = GENERATE(Space::mixed_1, Space::full_1);
  const double coarse = frequency_error(space, 4);
  const double middle = frequency_error(space, 8);
  const double fine = frequency_error(space, 12);
  INFO(coarse << " " << middle << " " << fine);
  CHECK(middle < coarse);
  CHECK(fine < middle);
  CHECK(std::log(coarse / fine) / std::log(3.0) > 1.75);  // observed: 2.0 (mixed-1), 1.88 (full-1)
  CHECK(fine < 0.02);
}
