// The benchmark's kernels of single parts make the same march as the fused ones.
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

TEST_CASE("the parts of a half step together are the fused half step") {
  constexpr std::int64_t steps = 20;
  for (const Space space : all_spaces)
    for (const Layout layout : {Layout::factored, Layout::stored})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
        const auto situation = make_situation("PEC and PMC", space, 2, Communicator::self());
        situation->problem.walls = {march::Wall::electric, march::Wall::magnetic};
        situation->problem.layout = layout;
        march::EngineOptions options;
        options.precision = precision;
        options.threads = 1;
        const auto engine = host::make_engine(situation->problem, options, Communicator::self());
        const auto unfused = host::make_unfused(situation->problem, options);
        const march::Start start = situation->make_start(0.9 * engine->find_stable_step(), steps);
        march::start_at_rest(*engine, start);
        unfused->start(start.dt_m, *start.electric, *start.magnetic);
        engine->advance(steps);
        unfused->advance(steps);
        const double most = precision == Precision::double_precision ? 1e-14 * rounding_of(space) : 1e-5;
        INFO(name_of(space) << (layout == Layout::stored ? ", stored" : ", factored"));
        for (const march::Field field : {march::Field::electric, march::Field::magnetic})
          CHECK(largest_difference(unfused->field(field), engine->field(field)) < most);
        CHECK(unfused->parts().size() == (layout == Layout::stored ? 2 : 3));
        CHECK(unfused->bytes_per_step() > engine->bytes_per_step());
      }
}
