// Closed cavities over many steps, and their resonance.
#include <cmath>

#include "base/constants.hpp"
#include "base/names.hpp"
#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "march/loop/step_classes.hpp"
#include "mesh/tetrahedron.hpp"
#include "sources/initial_fields.hpp"
#include "support/cavity.hpp"
#include "support/written_out.hpp"

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

/// The frequency of TE101 in a box of 1 m, over c0, from steps of dt [m]: a(t + T) + a(t - T) = 2 cos(w T) a(t), least
/// squares over every third step, or, of `problem` with two classes, over each.
double frequency(BoxProblem& box, double dt) {
  const auto dofs = project_field(box.mesh, box.problem.space, te101);
  box.problem.electric = {amplitude_of(box, dofs)};
  const auto engine = one_thread(box.problem);
  REQUIRE(dt <= engine->find_stable_step());
  const auto steps = static_cast<std::int64_t>(6 / dt);
  engine->start(start_with(dofs, dt, steps));
  engine->advance(steps);
  engine->finish();
  const auto a = engine->take_record().values;
  const std::size_t every = box.problem.classes.count > 1 ? 1 : 3;
  const std::size_t lag = every * static_cast<std::size_t>(std::llround(0.15 / (static_cast<double>(every) * dt)));
  double top = 0;
  double bottom = 0;
  for (std::size_t k = lag; k + lag < a.size(); k += every) {
    top += (a[k + lag] + a[k - lag]) * a[k];
    bottom += 2 * a[k] * a[k];
  }
  return std::acos(top / bottom) / (static_cast<double>(lag) * dt);
}

double frequency_error(Space space, std::int64_t cells) {
  BoxProblem box(unit_box(cells), space, {});
  const double exact = pi * std::sqrt(2.0);
  return std::abs(frequency(box, 0.3 / static_cast<double>(cells) / 5) - exact) / exact;
}

/// By which part the frequency changes where every other cell of the box, as on a chessboard, marches at three times
/// the step of the others, which is `share` of the longest.
double shift_by_classes(Scheme scheme, Space space, std::int64_t cells, double share) {
  BoxProblem box(unit_box(cells), space, {});
  box.problem.scheme = scheme;
  march::StepClasses classes;
  classes.count = 2;
  for (const auto& corners : box.mesh.corners) {
    int sum = 0;
    for (const double x : centroid(corners)) sum += static_cast<int>(x * static_cast<double>(cells));
    classes.of_element.push_back(static_cast<std::int8_t>(sum % 2));
  }
  march::find_borders(classes, box.mesh, comm::Communicator::world());
  box.problem.classes = classes;
  const double longest = share * one_thread(box.problem)->find_stable_step();
  const double with_classes = frequency(box, longest);
  box.problem.classes = {};
  return with_classes / frequency(box, longest / 3) - 1;
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

TEST_CASE("waves cross the borders of classes of steps at their speed") {
  struct Choice {
    Scheme scheme;
    Space space;
    std::int64_t cells;
  };
  for (const auto& [scheme, space, cells] : {Choice{Scheme::dgtd_central, Space::full_1, 4},
                                             {Scheme::dgtd_central, Space::mixed_2, 3},
                                             {Scheme::dfdd_eld, Space::full_1, 4},
                                             {Scheme::dfdd_eld, Space::mixed_2, 3}}) {
    const double whole = shift_by_classes(scheme, space, cells, 1), half = shift_by_classes(scheme, space, cells, 0.5);
    const double finer = shift_by_classes(scheme, space, 2 * cells, 1);
    INFO(tetrawave::name_of(scheme) << ", " << tetrawave::name_of(space) << ": " << whole << ", of half the steps "
                                    << half << ", of half the cells " << finer);
    CHECK(std::abs(whole) < 7e-4);  // 4e-3 to 7e-3, whatever the cells, without what the borders' masses get
    CHECK(whole / half == Approx(4).margin(scheme == Scheme::dfdd_eld ? 1.5 : 1));  // given fields are made a pulse's
    CHECK(std::abs(finer) < std::abs(whole) / 2.5);
  }
}
