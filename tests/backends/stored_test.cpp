// The stored layout (dense matrices by quadrature) against the factored one, and against the dense reference.
#include "catch.hpp"
#include "host/engine.hpp"
#include "mesh/quality.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 100;

std::unique_ptr<march::Engine> make_engine(Situation& situation, Layout layout,
                                           Precision precision = Precision::double_precision, int threads = 1) {
  march::EngineOptions options;
  options.precision = precision;
  options.threads = threads;
  situation.problem.layout = layout;
  return host::make_engine(situation.problem, options, Communicator::self());
}

/// `steps` steps of 0.9 of the limit.
march::Start start_of(Situation& situation) {
  return situation.make_start(0.9 * make_engine(situation, Layout::factored)->find_stable_step(), steps);
}

double smallest_radius_ratio(const LocalMesh& mesh) {
  double smallest = 1;
  for (const auto& corners : mesh.corners) smallest = std::min(smallest, measure_element(corners).radius_ratio);
  return smallest;
}

}  // namespace

TEST_CASE("the stored layout marches as the factored one in every situation") {
  for (const Space space : all_spaces)
    for (const auto& name : all_situation_names()) {
      const auto situation = make_situation(name, space, 2, Communicator::self());
      const march::Start start = start_of(*situation);
      const Outcome factored = run_engine(*make_engine(*situation, Layout::factored), start, {steps});
      const Outcome stored = run_engine(*make_engine(*situation, Layout::stored), start, {steps});
      INFO(name << ", " << name_of(space));
      CHECK(largest_difference(stored, factored) < 1e-12);
      const Outcome single =
          run_engine(*make_engine(*situation, Layout::stored, Precision::single_precision), start, {steps});
      CHECK(largest_difference(single, factored) < 3e-5);
    }
}

TEST_CASE("the stored layout marches as the dense reference") {
  for (const Space space : all_spaces)
    for (const auto& name : {"losses", "driven faces", "everything"}) {
      const auto situation = make_situation(name, space, 2, Communicator::self());
      march::Start start = start_of(*situation);
      start.steps = 20;
      const Outcome found = run_engine(*make_engine(*situation, Layout::stored), start, {20});
      INFO(name << ", " << name_of(space));
      CHECK(largest_difference(found, run_reference(*situation, start)) < 1e-12);
    }
}

TEST_CASE("the layouts agree on flat elements") {
  for (const Space space : all_spaces) {
    const auto situation = make_situation("everything", space, 2, Communicator::self());
    for (auto& corners : situation->mesh.corners)
      for (Vec3& corner : corners) corner[2] *= 0.08;
    const double ratio = smallest_radius_ratio(situation->mesh);
    CHECK(ratio > 0.05);
    CHECK(ratio < 0.065);
    const march::Start start = start_of(*situation);
    const Outcome factored = run_engine(*make_engine(*situation, Layout::factored), start, {steps});
    const Outcome stored = run_engine(*make_engine(*situation, Layout::stored), start, {steps});
    INFO(name_of(space));
    CHECK(largest_difference(stored, factored) < 1e-12 * rounding_of(space));
  }
}

TEST_CASE("the stored layout counts the bytes of its matrices, and its stable step is the factored one's") {
  const auto situation = make_situation("two media", Space::full_1, 2, Communicator::self());
  const auto factored = make_engine(*situation, Layout::factored), stored = make_engine(*situation, Layout::stored);
  CHECK(stored->find_stable_step() == factored->find_stable_step());
  const std::int64_t elements = situation->mesh.element_count();
  CHECK(stored->bytes_per_step() == elements * ((4 * 144 + 8 * 12 * 6 + 6 * 12) * 8 + 40));
  CHECK(stored->device_memory_bytes() - factored->device_memory_bytes() == elements * (4 * 144 + 8 * 12 * 6) * 8);
}

TEST_CASE("threads and pieces change no bit of the stored layout") {
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const auto situation = make_situation("everything", Space::full_1, 4, Communicator::self());
    const march::Start start = start_of(*situation);
    const Outcome whole = run_engine(*make_engine(*situation, Layout::stored, precision, 1), start, {steps});
    const auto two = make_engine(*situation, Layout::stored, precision, 2);
    CHECK(are_identical(run_engine(*two, start, {1, 17, 0, 3, steps - 21}), whole));
    CHECK(are_identical(run_engine(*two, start, {steps}), whole));
  }
}
