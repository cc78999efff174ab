// Fields handed out by an engine against the dofs that it holds, and their sums against sums of those.
#include <cmath>
#include <complex>
#include <map>

#include "base/constants.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "host/host_backend.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;
using march::Field;

namespace {

constexpr std::int64_t steps = 23;
constexpr std::int64_t every = 7;
constexpr double frequency_hz = 2e9;

struct Bench {
  std::unique_ptr<Situation> situation;
  Precision precision;
  double dt_m;

  Bench(Scheme scheme, Precision chosen)
      : situation(make_situation("everything", Space::full_1, 2, Communicator::self())), precision(chosen) {
    march::Problem& problem = situation->problem;
    problem.scheme = scheme;
    for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e)
      if (problem.mesh->global_id[static_cast<std::size_t>(e)] % 3 != 1) problem.fields.elements.push_back(e);
    std::sort(problem.fields.elements.begin(), problem.fields.elements.end(), [&](LocalIndex a, LocalIndex b) {
      return problem.mesh->global_id[static_cast<std::size_t>(a)] <
             problem.mesh->global_id[static_cast<std::size_t>(b)];
    });
    problem.fields.every = every;
    problem.fields.frequencies_hz = {1e9, frequency_hz};
    dt_m = 0.9 * engine()->find_stable_step();
  }
  [[nodiscard]] std::unique_ptr<march::Engine> engine() const {
    march::EngineOptions options;
    options.precision = precision;
    options.threads = 1;
    return host::make_engine(situation->problem, options, Communicator::self());
  }
  [[nodiscard]] std::vector<double> chosen(march::Engine& engine, Field which) const {
    const std::vector<double> all = engine.field(which);
    std::vector<double> dofs;
    for (const LocalIndex e : situation->problem.fields.elements)
      dofs.insert(dofs.end(), all.begin() + 12 * e, all.begin() + 12 * (e + 1));
    return dofs;
  }
  [[nodiscard]] std::int64_t listed() const {
    return static_cast<std::int64_t>(situation->problem.fields.elements.size());
  }
};

std::vector<double> mean(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back((a[i] + b[i]) / 2);
  return result;
}

/// E at the steps, H half a step later (or at them).
struct Levels {
  std::vector<std::vector<double>> electric, magnetic;
  std::vector<double> before;  ///< H before the first step
};

Levels step_by_step(const Bench& bench) {
  const auto engine = bench.engine();
  engine->start(bench.situation->make_start(bench.dt_m, steps));
  Levels levels;
  levels.before = bench.chosen(*engine, Field::magnetic);
  for (std::int64_t n = 0; n <= steps; ++n) {
    levels.electric.push_back(bench.chosen(*engine, Field::electric));
    if (!engine->is_staggered()) levels.magnetic.push_back(bench.chosen(*engine, Field::magnetic));
    n < steps ? engine->advance(1) : engine->finish();
    if (engine->is_staggered()) levels.magnetic.push_back(bench.chosen(*engine, Field::magnetic));
  }
  return levels;
}

template <class Work>
void for_all_engines(const Work& work) {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      INFO("scheme " << static_cast<int>(scheme) << ", precision " << static_cast<int>(precision));
      Bench bench(scheme, precision);
      work(bench);
    }
}

double tolerance_of(const Bench& bench) { return bench.precision == Precision::double_precision ? 1e-13 : 2e-6; }

void check_sums(const Bench& bench, march::Engine& engine, const Levels& levels) {
  const double shift = engine.is_staggered() ? 0.5 : 0;
  const double dt_s = bench.dt_m / c0_m_per_s;
  for (const Field which : {Field::electric, Field::magnetic}) {
    const auto& values = which == Field::electric ? levels.electric : levels.magnetic;
    std::vector<double> real(values[0].size(), 0.0), imaginary(values[0].size(), 0.0);
    for (std::int64_t n = 0; n <= steps; ++n) {
      const double t = (static_cast<double>(n) + (which == Field::magnetic ? shift : 0)) * dt_s;
      const std::complex<double> phase = std::polar(dt_s, -2 * pi * frequency_hz * t);
      for (std::size_t i = 0; i < real.size(); ++i) {
        real[i] += values[static_cast<std::size_t>(n)][i] * phase.real();
        imaginary[i] += values[static_cast<std::size_t>(n)][i] * phase.imag();
      }
    }
    CHECK(largest_difference(engine.field_sums(1, false)(which, 0, bench.listed()), real) < tolerance_of(bench));
    CHECK(largest_difference(engine.field_sums(1, true)(which, 0, bench.listed()), imaginary) < tolerance_of(bench));
    const std::vector<double> part = engine.field_sums(1, true)(which, 3, 5);
    CHECK(largest_difference(part, std::vector<double>(imaginary.begin() + 36, imaginary.begin() + 96)) <
          tolerance_of(bench));
  }
}

}  // namespace

TEST_CASE("snapshots are the fields at their step, H in the middle of its half steps") {
  for_all_engines([](const Bench& bench) {
    const Levels levels = step_by_step(bench);
    const auto engine = bench.engine();
    std::map<std::int64_t, std::array<std::vector<double>, 2>> taken;
    march::Start start = bench.situation->make_start(bench.dt_m, steps);
    start.take_fields = [&](std::int64_t step, const march::FieldDofs& dofs) {
      taken[step] = {dofs(Field::electric, 0, bench.listed()), dofs(Field::magnetic, 0, bench.listed())};
      CHECK(dofs(Field::magnetic, 4, 1) ==
            std::vector<double>(taken[step][1].begin() + 48, taken[step][1].begin() + 60));
    };
    engine->start(start);
    engine->advance(steps);
    engine->finish();
    REQUIRE(taken.size() == 5);
    for (const std::int64_t n : {0, 7, 14, 21, 23}) {
      INFO("step " << n);
      const auto at = static_cast<std::size_t>(n);
      REQUIRE(taken.count(n) == 1);
      CHECK(largest_difference(taken[n][0], levels.electric[at]) == 0);
      const auto expected = !engine->is_staggered()
                                ? levels.magnetic[at]
                                : mean(n == 0 ? levels.before : levels.magnetic[at - 1], levels.magnetic[at]);
      CHECK(largest_difference(taken[n][1], expected) <= tolerance_of(bench));
    }
    check_sums(bench, *engine, levels);
  });
}

TEST_CASE("sums go on from their state to the last bit, between samples and as often as before") {
  for_all_engines([](const Bench& bench) {
    march::Start start = bench.situation->make_start(bench.dt_m, steps);
    const auto whole = bench.engine(), first = bench.engine(), second = bench.engine();
    second->start(start);
    start.spectra_every = 4;
    whole->start(start);
    first->start(start);
    whole->advance(steps);
    first->advance(10);
    march::StateRegistry from, to;
    first->register_state(from);
    second->register_state(to);
    REQUIRE(from.listed().size() == 4);
    for (std::size_t k = 0; k < from.elements().size(); ++k) to.elements()[k].load(from.elements()[k].save());
    for (std::size_t k = 0; k < from.listed().size(); ++k) to.listed()[k].load(from.listed()[k].save());
    for (std::size_t k = 0; k < from.shared().size(); ++k) to.shared()[k].load(from.shared()[k].save());
    second->resume();
    CHECK(second->spectra_every() == 4);
    second->advance(steps - 10);
    for (const Field which : {Field::electric, Field::magnetic})
      for (const bool imaginary : {false, true})
        CHECK(whole->field_sums(0, imaginary)(which, 0, bench.listed()) ==
              second->field_sums(0, imaginary)(which, 0, bench.listed()));
  });
}

TEST_CASE("the memory of fields that are handed out is in the plan, to the byte") {
  for_all_engines([](Bench& bench) {
    const march::Start start = bench.situation->make_start(bench.dt_m, 3000);
    // What is allocated, and what is planned.
    const auto measure = [&] {
      const auto engine = bench.engine();
      engine->start(start);
      return std::pair(engine->device_memory_bytes(),
                       march::plan_memory(bench.situation->problem, start, bench.precision, host::memory_traits(), 1,
                                          Communicator::self())
                           .march);
    };
    const auto with = measure();
    bench.situation->problem.fields = {};
    const auto without = measure();
    CHECK(with.first - without.first == with.second - without.second);
    CHECK(with.first > without.first);
  });
}
