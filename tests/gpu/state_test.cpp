// The state of a march on a GPU: taken up by another GPU engine to the last bit, by the CPU engine to rounding.
#include "march/loop/state_file.hpp"

#include "catch.hpp"
#include "cuda/launch/engine.hpp"
#include "engines/host/engine.hpp"
#include "gpu/gpu_is_here.hpp"
#include "support/outcome.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t before = 23;
constexpr std::int64_t after = 40;

march::StateRegistry state_of(march::Engine& engine) {
  march::StateRegistry registry;
  engine.register_state(registry);
  return registry;
}

/// What is recorded from now to the end, and the fields there.
Outcome finish(march::Engine& engine) {
  engine.advance(after);
  engine.finish();
  Outcome result;
  result.electric = engine.field(march::Field::electric);
  result.magnetic = engine.field(march::Field::magnetic);
  result.present_energy = engine.present_energy();
  result.record = engine.take_record().values;
  result.energies = engine.take_energy();
  return result;
}

Outcome restore(march::Engine& engine, march::Start start, const LocalMesh& mesh, const std::filesystem::path& file) {
  start.electric.reset();
  start.magnetic.reset();
  engine.start(start);
  march::read_state(state_of(engine), mesh, Communicator::self(), {file});
  engine.resume();
  return finish(engine);
}

}  // namespace

TEST_CASE("a march on a GPU goes on from its state to the last bit, and on the CPU", "[cuda]") {
  if (!gpu_is_here()) return;
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const TemporaryDirectory directory;
    const auto situation = make_situation("everything", Space::full_1, 4, Communicator::self());
    march::EngineOptions options;
    options.precision = precision;
    options.threads = 1;
    const auto engine = cuda::make_engine(situation->problem, options, Communicator::self());
    const march::Start start = situation->make_start(0.9 * engine->find_stable_step(), before + after);
    engine->start(start);
    engine->advance(before);
    engine->take_record();
    engine->take_energy();
    march::write_state(state_of(*engine), situation->mesh, true, directory / "state");
    const Outcome whole = finish(*engine);
    const auto again = cuda::make_engine(situation->problem, options, Communicator::self());
    CHECK(are_identical(restore(*again, start, situation->mesh, directory / "state"), whole));
    const auto host = host::make_engine(situation->problem, options, Communicator::self());
    const Outcome other = restore(*host, start, situation->mesh, directory / "state");
    CHECK(largest_difference(other, whole) < (precision == Precision::double_precision ? 1e-12 : 1e-4));
  }
}
