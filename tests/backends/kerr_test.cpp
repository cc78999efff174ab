// Kerr media: the CPU engine against the dense reference, and what the scheme promises of them.
#include <cmath>

#include "basis/kerr_rule.hpp"
#include "basis/reference_element.hpp"
#include "catch.hpp"
#include "support/host_engine.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 20;
constexpr double part_of_stable = 0.7;

/// 12 l! m! n! k! / (l + m + n + k + 3)! / 2: the mean of L0^l L1^m L2^n L3^k over a tetrahedron.
double mean_of(const std::array<int, 4>& powers) {
  double value = 6;
  int sum = 3;
  for (const int p : powers) {
    value *= std::tgamma(p + 1);
    sum += p;
  }
  return value / std::tgamma(sum + 1);
}

}  // namespace

TEST_CASE("the quadrature of Kerr media is exact to degree 5 and 6") {
  for (const auto& [space, degree] : {std::pair{Space::full_1, 5}, std::pair{Space::full_2, 6}}) {
    const auto rule = basis::kerr_rule(space);
    for (int a = 0; a <= degree; ++a)
      for (int b = 0; a + b <= degree; ++b)
        for (int c = 0; a + b + c <= degree; ++c) {
          double sum = 0;
          for (std::size_t g = 0; g < rule.weight.size(); ++g) {
            const auto& at = rule.barycentric[g];
            CHECK(rule.weight[g] > 0);
            sum += 6 * rule.weight[g] * std::pow(at[0], a) * std::pow(at[1], b) * std::pow(at[2], c);
          }
          CHECK(std::abs(sum - mean_of({a, b, c, 0})) < 1e-14);
        }
  }
}

TEST_CASE("Kerr media march as the dense reference, by both iterations") {
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2, Space::full_2})
    for (const bool newton : {true, false}) {
      const auto situation = make_situation("Kerr", space, 2, Communicator::self());
      situation->problem.kerr = {newton, false, 1e-13, 100};
      auto engine = make_engine(situation->problem);
      const auto start = situation->make_start(part_of_stable * engine->find_stable_step(), steps);
      const Outcome found = run_engine(*engine, start, {steps});
      const Outcome expected = run_reference(*situation, start);
      INFO(name_of(space) << (newton ? " newton" : " fixed-point"));
      CHECK(largest_difference(found.electric, expected.electric) < 1e-11);
      CHECK(largest_difference(found.magnetic, expected.magnetic) < 1e-11);
      const auto figures = engine->kerr_figures();
      REQUIRE(figures.has_value());
      CHECK(figures->failed_step == -1);
      CHECK(figures->largest_eps_r > 2.2);
      const double mean = figures->iterations / (figures->updates * static_cast<double>(steps));
      CHECK(mean < (newton ? 6 : 60));
    }
}

TEST_CASE("the averaged residual converges by both iterations to the same fields") {
  const auto situation = make_situation("Kerr", Space::full_1, 2, Communicator::self());
  std::vector<Outcome> outcomes;
  for (const bool newton : {true, false}) {
    situation->problem.kerr = {newton, true, 1e-13, 300};
    auto engine = make_engine(situation->problem);
    const auto start = situation->make_start(part_of_stable * engine->find_stable_step(), steps);
    outcomes.push_back(run_engine(*engine, start, {steps}));
    const auto figures = engine->kerr_figures();
    CHECK(figures->failed_step == -1);
    if (newton) CHECK(figures->most <= 8);
  }
  CHECK(largest_difference(outcomes[0].electric, outcomes[1].electric) < 1e-10);
}

TEST_CASE("a Kerr medium of no strength is the linear one, beside dispersion too") {
  for (const std::string name : {"Kerr", "Kerr beside linear"}) {
    const auto situation = make_situation(name, Space::full_1, 2, Communicator::self());
    std::vector<Outcome> outcomes;
    for (const double chi3 : {0.0, 1e-30}) {
      for (Medium& medium : situation->problem.media) medium.chi3 = medium.chi3 > 0 || chi3 > 0 ? chi3 : 0;
      auto engine = make_engine(situation->problem);
      outcomes.push_back(run_engine(*engine, situation->make_start(0.02, steps), {steps}));
    }
    CHECK(largest_difference(outcomes[0].electric, outcomes[1].electric) < 1e-13);
  }
}

TEST_CASE("the energy of a lossless Kerr medium stays, and falls with losses") {
  for (const bool lossy : {false, true}) {
    const auto situation = make_situation("Kerr", Space::full_1, 2, Communicator::self());
    for (Medium& medium : situation->problem.media)
      if (!lossy) medium.sigma_e = medium.sigma_m = 0;
    auto engine = make_engine(situation->problem);
    const std::int64_t many = 4000;
    const auto start = situation->make_start(part_of_stable / 2 * engine->find_stable_step(), many);
    const Outcome found = run_engine(*engine, start, {many});
    const auto total = [](const march::EnergyRow& row) { return row.electric + row.magnetic + row.nonlinear; };
    const double first = total(found.energies.front()), last = total(found.energies.back());
    CHECK(found.energies.front().nonlinear > 0.02 * first);
    if (lossy)
      CHECK(last / first < 0.3);
    else
      CHECK(std::abs(last / first - 1) < 2e-2);
  }
}

TEST_CASE("residuals of Newton's iteration square") {
  // As many iterations as allowed, at a tolerance that is never met: the fields after 1, 2, 3, .. of them.
  const auto situation = make_situation("Kerr", Space::full_1, 2, Communicator::self());
  std::vector<std::vector<double>> fields;
  for (int most = 1; most <= 6; ++most) {
    situation->problem.kerr = {true, false, 1e-30, most};
    auto engine = make_engine(situation->problem);
    const auto start = situation->make_start(0.5 * engine->find_stable_step(), 1);
    fields.push_back(run_engine(*engine, start, {1}).electric);
  }
  double last = largest_difference(fields[0], fields[5]);
  for (std::size_t k = 1; k < 5; ++k) {
    const double error = largest_difference(fields[k], fields[5]);
    CHECK(error < std::max(2 * last * last, 1e-14));
    last = error;
  }
  CHECK(last < 1e-13);
}

TEST_CASE("an update that does not converge is told with its step and element") {
  const auto situation = make_situation("Kerr", Space::full_1, 2, Communicator::self());
  situation->problem.kerr = {true, false, 1e-12, 1};
  auto engine = make_engine(situation->problem);
  run_engine(*engine, situation->make_start(0.02, 3), {3});
  const auto figures = engine->kerr_figures();
  CHECK(figures->failed_step == 0);
  CHECK(figures->failed_element >= 0);
}

TEST_CASE("Kerr media are the same with any number of threads and in pieces") {
  const auto situation = make_situation("Kerr beside linear", Space::mixed_2, 2, Communicator::self());
  auto engine = make_engine(situation->problem);
  const auto start = situation->make_start(0.5 * engine->find_stable_step(), steps);
  const Outcome whole = run_engine(*engine, start, {steps});
  auto other = make_engine(situation->problem, 2);
  CHECK(are_identical(whole, run_engine(*other, start, {1, 7, steps - 8})));
  CHECK(are_identical(whole, run_engine(*engine, start, {3, steps - 3})));
}
