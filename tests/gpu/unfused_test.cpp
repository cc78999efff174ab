// The benchmark's other kernels on a GPU: parts of a half step, and the dissertation's own mapping.
#include "catch.hpp"
#include "cuda/bench/copy_bandwidth.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/launch/engine.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

void compare(Space space, Layout layout, Precision precision, const march::UnfusedFactory& make,
             std::int64_t steps = 40) {
  const auto situation = make_situation("PEC and PMC", space, steps > 3 ? 4 : 2, Communicator::self());
  situation->problem.walls = {march::Wall::electric, march::Wall::magnetic};
  situation->problem.layout = layout;
  march::EngineOptions options;
  options.precision = precision;
  const auto engine = cuda::make_engine(situation->problem, options, Communicator::self());
  const auto unfused = make(situation->problem, options);
  const march::Start start = situation->make_start(steps > 3 ? 0.9 * engine->find_stable_step() : 1e-3, steps);
  engine->start(start);
  unfused->start(start.dt_m, engine->field(march::Field::electric), engine->field(march::Field::magnetic));
  engine->advance(steps);
  unfused->advance(steps);
  INFO(name_of(space) << (layout == Layout::stored ? ", stored" : ", factored"));
  const double most = precision == Precision::double_precision ? 1e-13 * rounding_of(space) : 1e-4;
  for (const march::Field field : {march::Field::electric, march::Field::magnetic})
    CHECK(largest_difference(unfused->field(field), engine->field(field)) < most);
}

template <class Work>
void for_all_types(const Work& work) {
  for (const Space space : all_spaces)
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) work(space, precision);
}

}  // namespace

TEST_CASE("on a GPU the parts of a half step together are the fused half step", "[cuda]") {
  if (cuda::device_count() == 0) return;
  for_all_types([](Space space, Precision precision) {
    compare(space, Layout::factored, precision, cuda::make_unfused);
    compare(space, Layout::stored, precision, cuda::make_unfused);
  });
}

TEST_CASE("the dissertation's mapping marches as the stored layout", "[cuda]") {
  if (cuda::device_count() == 0) return;
  for (const int block : {480, 512})
    for_all_types([&](Space space, Precision precision) {
      compare(space, Layout::stored, precision, cuda::make_dissertation(block));
    });
}

TEST_CASE("a few steps of the benchmark's kernels are the engine's", "[cuda][tiny]") {
  if (cuda::device_count() == 0) return;
  for (const Space space : {Space::mixed_1, Space::full_2}) {
    compare(space, Layout::factored, Precision::double_precision, cuda::make_unfused, 2);
    compare(space, Layout::stored, Precision::single_precision, cuda::make_unfused, 2);
    compare(space, Layout::stored, Precision::double_precision, cuda::make_dissertation(512), 2);
  }
}

TEST_CASE("the copy bandwidth of a GPU is measured", "[cuda]") {
  if (cuda::device_count() == 0) return;
  CHECK(cuda::measure_copy() > 1e10);
}
