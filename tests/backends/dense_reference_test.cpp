// The CPU engine against the dense reference, situation by situation.
#include <numeric>
#include <set>

#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "support/outcome.hpp"
#include "terms/pml/brakes.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 20;

std::unique_ptr<march::Engine> make_engine(const Situation& situation, Precision precision) {
  march::EngineOptions options;
  options.precision = precision;
  options.threads = 1;
  return host::make_engine(situation.problem, options, Communicator::self());
}

}  // namespace

TEST_CASE("the functions of the solver are the published formulas") {
  std::vector<Space> spaces(dgtd_spaces.begin(), dgtd_spaces.end());
  spaces.push_back(Space::nested_full_3);
  for (const Space space : spaces) {
    const std::array<Vec3, 4> corners{Vec3{0.1, 0, 0.2}, Vec3{1, 0.3, 0}, Vec3{0.2, 0.1, 1.1}, Vec3{-0.1, 0.9, 0.3}};
    const basis::PhysicalElement element(space, corners);
    const WrittenOutBasis written(space, corners);
    const std::array<double, 4> at{0.1, 0.2, 0.3, 0.4};
    const auto values = element.values(at);
    REQUIRE(values.size() == written.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(norm(values[i] - written.value(i, element.point(at))) < 1e-14);
    for (std::size_t f = 0; f < 4; ++f) CHECK(norm(element.normal(f) - written.normal(f)) < 1e-14);
  }
}

TEST_CASE("the situations have elements with one to four absorbing faces, both signs of det J and all pairs of faces") {
  const auto situation = make_situation("absorbing walls", Space::full_1, 2, Communicator::self());
  const LocalMesh& mesh = situation->mesh;
  std::set<std::ptrdiff_t> open_faces;
  std::set<double> signs;
  std::set<std::pair<std::size_t, int>> pairs;
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    open_faces.insert(std::count(mesh.boundary[e].begin(), mesh.boundary[e].end(), 2));
    signs.insert(basis::PhysicalElement(Space::full_1, mesh.corners[e]).sign());
    for (std::size_t f = 0; f < 4; ++f)
      if (mesh.neighbour[e][f] >= 0) pairs.insert({f, mesh.neighbour_face[e][f]});
  }
  CHECK(open_faces == std::set<std::ptrdiff_t>{0, 1, 2, 3, 4});
  CHECK(signs.size() == 2);
  CHECK(pairs.size() == 16);
}

TEST_CASE("the CPU engine marches as the dense reference") {
  for (const Space space : dgtd_spaces)
    for (const auto& name : situation_names()) {
      if (!is_chosen(space, name)) continue;
      const auto situation = make_situation(name, space, 2, Communicator::self());
      const double dt_m = 0.9 * make_engine(*situation, Precision::double_precision)->find_stable_step();
      const std::int64_t count = space == Space::full_4 ? 8 : steps;  // seconds
      const march::Start start = situation->make_start(dt_m, count);
      const Outcome reference = run_reference(*situation, start);
      for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
        const bool is_double = precision == Precision::double_precision;
        const Outcome outcome = run_engine(*make_engine(*situation, precision), start, {count});
        INFO(name << ", " << name_of(space) << ", " << (is_double ? "double" : "single"));
        CHECK(reference.energies.size() == static_cast<std::size_t>(2 + count / 7));
        CHECK(reference.record.size() == static_cast<std::size_t>(5 * (count + 1)));
        CHECK(largest_difference(outcome, reference) < (is_double ? 1e-12 : 1e-5 * rounding_of(space)));
      }
    }
}

TEST_CASE("metal that holds E at zero, and ports that take one mode alone, march as the dense reference") {
  for (const Space space : all_spaces)
    for (const auto& name : held_situation_names()) {
      if (space >= Space::mixed_3 && name != "everything with metal held") continue;
      const auto situation = make_situation(name, space, 2, Communicator::self());
      const double dt_m = 0.9 * make_engine(*situation, Precision::double_precision)->find_stable_step();
      const march::Start start = situation->make_start(dt_m, steps);
      const Outcome reference = run_reference(*situation, start);
      for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
        const bool is_double = precision == Precision::double_precision;
        INFO(name << ", " << name_of(space) << ", " << (is_double ? "double" : "single"));
        const Outcome outcome = run_engine(*make_engine(*situation, precision), start, {7, 1, steps - 8});
        CHECK(largest_difference(outcome, reference) < (is_double ? 1e-12 : 1e-5 * rounding_of(space)));
      }
      if (name.ends_with("classes") || name.starts_with("absorbing layers")) continue;
      situation->problem.layout = Layout::stored;
      const Outcome stored = run_engine(*make_engine(*situation, Precision::double_precision), start, {steps});
      CHECK(largest_difference(stored, reference) < 1e-12);
    }
}

TEST_CASE("absorbing layers march as the dense reference, whose auxiliary fields are values at quadrature points") {
  for (const Space space : dgtd_spaces) {
    const std::int64_t count = space < Space::mixed_3 ? steps : space == Space::full_4 ? 2 : 4;  // seconds each
    const double most = space < Space::mixed_3 ? 1e-12 : 3e-12;
    const auto situation = make_situation("absorbing layers", space, 2, Communicator::self());
    std::vector<LocalIndex> all(situation->mesh.global_id.size());
    std::iota(all.begin(), all.end(), 0);
    REQUIRE(march::asks_for_brakes(situation->problem, all));
    const auto engine = make_engine(*situation, Precision::double_precision);
    const march::Start start = situation->make_start(0.9 * engine->find_stable_step(), count);
    const Outcome reference = run_reference(*situation, start);
    INFO(name_of(space));
    CHECK(largest_difference(run_engine(*engine, start, {count}), reference) < most);
    const Outcome again = run_engine(*engine, start, {count / 3 + 1, 1, count - count / 3 - 2});  // the last may be 0
    CHECK(largest_difference(again, reference) < most);
    const Outcome single = run_engine(*make_engine(*situation, Precision::single_precision), start, {count});
    CHECK(largest_difference(single, reference) < 1e-5 * rounding_of(space));
  }
}

namespace {

/// Gives every open face an admittance of its own, a tenth to ten times that of free space.
void turn_open_walls(Situation& situation) {
  const LocalMesh& mesh = situation.mesh;
  for (std::size_t e = 0; e < mesh.corners.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[e][f];
      if (tag < 0 || situation.problem.walls[static_cast<std::size_t>(tag)] != march::Wall::open) continue;
      const double power = std::sin(static_cast<double>(7 * e + 3 * f));
      situation.problem.open_admittance[{static_cast<LocalIndex>(e), static_cast<std::uint8_t>(f)}] =
          std::pow(10, power);
    }
}

void check_stable_step(const std::string& name, Space space, bool turned = false) {
  const auto situation = make_situation(name, space, 2, Communicator::self());
  if (turned) turn_open_walls(*situation);
  const double found = make_engine(*situation, Precision::single_precision)->find_stable_step();
  const DenseReference reference(situation->problem, situation->profile);
  INFO(name << ", " << name_of(space));
  CHECK(reference.is_stable(found));
  CHECK_FALSE(reference.is_stable(1.00002 * found));
}

}  // namespace

TEST_CASE("open walls of admittances of their own march as the dense reference") {
  const auto situation = make_situation("absorbing walls", Space::full_1, 2, Communicator::self());
  turn_open_walls(*situation);
  const auto engine = make_engine(*situation, Precision::double_precision);
  march::Start start = situation->make_start(0.9 * engine->find_stable_step(), steps);
  start.magnetic.reset();
  CHECK(largest_difference(run_engine(*engine, start, {steps}), run_reference(*situation, start)) < 1e-12);
}

TEST_CASE("the stable step is two over the largest singular value of the dense operator") {
  for (const Space space : {Space::mixed_1, Space::full_1})
    for (const auto& name : situation_names()) check_stable_step(name, space);
  check_stable_step("everything", Space::mixed_2);
  for (const Space space : {Space::mixed_1, Space::full_1})
    for (const char* name : {"closed vacuum with metal held", "everything with metal held"})
      check_stable_step(name, space);
  for (const char* name : {"absorbing walls", "everything", "everything with metal held"})
    check_stable_step(name, Space::full_1, true);
}

TEST_CASE("the stable step of second order is two over the largest singular value of the dense operator", "[slow]") {
  for (const Space space : {Space::mixed_2, Space::full_2})
    for (const char* name : {"closed vacuum", "everything"}) check_stable_step(name, space);
}
