// Steps and fields of all schemes on the CPU against given numbers and conservation laws.
#include <cmath>

#include "catch.hpp"
#include "host/host_backend.hpp"
#include "march/loop/step_classes.hpp"
#include "mesh/tetrahedron.hpp"
#include "schemes/upwind/stable_step.hpp"
#include "support/cavity.hpp"
#include "support/host_engine.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("the stable steps of a cube of 48 elements are the given ones in every scheme and space") {
  struct Given {
    Scheme scheme;
    std::vector<double> limit;  // of the first spaces
    double tolerance;
  };
  const std::array<Given, 3> all{
      {{Scheme::dfdd_eld, {.094379, .061932, .048974, .035524}, 2e-5},
       {Scheme::dgtd_central, {.099481, .090458, .059256, .055652, .0381308, .0366314, .0263112}, 2e-5},
       {Scheme::dgtd_upwind, {.1372, .1067, .0839, .0647}, 6e-3}}};
  for (const Given& given : all)
    for (std::size_t k = 0; k < given.limit.size(); ++k) {
      BoxProblem box(unit_box(2), dgtd_spaces[k], {});
      box.problem.scheme = given.scheme;
      INFO("scheme " << static_cast<int>(given.scheme) << ", " << name_of(dgtd_spaces[k]));
      CHECK(make_engine(box.problem)->find_stable_step() == Approx(given.limit[k]).epsilon(given.tolerance));
    }
}

TEST_CASE("without losses nothing grows just below the stable step, and everything does above it") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2}) {
      BoxProblem box(unit_box(2, 0.2), space, {});
      box.problem.scheme = scheme;
      const auto engine = make_engine(box.problem);
      march::Start start;
      start.steps = 4000;
      const std::size_t dofs = box.mesh.global_id.size() * dofs_of(space);
      start.electric.emplace(dofs);
      start.magnetic.emplace(dofs, 0.0);
      for (std::size_t i = 0; i < dofs; ++i) (*start.electric)[i] = std::sin(1.7 * static_cast<double>(i));
      const double limit = engine->find_stable_step();
      const auto growth = [&](double share) {
        start.dt_m = share * limit;
        engine->start(start);
        const double before = engine->present_energy();
        engine->advance(start.steps);
        return engine->present_energy() / before;
      };
      INFO("scheme " << static_cast<int>(scheme) << ", " << name_of(space));
      CHECK(growth(0.98) < 100);
      const double unstable = growth(1.03);
      CHECK((!(unstable < 1e6) || std::isnan(unstable)));
    }
}

TEST_CASE("the energy of DGTD-Upwind never grows, and losses and dispersion only take energy in every scheme") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind}) {
    Medium medium{2, 1.5, 0.3, 0.1};
    medium.electric_poles = {{1, 3, 0, 2.4, 0}, {2, 40, 1.5, 30, 0}};
    medium.magnetic_poles = {{2, 25, 3, 12, 0}};
    BoxProblem box(unit_box(2, 0.2), Space::full_1, {}, medium);
    box.problem.scheme = scheme;
    box.problem.energy_every = 1;
    const auto engine = make_engine(box.problem);
    march::Start start;
    start.dt_m = 0.5 * engine->find_stable_step();
    start.steps = 3000;
    const std::size_t dofs = box.mesh.global_id.size() * 12;
    start.electric.emplace(dofs);
    start.magnetic.emplace(dofs, 0.0);
    for (std::size_t i = 0; i < dofs; ++i) (*start.electric)[i] = std::sin(1.7 * static_cast<double>(i));
    engine->start(start);
    const double before = engine->present_energy();
    engine->advance(start.steps);
    INFO("scheme " << static_cast<int>(scheme));
    // The second-order equations of DFDD-ELD keep the static part of fields that are given at t = 0.
    CHECK(engine->present_energy() < (scheme == Scheme::dfdd_eld ? 1 : 1e-3) * before);
  }
  BoxProblem box(unit_box(2, 0.2), Space::full_1, {});
  box.problem.scheme = Scheme::dgtd_upwind;
  box.problem.energy_every = 1;
  const auto engine = make_engine(box.problem);
  march::Start start;
  start.dt_m = 0.95 * engine->find_stable_step();
  start.steps = 400;
  const std::size_t dofs = box.mesh.global_id.size() * 12;
  start.electric.emplace(dofs, 1.0);
  start.magnetic.emplace(dofs, -0.5);
  engine->start(start);
  engine->advance(start.steps);
  const auto energies = engine->take_energy();
  REQUIRE(energies.size() == 400);
  for (std::size_t k = 1; k < energies.size(); ++k)
    CHECK(energies[k].electric + energies[k].magnetic <= energies[k - 1].electric + energies[k - 1].magnetic);
}

TEST_CASE("levels whose flux does not damp, as around edges of metal, grow and are soon refused") {
  BoxProblem box(unit_box(5, 0.3), Space::mixed_1, {});
  march::Problem& problem = box.problem;
  problem.scheme = Scheme::dgtd_upwind;
  std::vector<double> bounds;
  for (const auto& corners : box.mesh.corners) bounds.push_back(centroid(corners)[0] < 0.3 ? 1 : 3.1);
  problem.classes = march::assign_classes(problem, bounds, 3, comm::Communicator::self());
  REQUIRE(problem.classes.count == 2);
  host::HostBackend backend(1);
  const auto search = [&](double useful_m) {
    march::UpwindStep<host::HostBackend> step(backend, problem, comm::Communicator::self());
    const double found = step.find_of_classes(useful_m);
    return std::pair(found, step.applications());
  };
  const auto [damped_m, applications] = search(0);
  CHECK(damped_m > 0);
  CHECK(applications < 450);
  CHECK(search(0.9 * damped_m).first == damped_m);
  CHECK(search(1.1 * damped_m).first < 1.1 * damped_m);
  problem.undamped.assign(box.mesh.corners.size(), 15);
  const auto [undamped_m, in_vain] = search(0.5 * damped_m);
  CHECK(undamped_m == 0);
  CHECK(in_vain < 160);
  const auto engine = make_engine(problem);
  march::Start start;
  start.dt_m = 0.5 * damped_m;
  start.steps = 400;
  start.electric.emplace(box.mesh.global_id.size() * dofs_of(problem.space));
  for (std::size_t i = 0; i < start.electric->size(); ++i)
    (*start.electric)[i] = std::sin(1.7 * static_cast<double>(i));
  engine->start(start);
  const double before = engine->present_energy();
  engine->advance(start.steps);
  CHECK(engine->present_energy() > 100 * before);
}

TEST_CASE("the search for the step of DGTD-Upwind needs few applications of the operator") {
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2}) {
    BoxProblem box(unit_box(4, 0.3), space, {});
    box.problem.scheme = Scheme::dgtd_upwind;
    host::HostBackend backend(1);
    march::UpwindStep<host::HostBackend> step(backend, box.problem, comm::Communicator::self());
    const double found = step.find();
    INFO(tetrawave::name_of(space) << ": " << found << " m, " << step.applications());
    CHECK(found > 0);
    CHECK(step.applications() < 300);
  }
}
