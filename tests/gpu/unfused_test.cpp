// The benchmark's other kernels on a GPU: parts of a half step, and the dissertation's own mapping.
#include "catch.hpp"
#include "cuda/bench/copy_bandwidth.hpp"
#include "cuda/launch/engine.hpp"
#include "gpu/gpu_is_here.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

/// A march of a situation without ports, with dispersion as the dissertation has it.
struct Compared {
  Space space;
  Layout layout;
  Precision precision = Precision::double_precision;
  std::int64_t steps = 40;
  const char* name = "PEC and PMC";
  Scheme scheme = Scheme::dgtd_central;
};

void compare(const Compared& given, const march::UnfusedFactory& make) {
  const auto [space, layout, precision, steps, name, scheme] = given;
  const auto situation = make_situation(name, space, steps > 3 ? 4 : 2, Communicator::self());
  situation->problem.layout = layout;
  situation->problem.scheme = scheme;
  if (scheme == Scheme::dgtd_central) situation->problem.walls = {march::Wall::electric, march::Wall::magnetic};
  situation->problem.driven.clear();
  for (Medium& medium : situation->problem.media) medium.dispersion = Dispersion::published;
  march::EngineOptions options;
  options.precision = precision;
  const auto engine = cuda::make_engine(situation->problem, options, Communicator::self());
  const auto unfused = make(situation->problem, options);
  march::Start start = situation->start;
  start.dt_m = steps > 3 ? 0.9 * engine->find_stable_step() : 1e-3;
  start.steps = steps;
  march::start_at_rest(*engine, start);
  unfused->start(start.dt_m, *start.electric, *start.magnetic);
  engine->advance(steps);
  unfused->advance(steps);
  INFO(name << ", " << name_of(space) << (layout == Layout::stored ? ", stored" : ", factored"));
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
  if (!gpu_is_here()) return;
  for_all_types([](Space space, Precision precision) {
    compare({space, Layout::factored, precision}, cuda::make_unfused);
    compare({space, Layout::stored, precision}, cuda::make_unfused);
  });
}

TEST_CASE("the dissertation's mapping marches as the stored layout", "[cuda]") {
  if (!gpu_is_here()) return;
  for (const int block : {480, 512})
    for_all_types([&](Space space, Precision precision) {
      compare({space, Layout::stored, precision}, cuda::make_dissertation(block));
    });
}

TEST_CASE("the dissertation's mapping of DFDD-ELD marches as the stored layout", "[cuda]") {
  if (!gpu_is_here()) return;
  for (const auto& [block, name] : {std::pair(480, "dispersion"), std::pair(512, "losses")})
    for_all_types([&, block = block, name = name](Space space, Precision precision) {
      const std::int64_t steps = precision == Precision::double_precision ? 30 : 6;  // levels lose digits of rates
      compare({space, Layout::stored, precision, steps, name, Scheme::dfdd_eld}, cuda::make_dissertation(block));
    });
}

TEST_CASE("a few steps of the benchmark's kernels are the engine's", "[cuda][tiny]") {
  if (!gpu_is_here()) return;
  for (const Space space : {Space::mixed_1, Space::full_2}) {
    compare({space, Layout::factored, Precision::double_precision, 2}, cuda::make_unfused);
    compare({space, Layout::stored, Precision::single_precision, 2}, cuda::make_unfused);
    compare({space, Layout::stored, Precision::double_precision, 2}, cuda::make_dissertation(512));
    compare({space, Layout::stored, Precision::double_precision, 2, "dispersion", Scheme::dfdd_eld},
            cuda::make_dissertation(480));
  }
}

TEST_CASE("the copy bandwidth of a GPU is measured", "[cuda]") {
  if (!gpu_is_here()) return;
  CHECK(cuda::measure_copy() > 1e10);
}
