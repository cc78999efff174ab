// The dissertation's kernels on an emulated GPU, against the engine with the stored layout.
#include "support/emulated_gpu.hpp"
//
#include <limits>
#include <memory>

#include "catch.hpp"
#include "cuda/bench/dissertation_march.hpp"
#include "engines/host/engine.hpp"
#include "host/host_backend.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

template <int threads>
struct EmulatedBlock {
  int number;
  std::int64_t index;
  [[nodiscard]] int thread() const { return number; }
  [[nodiscard]] std::int64_t block() const { return index; }
  void sync() const { EmulatedThreads::active().meet(0, threads); }
};

/// Shared memory is filled with NaN before every block.
struct EmulatedDevice : host::HostBackend {
  bool backwards;
  explicit EmulatedDevice(bool last_first) : HostBackend(1), backwards(last_first) {}

  template <class Arguments>
  void launch(Space space, int block, const Arguments& arguments, std::int64_t thread_blocks) const {
    cuda::with_dissertation_kernel(space, block, arguments, [&]<class Kernel>() {
      using S = typename Arguments::Scalar;
      constexpr int warps = (Kernel::threads + 31) / 32;
      for (std::int64_t k = 0; k < thread_blocks; ++k) {
        std::vector<S> memory(sizeof(typename Kernel::Shared) / sizeof(S) + 1, std::numeric_limits<S>::quiet_NaN());
        auto& shared = *reinterpret_cast<typename Kernel::Shared*>(memory.data());
        EmulatedThreads::run(32 * warps, backwards, [&](int thread) {
          if (thread < Kernel::threads) Kernel::run(arguments, EmulatedBlock<Kernel::threads>{thread, k}, shared);
        });
      }
    });
  }
};

/// A situation without ports, with dispersion as the dissertation has it.
std::unique_ptr<Situation> plain_situation(const std::string& name, Space space, Scheme scheme) {
  auto situation = make_situation(name, space, 2, Communicator::self());
  march::Problem& problem = situation->problem;
  problem.scheme = scheme;
  problem.layout = Layout::stored;
  problem.driven.clear();
  for (Medium& medium : problem.media) medium.dispersion = Dispersion::published;
  return situation;
}

/// Largest relative difference of E and H after some steps from rest.
template <class S>
double difference_of(const Situation& situation, int block, bool backwards) {
  constexpr std::int64_t steps = 5;
  march::EngineOptions options;
  options.precision = sizeof(S) == sizeof(float) ? Precision::single_precision : Precision::double_precision;
  options.threads = 1;
  const auto engine = host::make_engine(situation.problem, options, Communicator::self());
  const double dt = 0.5 * engine->find_stable_step();
  march::Start start = situation.start;
  start.dt_m = dt;
  start.steps = steps;
  march::start_at_rest(*engine, start);
  engine->advance(steps);
  cuda::DissertationMarch<EmulatedDevice, S> march(EmulatedDevice(backwards), situation.problem, block);
  march.start(dt, *start.electric, *start.magnetic);
  march.advance(steps);
  double most = 0;
  for (const march::Field field : march::both_fields)
    most = std::max(most, largest_difference(march.field(field), engine->field(field)));
  return most;
}

}  // namespace

TEST_CASE("the dissertation's kernels of DGTD-Central march as the stored layout on an emulated GPU") {
  for (const Space space : {Space::mixed_1, Space::full_1}) {
    const auto situation = plain_situation("PEC and PMC", space, Scheme::dgtd_central);
    INFO(name_of(space));
    CHECK(difference_of<double>(*situation, space == Space::full_1 ? 480 : 512, space == Space::full_1) < 1e-13);
  }
}

TEST_CASE("the dissertation's kernels of DFDD-ELD march as the stored layout on an emulated GPU") {
  for (const char* name : {"PEC and PMC", "sheets", "losses", "everything", "dispersion"})
    for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2}) {
      const auto situation = plain_situation(name, space, Scheme::dfdd_eld);
      INFO(name << ", " << name_of(space));
      const bool backwards = space == Space::full_1;
      CHECK(difference_of<double>(*situation, backwards ? 480 : 512, backwards) < 1e-13 * rounding_of(space));
    }
}

TEST_CASE("the dissertation's mapping refuses what its matrices lack") {
  auto situation = plain_situation("dispersion", Space::mixed_1, Scheme::dfdd_eld);
  for (Medium& medium : situation->problem.media) medium.dispersion = Dispersion::passive;
  using March = cuda::DissertationMarch<EmulatedDevice, double>;
  CHECK_THROWS_AS(March(EmulatedDevice(false), situation->problem, 480), InternalError);
  situation = plain_situation("losses", Space::mixed_1, Scheme::dgtd_central);
  CHECK_THROWS_AS(March(EmulatedDevice(false), situation->problem, 480), InternalError);
}
