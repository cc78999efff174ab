// Classes of time steps do not resonate in rows of irregular elements that did with fewer layers between them.
#include <cmath>
#include <random>
#include <vector>

#include "basis/reference_element.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "march/loop/step_classes.hpp"
#include "support/cavity.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

/// Cells of these widths by two by two of half of `across` between walls of PEC, whose nodes are moved by up to a
/// quarter of a cell, in at most `most` classes.
std::unique_ptr<BoxProblem> make_row(Scheme scheme, const std::vector<double>& widths, double across, int most,
                                     unsigned seed) {
  const auto cells = static_cast<std::int32_t>(widths.size());
  BoxMesh spec;
  spec.size_m = {1, 1, 1};
  spec.cells = {cells, 2, 2};
  auto box = std::make_unique<BoxProblem>(spec, Space::mixed_1, std::map<std::string, march::Wall>{});
  box->problem.scheme = scheme;
  std::vector<double> places{0};
  for (const double width : widths) places.push_back(places.back() + width);
  for (auto& corners : box->mesh.corners)
    for (Vec3& x : corners) {
      const auto i = static_cast<std::size_t>(std::llround(cells * x[0]));
      const auto j = static_cast<unsigned>(std::llround(2 * x[1])), k = static_cast<unsigned>(std::llround(2 * x[2]));
      std::mt19937 generator(seed * 1000 + static_cast<unsigned>(i) * 9 + j * 3 + k);
      const auto move = [&](bool inner, double by) {
        const double share = static_cast<double>(generator() % 10001) / 20000 - 0.25;
        return inner ? share * by : 0;
      };
      const bool inner = i > 0 && i < widths.size();
      const double along = move(inner, inner ? std::min(widths[i - 1], widths[i]) : widths[i == 0 ? 0 : i - 1]);
      const double y = move(j == 1, 0.5), z = move(k == 1, 0.5);
      x = {places[i] + along, across * (x[1] + y), across * (x[2] + z)};
    }
  box->problem.classes =
      march::assign_classes(box->problem, march::bound_steps(box->problem, 1), most, Communicator::self());
  return box;
}

/// Of so many stable steps of a field of all modes.
double growth_of(const BoxProblem& box, std::int64_t steps) {
  march::EngineOptions options;
  options.threads = 1;
  const auto engine = host::make_engine(box.problem, options, Communicator::self());
  march::Start start;
  start.dt_m = engine->find_stable_step();
  start.steps = steps;
  start.electric.emplace(box.mesh.global_id.size() * basis::reference_element(Space::mixed_1).dofs);
  start.magnetic.emplace(start.electric->size());
  for (std::size_t i = 0; i < start.electric->size(); ++i) {
    (*start.electric)[i] = std::sin(1.7 * static_cast<double>(i));
    (*start.magnetic)[i] = std::sin(2.3 * static_cast<double>(i));
  }
  return energy_growth(*engine, start);
}

}  // namespace

TEST_CASE("irregular rows in classes of steps of DFDD-ELD do not grow at the stable step") {
  const std::vector<double> widths{0.01, 0.01, 0.04, 0.04, 0.04, 0.04, 0.16, 0.16, 0.16};
  for (const unsigned seed : {3U, 4U, 5U}) {
    const auto box = make_row(Scheme::dfdd_eld, widths, 1, 3, seed);
    REQUIRE(box->problem.classes.count == 3);
    const double growth = growth_of(*box, 3000);
    INFO(seed << ": " << growth);
    CHECK(growth < 20);  // given fields have parts that grow linearly
  }
}

TEST_CASE("irregular rows in classes of steps of DGTD-Central do not grow at the stable step") {
  const std::vector<double> widths{1, 1, 0.6, 0.2, 0.06, 0.02, 0.02, 0.06, 0.2, 0.6, 1, 1, 1};
  for (const unsigned seed : {1U, 2U, 3U}) {
    const auto box = make_row(Scheme::dgtd_central, widths, 2, 4, seed);
    REQUIRE(box->problem.classes.count >= 3);
    const double growth = growth_of(*box, 3000);
    INFO(seed << ": " << growth);
    CHECK(growth == Approx(1).margin(0.02));
  }
}
