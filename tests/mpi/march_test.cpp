// A march on several ranks against the same march on one rank.
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "mpi/one_rank.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 50;
constexpr double cfl = 0.9;

/// A march of one situation.
struct Trial {
  std::string name;
  Space space = Space::full_1;
  std::int64_t cells = 4;
  Scheme scheme = Scheme::dgtd_central;
  Layout layout = Layout::factored;
  Ordering ordering = Ordering::blocks;  ///< of many ranks; one has the mesh's own order
  double penalty = 0;
};

/// A trial's situation with its engine.
struct Bench {
  std::unique_ptr<Situation> situation;
  std::unique_ptr<march::Engine> engine;

  Bench(const Trial& trial, const Communicator& ranks, Ordering ordering)
      : situation(make_situation(trial.name, trial.space, trial.cells, ranks, ordering)) {
    situation->problem.penalty = trial.penalty;
    situation->problem.layout = trial.layout;
    situation->problem.scheme = trial.scheme;
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

/// All ranks against what one found.
void check_trial(const Trial& trial, const Alone& one) {
  const Communicator world = Communicator::world();
  const Bench all(trial, world, trial.ordering);
  INFO(trial.name << ", " << name_of(trial.space) << ", order " << static_cast<int>(trial.ordering));
  CHECK(all.engine->find_stable_step() == one.stable_step_m);
  const march::Start shared = all.situation->make_start(cfl * one.stable_step_m, steps);
  const Outcome found = run_engine(*all.engine, shared, {steps});
  const Outcome& expected = one.outcome;
  const LocalMesh& part = all.situation->mesh;
  CHECK(found.electric.size() == part.global_id.size() * dofs_of(trial.space));
  CHECK(largest_difference(found.electric, pick_dofs(expected.electric, one.mesh, part)) == 0);
  CHECK(largest_difference(found.magnetic, pick_dofs(expected.magnetic, one.mesh, part)) == 0);
  CHECK(found.present_energy == expected.present_energy);
  CHECK(expected.energies.size() == 9);
  CHECK(largest_energy_difference(found, expected) == 0);
  const bool first = world.rank() == 0;
  CHECK(expected.record.size() == 5 * (steps + 1));
  CHECK(largest_difference(found.record, first ? expected.record : std::vector<double>{}) == 0);
  CHECK(largest_difference(found.before_start, first ? expected.before_start : std::vector<double>{}) == 0);
}

void check_against_one_rank(const std::vector<Trial>& trials) {
  const std::vector<Alone> alone = share_out(trials.size(), [&](std::size_t k) {
    const Bench one(trials[k], Communicator::self(), Ordering::none);
    return march_alone(*one.situation, *one.engine, cfl, steps);
  });
  for (std::size_t k = 0; k < trials.size(); ++k) check_trial(trials[k], alone[k]);
}

constexpr std::array all_schemes{Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind};

}  // namespace

TEST_CASE("any number of ranks marches as one rank does, to the last bit") {
  std::vector<Trial> trials;
  for (const Space space : all_spaces)
    for (const auto& name : situation_names())
      if (is_chosen(space, name)) trials.push_back({name, space, name == "everything" ? 6 : 2});
  check_against_one_rank(trials);
}

TEST_CASE("any number of ranks marches as one rank does in every scheme, to the last bit") {
  std::vector<Trial> trials;
  for (const Scheme scheme : all_schemes)
    for (const auto& name : all_situation_names())
      trials.push_back({name, name == "everything" ? Space::mixed_2 : Space::full_1, 4, scheme});
  trials.push_back({"everything", Space::full_4, 2, Scheme::dgtd_upwind});
  check_against_one_rank(trials);
}

TEST_CASE("any number of ranks marches with a penalty on jumps as one rank does, to the last bit") {
  std::vector<Trial> trials;
  for (const char* name : {"everything", "dispersion", "axes and losses", "guides of one mode", "absorbing layers",
                           "everything with metal held in classes"}) {
    trials.push_back({name});
    trials.back().penalty = 0.2;
  }
  check_against_one_rank(trials);
}

TEST_CASE("any number of ranks marches with steps of fourth order as one rank does, to the last bit") {
  const Communicator world = Communicator::world();
  march::EngineOptions options;
  options.threads = 1;
  const auto& names = fourth_order_names();
  const std::vector<Alone> alone = share_out(names.size(), [&](std::size_t k) {
    const auto whole = make_fourth_order(names[k], Space::full_1, 4, Communicator::self(), Ordering::none);
    return march_alone(*whole, *host::make_engine(whole->problem, options, Communicator::self()), cfl, 8);
  });
  for (std::size_t k = 0; k < names.size(); ++k) {
    INFO(names[k]);
    const auto& [limit, whole, expected] = alone[k];
    const auto shared = make_fourth_order(names[k], Space::full_1, 4, world);
    const auto all = host::make_engine(shared->problem, options, world);
    CHECK(all->find_stable_step() == limit);
    const Outcome found = run_engine(*all, shared->make_start(cfl * limit, 8), {8});
    CHECK(largest_difference(found.electric, pick_dofs(expected.electric, whole, shared->mesh)) == 0);
    CHECK(largest_difference(found.magnetic, pick_dofs(expected.magnetic, whole, shared->mesh)) == 0);
    CHECK(largest_energy_difference(found, expected) == 0);
  }
}

TEST_CASE("any number of ranks marches conductors as one rank does, to the last bit") {
  std::vector<Trial> trials;
  for (const Scheme scheme : all_schemes) trials.push_back({"conductors", Space::full_1, 4, scheme});
  check_against_one_rank(trials);
}

TEST_CASE("any number of ranks marches held metal and ports of one mode as one rank does, to the last bit") {
  std::vector<Trial> trials;
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dgtd_upwind})
    for (const char* name : {"everything with metal held", "guides of one mode",
                             "everything with metal held in classes", "guides of one mode in classes"})
      trials.push_back({name, Space::full_1, 4, scheme});
  for (const char* name : {"walls and ports of one mode", "guides of one mode", "guides of one mode in classes"})
    trials.push_back({name, Space::full_1, 4, Scheme::dfdd_eld});
  check_against_one_rank(trials);
}

TEST_CASE("any number of ranks marches absorbing layers as one rank does, to the last bit") {
  std::vector<Trial> trials;
  for (const Scheme scheme : all_schemes)
    for (const Space space : {Space::full_1, Space::mixed_2}) trials.push_back({"absorbing layers", space, 4, scheme});
  check_against_one_rank(trials);
}

TEST_CASE("any number of ranks marches classes of time steps as one rank does, to the last bit") {
  std::vector<Trial> trials;
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld}) {
    for (const char* name : {"everything in classes", "dispersion in classes", "ports with memory in classes"})
      trials.push_back({name, Space::mixed_1, 4, scheme});
    trials.push_back({"everything in classes", Space::mixed_1, 4, scheme, Layout::stored});
  }
  trials.push_back({"absorbing layers in classes"});
  for (const char* name : {"everything in classes", "dispersion in classes", "axes and losses in classes",
                           "ports with memory in classes", "absorbing layers in classes", "conductors in classes"})
    trials.push_back({name, Space::full_1, 4, Scheme::dgtd_upwind});
  check_against_one_rank(trials);
}

TEST_CASE("any number of ranks marches as one rank does in the stored layout, to the last bit") {
  std::vector<Trial> trials;
  for (const Space space : all_spaces) trials.push_back({"everything", space, 4, Scheme::dgtd_central, Layout::stored});
  for (const Scheme scheme : all_schemes) trials.push_back({"dispersion", Space::full_1, 4, scheme, Layout::stored});
  check_against_one_rank(trials);
}

TEST_CASE("the order of the elements changes no bit of a march") {
  std::vector<Trial> trials;
  for (const Ordering ordering : {Ordering::none, Ordering::curve, Ordering::parts})
    trials.push_back({"everything", Space::full_1, 6, Scheme::dgtd_central, Layout::factored, ordering});
  check_against_one_rank(trials);
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
