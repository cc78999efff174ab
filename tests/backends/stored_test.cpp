// The stored layout (dense matrices by quadrature) against the factored one, and against the dense reference.
#include <algorithm>
#include <cmath>

#include "base/names.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "mesh/report/mesh_summary.hpp"
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

/// How many times more rounding than the others 100 steps of DFDD-ELD leave: near its limit of the step it amplifies
/// what any step leaves, and it solves one more system per element.
double rounding_in(Scheme scheme) { return scheme == Scheme::dfdd_eld ? 3 : 1; }

double single_tolerance(Scheme scheme) {
  switch (scheme) {
    case Scheme::dgtd_central:
      return 3e-5;
    case Scheme::dfdd_eld:
      return 1e-3;
    default:
      return 3e-4;
  }
}

/// What the rounding of fields that have left through walls is in those that stay.
double rounding_of_lost(const Outcome& first, const Outcome& last, double rounding) {
  return rounding * std::sqrt(first.present_energy / last.present_energy);
}

double smallest_radius_ratio(const LocalMesh& mesh) {
  double smallest = 1;
  for (const auto& corners : mesh.corners) smallest = std::min(smallest, measure_element(corners).radius_ratio);
  return smallest;
}

}  // namespace

TEST_CASE("the stored layout marches as the factored one in every scheme, space and situation") {
  const Scheme scheme = GENERATE(Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind);
  for (const Space space : all_spaces)
    for (const auto& name : all_situation_names()) {
      if (!is_chosen(space, name)) continue;
      const auto situation = make_situation(name, space, 2, Communicator::self());
      situation->problem.scheme = scheme;
      const march::Start start = start_of(*situation);
      march::Start one = start;
      one.steps = 1;
      const auto factored = make_engine(*situation, Layout::factored);
      const auto stored = make_engine(*situation, Layout::stored);
      INFO(name_of(scheme) << ", " << name << ", " << tetrawave::name_of(space));
      const Outcome first = run_engine(*factored, one, {1});
      CHECK(largest_difference(run_engine(*stored, one, {1}), first) < 1e-12);
      const Outcome reference = run_engine(*factored, start, {steps});
      CHECK(largest_difference(run_engine(*stored, start, {steps}), reference) <
            std::max(1e-12 * rounding_in(scheme), rounding_of_lost(first, reference, 1e-14)));
      const auto single = make_engine(*situation, Layout::stored, Precision::single_precision);
      CHECK(largest_difference(run_engine(*single, start, {steps}), reference) <
            std::max(single_tolerance(scheme), rounding_of_lost(first, reference, 1e-6)));
    }
}

TEST_CASE("full-4 marches alike in both layouts and both precisions") {
  const Scheme scheme = GENERATE(Scheme::dgtd_central, Scheme::dgtd_upwind);
  const auto situation = make_situation("everything", Space::full_4, 2, Communicator::self());
  situation->problem.scheme = scheme;
  march::Start start = start_of(*situation);
  start.steps = 10;
  const auto march = [&](Layout layout, Precision precision) {
    return run_engine(*make_engine(*situation, layout, precision), start, {start.steps});
  };
  const Outcome reference = march(Layout::stored, Precision::double_precision);
  INFO(name_of(scheme));
  CHECK(largest_difference(march(Layout::factored, Precision::double_precision), reference) < 1e-12);
  CHECK(largest_difference(march(Layout::factored, Precision::single_precision), reference) < single_tolerance(scheme));
  CHECK(largest_difference(march(Layout::stored, Precision::single_precision), reference) < single_tolerance(scheme));
}

TEST_CASE("the stored layout of DFDD-ELD marches ports of one mode as the factored one, from given fields too") {
  for (const bool from_rest : {true, false})
    for (const auto& name : {"ports of one mode", "guides of one mode"}) {
      const auto situation = make_situation(name, Space::full_1, 2, Communicator::self());
      situation->problem.scheme = Scheme::dfdd_eld;
      march::Start start = start_of(*situation);
      if (!from_rest) start.magnetic = start.electric.emplace(situation->mesh.global_id.size() * 12, 0.5);
      const Outcome factored = run_engine(*make_engine(*situation, Layout::factored), start, {steps});
      INFO(name << (from_rest ? " from rest" : " from given fields"));
      CHECK(largest_difference(run_engine(*make_engine(*situation, Layout::stored), start, {steps}), factored) <
            1e-12 * rounding_in(Scheme::dfdd_eld));
    }
}

TEST_CASE("the stored layout of DGTD-Upwind marches held metal and ports of one mode as the factored one") {
  for (const Space space : {Space::full_1, Space::mixed_2})
    for (const auto& name : {"everything with metal held", "ports of one mode", "guides of one mode"}) {
      const auto situation = make_situation(name, space, 2, Communicator::self());
      situation->problem.scheme = Scheme::dgtd_upwind;
      const march::Start start = start_of(*situation);
      const Outcome factored = run_engine(*make_engine(*situation, Layout::factored), start, {steps});
      const Outcome stored = run_engine(*make_engine(*situation, Layout::stored), start, {steps});
      INFO(name << ", " << tetrawave::name_of(space));
      CHECK(largest_difference(stored, factored) < 1e-12 * rounding_in(Scheme::dgtd_upwind));
    }
}

TEST_CASE("the stored layout marches as the factored one with published terms of dispersion") {
  const Scheme scheme = GENERATE(Scheme::dgtd_central, Scheme::dfdd_eld);
  for (const Space space : {Space::full_1, Space::mixed_2})
    for (const auto& name : {"dispersion", "everything"}) {
      const auto situation = make_situation(name, space, 2, Communicator::self());
      situation->problem.scheme = scheme;
      for (Medium& medium : situation->problem.media) medium.dispersion = Dispersion::published;
      const march::Start start = start_of(*situation);
      const Outcome factored = run_engine(*make_engine(*situation, Layout::factored), start, {steps});
      const Outcome stored = run_engine(*make_engine(*situation, Layout::stored), start, {steps});
      INFO(name_of(scheme) << ", " << name << ", " << tetrawave::name_of(space));
      CHECK(largest_difference(stored, factored) < 1e-12 * rounding_in(scheme));
    }
}

TEST_CASE("the stored layout marches as the dense reference") {
  for (const Space space : all_spaces)
    for (const auto& name : {"losses", "driven faces", "everything"}) {
      if (!is_chosen(space, name)) continue;
      const auto situation = make_situation(name, space, 2, Communicator::self());
      march::Start start = start_of(*situation);
      start.steps = 20;
      const Outcome found = run_engine(*make_engine(*situation, Layout::stored), start, {20});
      INFO(name << ", " << tetrawave::name_of(space));
      CHECK(largest_difference(found, run_reference(*situation, start)) < 1e-12);
    }
}

TEST_CASE("the layouts agree on flat elements") {
  const Scheme scheme = GENERATE(Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind);
  for (const Space space : all_spaces) {
    const auto situation = make_situation("everything", space, 2, Communicator::self());
    situation->problem.scheme = scheme;
    for (auto& corners : situation->mesh.corners)
      for (Vec3& corner : corners) corner[2] *= 0.08;
    const double ratio = smallest_radius_ratio(situation->mesh);
    CHECK(ratio > 0.05);
    CHECK(ratio < 0.065);
    const march::Start start = start_of(*situation);
    const Outcome factored = run_engine(*make_engine(*situation, Layout::factored), start, {steps});
    const Outcome stored = run_engine(*make_engine(*situation, Layout::stored), start, {steps});
    INFO(name_of(scheme) << ", " << tetrawave::name_of(space));
    CHECK(largest_difference(stored, factored) < (scheme == Scheme::dfdd_eld ? 3e-11 : 1e-12 * rounding_of(space)));
  }
}

TEST_CASE("the stored layout counts the bytes of its matrices, and its stable step is the factored one's") {
  const auto situation = make_situation("two media", Space::full_1, 2, Communicator::self());
  const auto factored = make_engine(*situation, Layout::factored), stored = make_engine(*situation, Layout::stored);
  CHECK(stored->find_stable_step() == factored->find_stable_step());
  const std::int64_t elements = situation->mesh.element_count();
  CHECK(stored->bytes_per_step() == elements * ((4 * 144 + 8 * 12 * 6 + 6 * 12) * 8 + 40));
  CHECK(stored->device_memory_bytes() - factored->device_memory_bytes() == elements * (4 * 144 + 8 * 12 * 6) * 8);
  situation->problem.scheme = Scheme::dfdd_eld;
  CHECK(make_engine(*situation, Layout::stored)->bytes_per_step() ==
        elements * ((4 * 144 + 8 * 12 * 6 + 10 * 12) * 8 + 40));
  situation->problem.scheme = Scheme::dgtd_upwind;
  CHECK(make_engine(*situation, Layout::stored)->bytes_per_step() ==
        5 * elements * ((4 * 144 + 16 * 12 * 6 + 8 * 12) * 8 + 40));
}

TEST_CASE("threads and pieces change no bit of the stored layout") {
  const Scheme scheme = GENERATE(Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind);
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const auto situation = make_situation("dispersion", Space::full_1, 4, Communicator::self());
    situation->problem.scheme = scheme;
    const march::Start start = start_of(*situation);
    const Outcome whole = run_engine(*make_engine(*situation, Layout::stored, precision, 1), start, {steps});
    const auto two = make_engine(*situation, Layout::stored, precision, 2);
    CHECK(are_identical(run_engine(*two, start, {1, 17, 0, 3, steps - 21}), whole));
    CHECK(are_identical(run_engine(*two, start, {steps}), whole));
  }
}
