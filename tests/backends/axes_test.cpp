// Losses and terms of dispersion beside eps and mu with axes (theory/dispersion). That the layouts agree is in
// stored_test.cpp ("axes and losses").
#include "base/names.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "failure.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

std::unique_ptr<march::Engine> make_engine(Situation& situation, Layout layout) {
  march::EngineOptions options;
  options.threads = 1;
  situation.problem.layout = layout;
  return host::make_engine(situation.problem, options, Communicator::self());
}

Outcome run(Situation& situation, Layout layout, const march::Start& start) {
  return run_engine(*make_engine(situation, layout), start, {start.steps});
}

double stable_step(Situation& situation) { return make_engine(situation, Layout::factored)->find_stable_step(); }

/// Axes that differ by what is far below the differences that are looked for, but take the way of axes that do.
void bend_axes(march::Problem& problem) {
  constexpr double bend = 1e-11;
  for (Medium& medium : problem.media) {
    medium.eps_axes = {1 + bend, 1 - bend, 1};
    medium.mu_axes = {1, 1 + bend, 1 - bend};
  }
}

}  // namespace

TEST_CASE("a medium whose axes hardly differ marches as the one without axes") {
  const Scheme scheme = GENERATE(Scheme::dfdd_eld, Scheme::dgtd_central, Scheme::dgtd_upwind);
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2})
    for (const auto& name : {"losses", "dispersion"}) {
      const auto situation = make_situation(name, space, 2, Communicator::self());
      situation->problem.scheme = scheme;
      const march::Start start = situation->make_start(0.9 * stable_step(*situation), 30);
      const Outcome plain = run(*situation, Layout::factored, start);
      bend_axes(situation->problem);
      for (const Layout layout : {Layout::factored, Layout::stored}) {
        INFO(name_of(scheme) << ", " << name_of(layout) << ", " << tetrawave::name_of(space) << ", " << name);
        // Given fields in a conductor start DFDD-ELD otherwise with axes, by an error of second order in the step.
        const bool starts_otherwise = scheme == Scheme::dfdd_eld && std::string(name) == "losses";
        CHECK(largest_difference(run(*situation, layout, start), plain) < (starts_otherwise ? 0.03 : 3e-9));
      }
    }
}

TEST_CASE("published recursive convolutions are refused in anisotropic media") {
  const auto situation = make_situation("axes and losses", Space::full_1, 2, Communicator::self());
  for (Medium& medium : situation->problem.media) medium.dispersion = Dispersion::published;
  const Failure failure = catch_failure([&] { stable_step(*situation); });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK_THAT(failure.text, ContainsSubstring("published recursive convolutions in anisotropic media"));
}
