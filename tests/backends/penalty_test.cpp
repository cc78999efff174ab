// The penalty of DGTD-Central on jumps: the CPU engine against the dense reference, and what theory/central promises.
#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"
#include "support/host_engine.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;
using march::Field;

namespace {

constexpr std::int64_t steps = 12;
constexpr double alpha = 0.3;

std::unique_ptr<Situation> penalised(const std::string& name, Space space) {
  auto situation = make_situation(name, space, 2, Communicator::self());
  situation->problem.penalty = alpha;
  return situation;
}

/// Both precisions, in pieces: an odd number of steps exchanges the arrays of E.
void check_against_reference(const Situation& situation) {
  const Space space = situation.problem.space;
  INFO(situation.name << ", " << name_of(space));
  const std::int64_t count = space < Space::mixed_3 ? steps : 4;  // seconds
  const auto engine = make_engine(situation.problem);
  const march::Start start = situation.make_start(0.9 * engine->find_stable_step(), count);
  const Outcome reference = run_reference(situation, start);
  CHECK(largest_difference(run_engine(*engine, start, {count}), reference) < 1e-12);
  CHECK(largest_difference(run_engine(*engine, start, {1, 2, count - 3}), reference) < 1e-12);
  const auto single = make_engine(situation.problem, 1, Precision::single_precision);
  CHECK(largest_difference(run_engine(*single, start, {count}), reference) < 1e-5 * rounding_of(space));
}

}  // namespace

TEST_CASE("DGTD-Central with a penalty marches as the dense reference") {
  for (const Space space : all_spaces) check_against_reference(*penalised("everything", space));
  for (const char* name : {"PEC and PMC", "two media", "everything with metal held", "guides of one mode",
                           "everything with metal held in classes"})
    check_against_reference(*penalised(name, Space::full_1));
  check_against_reference(*penalised("absorbing layers", Space::full_1));
  check_against_reference(*penalised("absorbing layers", Space::mixed_2));
}

TEST_CASE("faces without a penalty march as the dense reference") {
  const auto situation = penalised("two media", Space::full_1);
  const LocalMesh& mesh = situation->mesh;
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    std::uint8_t chosen = 0;
    for (std::size_t f = 0; f < 4; ++f)
      if ((static_cast<LocalIndex>(e) + mesh.neighbour[e][f]) % 3 == 0) chosen |= static_cast<std::uint8_t>(1u << f);
    situation->problem.undamped.push_back(chosen);
  }
  check_against_reference(*situation);
}

TEST_CASE("Kerr media with a penalty march as the dense reference") {
  const auto situation = penalised("Kerr", Space::full_1);
  situation->problem.kerr = {true, false, 1e-13, 100};
  const auto engine = make_engine(situation->problem);
  const march::Start start = situation->make_start(0.7 * engine->find_stable_step(), steps);
  const Outcome found = run_engine(*engine, start, {steps});
  const Outcome expected = run_reference(*situation, start);
  CHECK(largest_difference(found.electric, expected.electric) < 1e-11);
  CHECK(largest_difference(found.magnetic, expected.magnetic) < 1e-11);
}

TEST_CASE("the stable step with a penalty is two over the largest eigenvalue of the dense operator") {
  for (const Space space : {Space::mixed_1, Space::full_1})
    for (const char* name : {"closed vacuum", "everything", "everything with metal held"}) {
      const auto situation = penalised(name, space);
      const double found = make_engine(situation->problem, 1, Precision::single_precision)->find_stable_step();
      const DenseReference reference(situation->problem, situation->profile);
      INFO(name << ", " << name_of(space));
      CHECK(reference.is_stable(found));
      CHECK_FALSE(reference.is_stable(1.00002 * found));
      CHECK(found == make_engine(situation->problem)->find_stable_step());
    }
}

TEST_CASE("a closed box loses what the penalty takes, step by step") {
  const auto situation = penalised("closed vacuum", Space::full_1);
  const auto engine = make_engine(situation->problem);
  const double dt_m = 0.99 * engine->find_stable_step();
  const DenseReference reference(situation->problem, situation->profile);
  engine->start(situation->make_start(dt_m, steps));
  const auto energy = [&](const std::vector<double>& e, const std::vector<double>& h) {
    return reference.product(e, e, true) + reference.product(h, h, false) - dt_m * reference.coupling(e, h) -
           dt_m / 2 * reference.penalty_power(e);
  };
  const auto mean = [](const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> sum;
    for (std::size_t k = 0; k < a.size(); ++k) sum.push_back((a[k] + b[k]) / 2);
    return sum;
  };
  auto e = engine->field(Field::electric);
  auto h = engine->field(Field::magnetic);
  const double first = energy(e, h);
  for (std::int64_t n = 0; n < steps; ++n) {
    engine->advance(1);
    const auto later_e = engine->field(Field::electric);
    const auto later_h = engine->field(Field::magnetic);
    const double lost = energy(e, h) - energy(later_e, later_h);
    const double taken = 2 * dt_m * reference.penalty_power(mean(e, later_e));
    CHECK(taken > 1e-6 * first);
    CHECK(std::abs(lost - taken) < 1e-12 * first);
    e = later_e;
    h = later_h;
  }
}

TEST_CASE("a conductivity marches alike as a term of its medium, beside a penalty") {
  std::vector<Outcome> outcomes;
  for (const bool as_term : {false, true}) {
    const auto situation = penalised("losses", Space::full_1);
    for (Medium& medium : situation->problem.media) {
      medium.sigma_m = 0;
      if (!as_term) continue;
      medium.electric_poles.push_back({1, 0, 0, medium.sigma_e, 0});
      medium.sigma_e = 0;
    }
    auto start = situation->make_start(0.9 * make_engine(situation->problem)->find_stable_step(), steps);
    start.magnetic.reset();
    outcomes.push_back(run_engine(*make_engine(situation->problem), start, {steps}));
  }
  CHECK(largest_difference(outcomes[0].electric, outcomes[1].electric) < 1e-12);
  CHECK(largest_difference(outcomes[0].magnetic, outcomes[1].magnetic) < 1e-12);
}
