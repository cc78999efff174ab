// Long marches in boxes of absorbing layers.
#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "march/loop/step_classes.hpp"
#include "mesh/tetrahedron.hpp"
#include "sources/initial_fields.hpp"
#include "support/cavity.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

/// A unit cube with layers as thick on all sides, open walls behind them.
std::unique_ptr<BoxProblem> make_layered_box(Scheme scheme, std::int64_t cells) {
  BoxMesh box = unit_box(cells);
  box.layer_m = 1;
  for (auto& sides : box.layer_cells) sides = {cells, cells};
  std::map<std::string, march::Wall> walls;
  for (const char* side : {"x0", "x1", "y0", "y1", "z0", "z1"}) walls[side] = march::Wall::open;
  auto made = std::make_unique<BoxProblem>(box, Space::full_1, walls);
  made->problem.scheme = scheme;
  made->problem.media.emplace_back();
  made->problem.layers = march::AbsorbingLayers{
      {false, true}, {{0, 0}, {0, 0}}, {0, 0, 0}, {1, 1, 1}, {Vec3{1, 1, 1}, Vec3{1, 1, 1}}, cells, 1e-6};
  return made;
}

/// Classes of time steps by place along an axis, as if elements below `first` allowed a ninth of the step of those
/// beyond `second`, and those between a third.
void add_classes(march::Problem& problem, std::size_t axis, double first, double second) {
  std::vector<double> bounds;
  for (const auto& corners : problem.mesh->corners) {
    const double at = centroid(corners)[axis];
    bounds.push_back(at < first ? 1 : (at < second ? 3.1 : 9.1));
  }
  problem.classes = march::assign_classes(problem, bounds, 3, Communicator::self());
  REQUIRE(problem.classes.count == 3);
}

/// Layers of six cells over z = 1, four times as wide as thick.
std::unique_ptr<BoxProblem> make_flat_layers(Scheme scheme, Space space) {
  BoxMesh box = unit_box(2);
  box.layer_m = 0.75;
  box.layer_cells[2] = {0, 6};
  auto made = std::make_unique<BoxProblem>(box, space, std::map<std::string, march::Wall>{{"z1", march::Wall::open}});
  made->problem.scheme = scheme;
  made->problem.media.emplace_back();
  made->problem.layers = march::AbsorbingLayers{
      {false, true}, {{0, 0}, {0, 0}}, {0, 0, 0}, {1, 1, 1}, {Vec3{}, Vec3{0, 0, 0.75}}, 6, 1e-6};
  return made;
}

/// Energies, in parts of the first, after each tenth of a march that starts from fields with charges and waves.
std::vector<double> march_long(const BoxProblem& box, std::int64_t steps, double cfl = 0.9) {
  march::EngineOptions options;
  options.threads = 1;
  const auto engine = host::make_engine(box.problem, options, Communicator::self());
  march::Start start;
  start.dt_m = cfl * engine->find_stable_step();
  start.steps = steps;
  const std::size_t dofs = box.mesh.global_id.size() * dofs_of(box.problem.space);
  start.electric.emplace(dofs, 0.0);
  start.magnetic.emplace(dofs, 0.0);
  for (std::size_t i = 0; i < dofs; ++i) (*start.electric)[i] = std::sin(1.7 * static_cast<double>(i));
  for (std::size_t i = 0; i < dofs; ++i) (*start.magnetic)[i] = std::sin(2.3 * static_cast<double>(i));
  engine->start(start);
  const double before = engine->present_energy();
  std::vector<double> energies;
  for (int tenth = 0; tenth < 10; ++tenth) {
    engine->advance(steps / 10);
    energies.push_back(engine->present_energy() / before);
  }
  return energies;
}

void check_energies(const std::vector<double>& energies) {
  for (const double energy : energies) CHECK(energy < 1);
  CHECK(energies.back() < 1.001 * energies[4]);  // static fields are held, and no more than that
}

}  // namespace

TEST_CASE("nothing grows in a box of absorbing layers") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dgtd_upwind}) {
    INFO("scheme " << static_cast<int>(scheme));
    check_energies(march_long(*make_layered_box(scheme, 2), 2000));
  }
}

TEST_CASE("DFDD-ELD of degree 3 marches through layers alike in both precisions, whose lists differ in empty places") {
  for (const Space space : {Space::mixed_3, Space::full_3}) {
    const auto situation = make_situation("absorbing layers", space, 2, Communicator::self());
    situation->problem.scheme = Scheme::dfdd_eld;
    const auto engine = [&](Precision precision) {
      march::EngineOptions options;
      options.precision = precision;
      return host::make_engine(situation->problem, options, Communicator::self());
    };
    const auto exact = engine(Precision::double_precision);
    const march::Start start = situation->make_start(0.9 * exact->find_stable_step(), 20);
    const Outcome outcome = run_engine(*exact, start, {20});
    INFO(name_of(space));
    CHECK(largest_difference(run_engine(*engine(Precision::single_precision), start, {20}), outcome) < 1e-4);
  }
}

TEST_CASE("nothing grows in a box of absorbing layers in classes of steps of DGTD-Upwind") {
  const auto box = make_layered_box(Scheme::dgtd_upwind, 2);
  add_classes(box->problem, 0, 0.2, 0.9);
  check_energies(march_long(*box, 300));
}

TEST_CASE("fields that layers cut off do not grow in DFDD-ELD, with one step and with classes of steps") {
  for (const bool has_classes : {false, true}) {
    const auto box = make_layered_box(Scheme::dfdd_eld, 2);
    if (has_classes) add_classes(box->problem, 0, 0.2, 0.9);
    const auto energies = march_long(*box, 200);
    INFO("classes: " << has_classes << ", energy after a tenth and at the end " << energies.front() << ", "
                     << energies.back());
    CHECK(energies.back() < energies.front());
  }
}

TEST_CASE("a layer at the largest of three classes of steps of DGTD-Upwind reflects less than -60 dB") {
  BoxMesh spec = unit_box(1);
  spec.size_m = {0.1, 0.1, 2};
  spec.cells = {1, 1, 20};
  spec.layer_m = 1;
  spec.layer_cells[2] = {0, 10};
  const auto pmc = march::Wall::magnetic;
  BoxProblem box(spec, Space::full_1, {{"y0", pmc}, {"y1", pmc}, {"z0", march::Wall::open}, {"z1", march::Wall::open}});
  march::Problem& problem = box.problem;
  problem.scheme = Scheme::dgtd_upwind;
  problem.media.emplace_back();
  problem.layers = march::AbsorbingLayers{
      {false, true}, {{0, 0}, {0, 0}}, {0, 0, 0}, {0.1, 0.1, 2}, {Vec3{0, 0, 0}, Vec3{0, 0, 1}}, 10, 1e-6};
  const auto pulse = [](double z) {
    return std::sin(2 * pi * (z - 0.8)) * std::exp(-std::pow((z - 0.8) / 0.3, 2));
  };  // towards the layer
  march::Start start;
  start.electric = project_field(
      box.mesh, Space::full_1,
      [&](const Vec3& r) {
        return Vec3{pulse(r[2]), 0, 0};
      },
      1);
  start.magnetic = project_field(
      box.mesh, Space::full_1,
      [&](const Vec3& r) {
        return Vec3{0, pulse(r[2]), 0};
      },
      1);
  const auto left_over = [&](double share) {
    march::EngineOptions options;
    options.threads = 1;
    const auto engine = host::make_engine(problem, options, Communicator::self());
    start.steps = static_cast<std::int64_t>(std::ceil(3 / (share * engine->find_stable_step())));
    start.dt_m = 3 / static_cast<double>(start.steps);
    engine->start(start);
    const double sent = engine->present_energy();
    engine->advance(start.steps);  // what the layer's near side or the wall behind it reflects is on its way
    return engine->present_energy() / sent;
  };
  const double without = left_over(0.9);
  add_classes(problem, 2, 0.4, 1.2);
  const double with = left_over(1);
  INFO(with << ", without classes " << without);
  CHECK(with < 1e-6);
  CHECK(with < 2 * without);
}

TEST_CASE("nothing grows in a hundred thousand steps in a box of absorbing layers", "[slow]") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dgtd_upwind}) {
    INFO("scheme " << static_cast<int>(scheme));
    check_energies(march_long(*make_layered_box(scheme, 1), 100'000));
  }
}

TEST_CASE("nothing grows in layers of flat elements") {
  for (const Space space : {Space::full_1, Space::mixed_1, Space::mixed_2, Space::full_2}) {
    INFO(name_of(space));
    const auto energies = march_long(*make_flat_layers(Scheme::dgtd_central, space), 1200, 1);
    // charges in the layer settle to fields at rest
    CHECK(energies.back() < 1000);
    CHECK(energies.back() < 1.1 * energies[8]);
  }
}

TEST_CASE("layers leave the stable step of leap-frog schemes as it is, and take their rates off that of DGTD-Upwind") {
  const auto step = [](Scheme scheme, bool with_layers) {
    const auto box = make_layered_box(scheme, 2);
    if (!with_layers) box->problem.layers.reset();
    march::EngineOptions options;
    options.threads = 1;
    return host::make_engine(box->problem, options, Communicator::self())->find_stable_step();
  };
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld}) CHECK(step(scheme, true) == step(scheme, false));
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld}) {  // but for brakes of flat elements
    const auto box = make_flat_layers(scheme, Space::full_1);
    march::EngineOptions options;
    options.threads = 1;
    const double braked = host::make_engine(box->problem, options, Communicator::self())->find_stable_step();
    box->problem.layers.reset();
    const double free = host::make_engine(box->problem, options, Communicator::self())->find_stable_step();
    CHECK(braked == Approx((scheme == Scheme::dfdd_eld ? 0.8699 : 0.95) * free).epsilon(1e-4));
  }
  const double without = step(Scheme::dgtd_upwind, false);
  const double with = step(Scheme::dgtd_upwind, true);
  CHECK(with < without);
  CHECK(1 / with == Approx(1 / without + (2 * std::log(1e6) + 0.1) / 4.65).epsilon(1e-4));
}
