// Classes of time steps in DFDD-ELD do not resonate in rows of irregular elements that did with one layer between them.
#include <cmath>
#include <random>

#include "basis/reference_element.hpp"
#include "catch.hpp"
#include "host/engine.hpp"
#include "march/step_classes.hpp"
#include "support/cavity.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::array<double, 10> places{0, 0.01, 0.02, 0.06, 0.1, 0.14, 0.18, 0.34, 0.5, 0.66};

double width_at(std::size_t plane) {
  const auto cell = [](std::size_t i) { return places[i] - places[i - 1]; };
  if (plane == 0) return cell(1);
  return plane == 9 ? cell(9) : std::min(cell(plane), cell(plane + 1));
}

/// Nine cells by two by two between walls of PEC, whose nodes are moved by up to a quarter of a cell.
std::unique_ptr<BoxProblem> make_row(unsigned seed) {
  BoxSpec spec;
  spec.size_m = {1, 1, 1};
  spec.cells = {9, 2, 2};
  auto box = std::make_unique<BoxProblem>(spec, Space::mixed_1, std::map<std::string, march::Wall>{});
  box->problem.scheme = Scheme::dfdd_eld;
  for (auto& corners : box->mesh.corners)
    for (Vec3& x : corners) {
      const auto i = static_cast<std::size_t>(std::llround(9 * x[0]));
      const auto j = static_cast<unsigned>(std::llround(2 * x[1])), k = static_cast<unsigned>(std::llround(2 * x[2]));
      std::mt19937 generator(seed * 1000 + static_cast<unsigned>(i) * 9 + j * 3 + k);
      const auto move = [&](bool inner, double by) {
        const double share = static_cast<double>(generator() % 10001) / 20000 - 0.25;
        return inner ? share * by : 0;
      };
      const double along = move(i % 9 != 0, width_at(i));
      const double y = move(j == 1, 0.5), z = move(k == 1, 0.5);
      x = {places[i] + along, x[1] + y, x[2] + z};
    }
  box->problem.classes =
      march::assign_classes(box->problem, march::bound_steps(box->problem, 1), 3, Communicator::self());
  return box;
}

}  // namespace

TEST_CASE("irregular rows in classes of steps of DFDD-ELD do not grow at three quarters of each class's limit") {
  for (const unsigned seed : {3U, 4U, 5U}) {
    const auto box = make_row(seed);
    REQUIRE(box->problem.classes.count == 3);
    march::EngineOptions options;
    options.threads = 1;
    const auto engine = host::make_engine(box->problem, options, Communicator::self());
    march::Start start;
    start.dt_m = engine->find_stable_step();
    start.steps = 3000;
    start.electric.emplace(box->mesh.global_id.size() * basis::reference_element(Space::mixed_1).dofs);
    start.magnetic.emplace(start.electric->size());
    for (std::size_t i = 0; i < start.electric->size(); ++i) {
      (*start.electric)[i] = std::sin(1.7 * static_cast<double>(i));
      (*start.magnetic)[i] = std::sin(2.3 * static_cast<double>(i));
    }
    engine->start(start);
    engine->advance(300);
    const double before = engine->present_energy();
    engine->advance(2700);
    INFO(seed << ": " << engine->present_energy() / before);
    CHECK(engine->present_energy() < 20 * before);  // it has parts that grow linearly, as without classes
  }
}
