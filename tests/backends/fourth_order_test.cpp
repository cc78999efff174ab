// Steps of fourth order of DGTD-Central: against the exact solution of the semi-discrete equations, by a dense
// reference with written-out functions, and what theory/central promises.
#include <array>
#include <cmath>

#include "catch.hpp"
#include "support/host_engine.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;
using march::Field;

namespace {

/// A start whose waves are those of one with `per_step` steps in one of its steps.
march::Start refine(const Situation& situation, double dt_m, std::int64_t steps, std::int64_t per_step) {
  march::Start start = situation.make_start(dt_m / static_cast<double>(per_step), steps * per_step);
  for (auto* waves : {&start.waves, &start.source_waves})
    for (march::Wave& wave : *waves)
      wave = [wave, per_step](double n) { return wave(n / static_cast<double>(per_step)); };
  return start;
}

/// Differences of E and of the last row from the exact ones, with steps of dt, dt/2 and dt/4.
std::array<std::array<double, 3>, 2> errors_of(const Situation& situation, double dt_m) {
  constexpr std::int64_t steps = 8;
  DenseReference reference(situation.problem, situation.profile);
  reference.march_exactly(situation.make_start(dt_m, steps), steps, 256);
  const std::vector<double> row = reference.row();
  std::array<std::array<double, 3>, 2> errors{};
  std::int64_t per_step = 1;
  for (std::size_t k = 0; k < 3; ++k, per_step *= 2) {
    const Outcome found =
        run_engine(*make_engine(situation.problem), refine(situation, dt_m, steps, per_step), {steps * per_step});
    errors[0][k] = largest_difference(found.electric, reference.field(Field::electric));
    const std::vector<double> last(found.record.end() - static_cast<std::ptrdiff_t>(row.size()), found.record.end());
    errors[1][k] = largest_difference(last, row);
  }
  return errors;
}

void check_order(const std::string& name, Space space) {
  const auto situation = make_fourth_order(name, space, 2, Communicator::self());
  const double dt_m = 0.25 * make_engine(situation->problem)->find_stable_step();
  const auto errors = errors_of(*situation, dt_m);
  INFO(name << ", " << name_of(space));
  for (const auto& of : errors) {
    INFO("errors " << of[0] << ", " << of[1] << ", " << of[2]);
    CHECK(of[0] < 1e-3);
    CHECK(std::log2(of[0] / of[1]) > 3.7);
    CHECK(std::log2(of[1] / of[2]) > 3.85);
  }
}

}  // namespace

TEST_CASE("the error of fourth-order steps falls with the fourth power of the step") {
  for (const std::string& name : fourth_order_names()) check_order(name, Space::full_1);
  for (const char* name : {"everything", "inner dispersion"}) check_order(name, Space::mixed_2);
}

TEST_CASE("a step of fourth order is stable up to 2 sqrt 3 over the largest singular value") {
  for (const char* name : {"closed vacuum", "everything with metal held"}) {
    const auto situation = make_fourth_order(name, Space::full_1, 2, Communicator::self());
    const double found = make_engine(situation->problem)->find_stable_step();
    DenseReference reference(situation->problem, situation->profile);
    CHECK(reference.is_stable(found / std::sqrt(3.0)));
    CHECK_FALSE(reference.is_stable(1.00002 * found / std::sqrt(3.0)));
  }
  const auto situation = make_fourth_order("closed vacuum", Space::full_1, 2, Communicator::self());
  const auto engine = make_engine(situation->problem);
  const double limit = engine->find_stable_step();
  CHECK(energy_growth(*engine, situation->make_start(0.99 * limit, 4000)) < 1.5);
  CHECK_FALSE(energy_growth(*engine, situation->make_start(1.02 * limit, 4000)) < 1e3);
}

TEST_CASE("fourth-order steps at nine tenths of the limit never gain energy from losses") {
  for (const char* name :
       {"losses", "absorbing walls", "inner dispersion", "other impedance", "everything with metal held"}) {
    const auto situation = make_fourth_order(name, Space::full_1, 2, Communicator::self());
    const auto engine = make_engine(situation->problem);
    auto start = situation->make_start(0.9 * engine->find_stable_step(), 4000);
    for (march::Wave& wave : start.waves) wave = [](double) { return 0.0; };
    INFO(name);
    CHECK(energy_growth(*engine, start) < 1);
  }
}

TEST_CASE("the energy of a closed box changes with the fourth power of the step, and of a lossless medium's terms") {
  const auto situation = make_fourth_order("closed vacuum", Space::full_1, 2, Communicator::self());
  const auto engine = make_engine(situation->problem);
  const double dt_m = 0.25 * engine->find_stable_step();
  std::vector<double> changes;
  for (const std::int64_t per_step : {1, 2}) {
    const Outcome found = run_engine(*engine, refine(*situation, dt_m, 28, per_step), {28 * per_step});
    double largest = 0;
    for (const march::EnergyRow& row : found.energies)
      largest = std::max(largest, std::abs(row.total() / found.energies.front().total() - 1));
    changes.push_back(largest);
  }
  CHECK(changes[0] < 1e-3);
  CHECK(std::log2(changes[0] / changes[1]) > 3.5);
}

TEST_CASE("fourth-order steps are the same in pieces, and in single precision to its rounding") {
  for (const std::string& name : fourth_order_names()) {
    const auto situation = make_fourth_order(name, Space::full_2, 2, Communicator::self());
    const auto engine = make_engine(situation->problem);
    const auto start = situation->make_start(0.8 * engine->find_stable_step(), 12);
    const Outcome whole = run_engine(*engine, start, {12});
    INFO(name);
    CHECK(are_identical(run_engine(*engine, start, {1, 2, 9}), whole));
    CHECK(largest_difference(run_engine(*make_engine(situation->problem, 1, Precision::single_precision), start, {12}),
                             whole) < 1e-5);
  }
}
