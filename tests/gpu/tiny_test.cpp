// A few steps of every kernel on a few elements: for compute-sanitizer, under which a launch takes milliseconds.
#include "catch.hpp"
#include "cuda/launch/engine.hpp"
#include "engines/host/engine.hpp"
#include "gpu/gpu_is_here.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 2;

void compare(const std::string& name, Scheme scheme, Space space, Layout layout, Precision precision) {
  const auto situation = make_situation(name, space, name.ends_with("classes") ? 4 : 2, Communicator::self());
  situation->problem.scheme = scheme;
  situation->problem.layout = layout;
  INFO(name << " " << name_of(space));
  const march::Start start = situation->make_start(1e-3, steps);  // far below the limit
  march::EngineOptions options;
  options.precision = precision;
  const Outcome found =
      run_engine(*cuda::make_engine(situation->problem, options, Communicator::self()), start, {steps});
  options.threads = 1;
  const Outcome expected =
      run_engine(*host::make_engine(situation->problem, options, Communicator::self()), start, {steps});
  const double exact = name == "Kerr" ? 1e-9 : 1e-12;  // as far as the iteration goes
  const double most = precision == Precision::double_precision ? exact : 1e-4;
  CHECK(largest_difference(found, expected) < most * rounding_of(space));
}

void compare_spaces(const std::string& name, Scheme scheme, const std::vector<Space>& spaces) {
  if (!gpu_is_here()) return;
  for (const Space space : spaces) compare(name, scheme, space, Layout::factored, Precision::double_precision);
}

const std::vector<Space> lower{Space::mixed_1, Space::full_1, Space::mixed_2, Space::full_2};

void compare_full_4(Scheme scheme) {
  for (const char* name : {"everything", "absorbing layers", "dispersion in classes"})
    compare(name, scheme, Space::full_4, Layout::factored, Precision::double_precision);
  compare("everything", scheme, Space::full_4, Layout::factored, Precision::single_precision);
  compare("everything", scheme, Space::full_4, Layout::stored, Precision::double_precision);
}

/// Everything in all spaces, what has kernels of its own in two.
void compare_scheme(Scheme scheme) {
  if (!gpu_is_here()) return;
  compare_spaces("everything", scheme, {all_spaces.begin(), all_spaces.end()});
  if (scheme != Scheme::dfdd_eld) compare_full_4(scheme);
  for (const char* name : {"dispersion", "axes", "absorbing layers", "conductors", "dispersion in classes"})
    compare_spaces(name, scheme, {Space::full_1, Space::full_2});
  for (const Space space : lower) compare("everything", scheme, space, Layout::factored, Precision::single_precision);
  for (const Space space : {Space::full_1, Space::mixed_2})
    compare("everything", scheme, space, Layout::stored, Precision::double_precision);
}

}  // namespace

TEST_CASE("a few steps of DGTD-Central on a GPU are the CPU's", "[cuda][tiny]") {
  compare_scheme(Scheme::dgtd_central);
}

TEST_CASE("a few steps of DFDD-ELD on a GPU are the CPU's", "[cuda][tiny]") { compare_scheme(Scheme::dfdd_eld); }

TEST_CASE("a few steps of DGTD-Upwind on a GPU are the CPU's", "[cuda][tiny]") { compare_scheme(Scheme::dgtd_upwind); }

TEST_CASE("a few steps of held metal, corrected edges and ports of one mode on a GPU are the CPU's", "[cuda][tiny]") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dgtd_upwind})
    for (const char* name : {"ports of one mode", "guides of one mode", "everything with metal held"})
      compare_spaces(name, scheme, {Space::full_1, Space::full_2});
  for (const char* name : {"everything with metal held", "walls and ports of one mode", "guides of one mode"})
    compare_spaces(name, Scheme::dfdd_eld, {Space::full_1, Space::full_2});
}

TEST_CASE("a few steps of Kerr media on a GPU are the CPU's", "[cuda][tiny]") {
  compare_spaces("Kerr", Scheme::dgtd_central, lower);
}
