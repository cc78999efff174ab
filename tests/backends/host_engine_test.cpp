// What the CPU engine's results must not depend on: instruction set, threads, pieces, earlier marches.
#include <cstdlib>

#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "host/isa.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 40;

/// TETRAWAVE_ISA for as long as this lives.
class ChosenIsa {
 public:
  explicit ChosenIsa(const std::string& isa) { setenv("TETRAWAVE_ISA", isa.c_str(), 1); }
  ~ChosenIsa() { unsetenv("TETRAWAVE_ISA"); }
  ChosenIsa(const ChosenIsa&) = delete;
  ChosenIsa& operator=(const ChosenIsa&) = delete;
};

struct Bench {
  std::unique_ptr<Situation> situation;
  Precision precision;
  double dt_m;

  Bench(Space space, Precision chosen, std::int64_t cells = 2)
      : situation(make_situation("everything", space, cells, Communicator::self())), precision(chosen) {
    dt_m = 0.9 * make_engine()->find_stable_step();
  }
  [[nodiscard]] std::unique_ptr<march::Engine> make_engine(int threads = 1) const {
    march::EngineOptions options;
    options.precision = precision;
    options.threads = threads;
    return host::make_engine(situation->problem, options, Communicator::self());
  }
  [[nodiscard]] march::Start start(std::int64_t count = steps) const { return situation->make_start(dt_m, count); }
};

template <class Work>
void for_all_types(const Work& work) {
  for (const Space space : all_spaces)
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      INFO(name_of(space) << (precision == Precision::double_precision ? " double" : " single"));
      work(space, precision);
    }
}

}  // namespace

TEST_CASE("every instruction set of this machine marches alike") {
  for_all_types([](Space space, Precision precision) {
    const Bench bench(space, precision);
    const Outcome best = run_engine(*bench.make_engine(), bench.start(), {steps});
    const host::Isa highest = host::best_isa();
    for (const host::Isa isa : host::usable_isas()) {
      const ChosenIsa chosen(host::name_of(isa).substr(7));  // v2, v3, v4
      const auto engine = bench.make_engine();
      CHECK_THAT(engine->device(), ContainsSubstring(host::name_of(isa)));
      const Outcome outcome = run_engine(*engine, bench.start(), {steps});
      CHECK(largest_difference(outcome, best) <
            rounding_of(space) * (precision == Precision::double_precision ? 1e-13 : 1e-5));
      if (isa == highest) CHECK(are_identical(outcome, best));
    }
  });
}

TEST_CASE("one thread and two threads march alike to the last bit") {
  for_all_types([](Space space, Precision precision) {
    const Bench bench(space, precision, 4);
    const auto one = bench.make_engine(1), two = bench.make_engine(2);
    CHECK(are_identical(run_engine(*one, bench.start(), {steps}), run_engine(*two, bench.start(), {steps})));
    // The stable step is always found in double.
    if (precision == Precision::double_precision) CHECK(one->find_stable_step() == two->find_stable_step());
  });
}

TEST_CASE("advancing in uneven pieces changes no bit") {
  for_all_types([](Space space, Precision precision) {
    for (const std::int64_t energy_every : {0, 7}) {
      Bench bench(space, precision);
      bench.situation->problem.energy_every = energy_every;
      const auto engine = bench.make_engine();
      const Outcome whole = run_engine(*engine, bench.start(), {steps});
      CHECK(whole.energies.size() == (energy_every == 0 ? 0 : 7));
      CHECK(are_identical(run_engine(*engine, bench.start(), {1, 17, 0, 3, 19}), whole));
      CHECK(are_identical(run_engine(*engine, bench.start(), std::vector<std::int64_t>(steps, 1)), whole));
    }
  });
}

TEST_CASE("a march longer than the recorder's memory loses no row") {
  constexpr std::int64_t many = 4500;
  Bench bench(Space::mixed_1, Precision::double_precision);
  bench.situation->problem.energy_every = 0;
  const auto engine = bench.make_engine();
  const Outcome whole = run_engine(*engine, bench.start(many), {many});
  REQUIRE(whole.record.size() == 5 * (many + 1));
  engine->start(bench.start(many));
  std::vector<double> rows;
  const auto take = [&] {
    const march::Record record = engine->take_record();
    CHECK(record.first == static_cast<std::int64_t>(rows.size() / 5));
    rows.insert(rows.end(), record.values.begin(), record.values.end());
  };
  for (std::int64_t k = 0; k < many; k += 750) {
    engine->advance(750);
    take();
  }
  engine->finish();
  take();
  CHECK(largest_difference(rows, whole.record) == 0);
}

TEST_CASE("an engine that starts again marches as a new one") {
  for_all_types([](Space space, Precision precision) {
    const Bench bench(space, precision);
    const auto used = bench.make_engine();
    run_engine(*used, bench.start(200), {200});
    const march::Start start = bench.start(9);
    CHECK(are_identical(run_engine(*used, start, {9}), run_engine(*bench.make_engine(), start, {9})));
  });
}
