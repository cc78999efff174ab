// A march on several ranks against the same march on one rank, which every rank repeats for itself.
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 50;

/// One situation with its engine.
struct Bench {
  std::unique_ptr<Situation> situation;
  std::unique_ptr<march::Engine> engine;

  Bench(const std::string& name, Space space, std::int64_t cells, const Communicator& ranks,
        Ordering ordering = Ordering::blocks, Layout layout = Layout::factored, Scheme scheme = Scheme::dgtd_central,
        double penalty = 0)
      : situation(make_situation(name, space, cells, ranks, ordering)) {
    situation->problem.penalty = penalty;
    situation->problem.layout = layout;
    situation->problem.scheme = scheme;
    march::EngineOptions options;
    options.threads = 1;
    engine = host::make_engine(situation->problem, options, ranks);
  }
};

/// Faces of this rank's border that carry a sheet.
std::int64_t sheets_between_ranks(const LocalMesh& mesh) {
  std::int64_t count = 0;
  for (const HaloPeer& peer : mesh.peers)
    for (const HaloFace& face : peer.faces)
      if (mesh.boundary[static_cast<std::size_t>(face.element)][face.face] >= 0) ++count;
  return count;
}

/// All ranks against one; `ordering` is that of the many, the one has the mesh's own order.
void check_against_one_rank(const std::string& name, Space space, std::int64_t cells, Ordering ordering,
                            Layout layout = Layout::factored, Scheme scheme = Scheme::dgtd_central,
                            double penalty = 0) {
  const Communicator world = Communicator::world();
  const Bench all(name, space, cells, world, ordering, layout, scheme, penalty);
  const Bench one(name, space, cells, Communicator::self(), Ordering::none, layout, scheme, penalty);
  INFO(name << ", " << name_of(space) << ", order " << static_cast<int>(ordering));
  const double limit = one.engine->find_stable_step();
  CHECK(all.engine->find_stable_step() == limit);
  const march::Start shared = all.situation->make_start(0.9 * limit, steps);
  const Outcome found = run_engine(*all.engine, shared, {steps});
  const Outcome expected = run_engine(*one.engine, one.situation->make_start(0.9 * limit, steps), {steps});
  const LocalMesh& part = all.situation->mesh;
  CHECK(found.electric.size() == part.global_id.size() * dofs_of(space));
  CHECK(largest_difference(found.electric, pick_dofs(expected.electric, one.situation->mesh, part)) == 0);
  CHECK(largest_difference(found.magnetic, pick_dofs(expected.magnetic, one.situation->mesh, part)) == 0);
  CHECK(found.present_energy == expected.present_energy);
  CHECK(expected.energies.size() == 9);
  CHECK(largest_energy_difference(found, expected) == 0);
  const bool first = world.rank() == 0;
  CHECK(expected.record.size() == 5 * (steps + 1));
  CHECK(largest_difference(found.record, first ? expected.record : std::vector<double>{}) == 0);
  CHECK(largest_difference(found.before_start, first ? expected.before_start : std::vector<double>{}) == 0);
}

}  // namespace

TEST_CASE("any number of ranks marches as one rank does, to the last bit") {
  for (const Space space : all_spaces)
    for (const auto& name : situation_names())
      if (is_chosen(space, name)) check_against_one_rank(name, space, name == "everything" ? 6 : 2, Ordering::blocks);
}

TEST_CASE("any number of ranks marches as one rank does in every scheme, to the last bit") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const auto& name : all_situation_names())
      check_against_one_rank(name, name == "everything" ? Space::mixed_2 : Space::full_1, 4, Ordering::blocks,
                             Layout::factored, scheme);
  check_against_one_rank("everything", Space::full_4, 2, Ordering::blocks, Layout::factored, Scheme::dgtd_upwind);
}

TEST_CASE("any number of ranks marches with a penalty on jumps as one rank does, to the last bit") {
  for (const char* name : {"everything", "dispersion", "axes and losses", "guides of one mode", "absorbing layers",
                           "everything with metal held in classes"})
    check_against_one_rank(name, Space::full_1, 4, Ordering::blocks, Layout::factored, Scheme::dgtd_central, 0.2);
}

TEST_CASE("any number of ranks marches with steps of fourth order as one rank does, to the last bit") {
  const Communicator world = Communicator::world();
  for (const std::string& name : fourth_order_names()) {
    INFO(name);
    const auto shared = make_fourth_order(name, Space::full_1, 4, world);
    const auto whole = make_fourth_order(name, Space::full_1, 4, Communicator::self(), Ordering::none);
    march::EngineOptions options;
    options.threads = 1;
    const auto all = host::make_engine(shared->problem, options, world);
    const auto one = host::make_engine(whole->problem, options, Communicator::self());
    const double dt_m = 0.9 * one->find_stable_step();
    CHECK(0.9 * all->find_stable_step() == dt_m);
    const Outcome found = run_engine(*all, shared->make_start(dt_m, 8), {8});
    const Outcome expected = run_engine(*one, whole->make_start(dt_m, 8), {8});
    CHECK(largest_difference(found.electric, pick_dofs(expected.electric, whole->mesh, shared->mesh)) == 0);
    CHECK(largest_difference(found.magnetic, pick_dofs(expected.magnetic, whole->mesh, shared->mesh)) == 0);
    CHECK(largest_energy_difference(found, expected) == 0);
  }
}

TEST_CASE("any number of ranks marches conductors as one rank does, to the last bit") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    check_against_one_rank("conductors", Space::full_1, 4, Ordering::blocks, Layout::factored, scheme);
}

TEST_CASE("any number of ranks marches held metal and ports of one mode as one rank does, to the last bit") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dgtd_upwind})
    for (const char* name : {"everything with metal held", "guides of one mode",
                             "everything with metal held in classes", "guides of one mode in classes"})
      check_against_one_rank(name, Space::full_1, 4, Ordering::blocks, Layout::factored, scheme);
  for (const char* name : {"walls and ports of one mode", "guides of one mode", "guides of one mode in classes"})
    check_against_one_rank(name, Space::full_1, 4, Ordering::blocks, Layout::factored, Scheme::dfdd_eld);
}

TEST_CASE("any number of ranks marches absorbing layers as one rank does, to the last bit") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const Space space : {Space::full_1, Space::mixed_2})
      check_against_one_rank("absorbing layers", space, 4, Ordering::blocks, Layout::factored, scheme);
}

TEST_CASE("any number of ranks marches classes of time steps as one rank does, to the last bit") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld}) {
    for (const char* name : {"everything in classes", "dispersion in classes", "ports with memory in classes"})
      check_against_one_rank(name, Space::mixed_1, 4, Ordering::blocks, Layout::factored, scheme);
    check_against_one_rank("everything in classes", Space::mixed_1, 4, Ordering::blocks, Layout::stored, scheme);
  }
  check_against_one_rank("absorbing layers in classes", Space::full_1, 4, Ordering::blocks);
  for (const char* name : {"everything in classes", "dispersion in classes", "axes and losses in classes",
                           "ports with memory in classes", "absorbing layers in classes", "conductors in classes"})
    check_against_one_rank(name, Space::full_1, 4, Ordering::blocks, Layout::factored, Scheme::dgtd_upwind);
}

TEST_CASE("any number of ranks marches as one rank does in the stored layout, to the last bit") {
  for (const Space space : all_spaces) check_against_one_rank("everything", space, 4, Ordering::blocks, Layout::stored);
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    check_against_one_rank("dispersion", Space::full_1, 4, Ordering::blocks, Layout::stored, scheme);
}

TEST_CASE("the order of the elements changes no bit of a march") {
  for (const Ordering ordering : {Ordering::none, Ordering::curve, Ordering::parts})
    check_against_one_rank("everything", Space::full_1, 6, ordering);
}

TEST_CASE("sheets, absorbing and driven walls touch the borders between ranks") {
  const Communicator world = Communicator::world();
  const auto situation = make_situation("everything", Space::full_1, 6, world);
  const LocalMesh& mesh = situation->mesh;
  const bool alone = world.size() == 1;
  CHECK((world.sum(sheets_between_ranks(mesh)) > 0) == !alone);
  std::array<std::int64_t, 2> open{};
  for (LocalIndex e = 0; e < mesh.border_count; ++e)
    for (const std::int32_t tag : mesh.boundary[static_cast<std::size_t>(e)])
      if (tag >= 2) ++open[static_cast<std::size_t>(tag - 2)];
  world.sum_in_place(std::span<std::int64_t>(open));
  CHECK((open[0] > 0) == !alone);
  CHECK((open[1] > 0) == !alone);
}
