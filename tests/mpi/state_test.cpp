// The state of a march: written by some ranks, taken up by others, to the last bit.
#include "march/loop/state_file.hpp"

#include <fstream>

#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "failure.hpp"
#include "mesh/report/fingerprint.hpp"
#include "support/outcome.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t before = 23;
constexpr std::int64_t after = 31;

/// A folder that all ranks see.
class SharedFolder {
 public:
  SharedFolder() {
    path_ = own_.path().string();
    Communicator::world().broadcast(path_);
  }
  ~SharedFolder() { Communicator::world().barrier(); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  [[nodiscard]] std::filesystem::path state_of(int rank) const {
    return std::filesystem::path(path_) / std::to_string(rank);
  }
  [[nodiscard]] std::vector<std::filesystem::path> states(int ranks) const {
    std::vector<std::filesystem::path> files;
    for (int r = 0; r < ranks; ++r) files.push_back(state_of(r));
    return files;
  }

 private:
  TemporaryDirectory own_;
  std::string path_;
};

struct Bench {
  Communicator ranks;
  std::unique_ptr<Situation> situation;
  std::unique_ptr<march::Engine> engine;

  Bench(Precision precision, const Communicator& shared, Layout layout = Layout::factored,
        Scheme scheme = Scheme::dgtd_central, const std::string& name = "everything",
        Dispersion dispersion = Dispersion::passive, double penalty = 0)
      : ranks(shared), situation(make_situation(name, Space::full_1, 4, shared)) {
    march::EngineOptions options;
    options.threads = 1;
    options.precision = precision;
    situation->problem.layout = layout;
    situation->problem.scheme = scheme;
    situation->problem.penalty = penalty;
    for (Medium& medium : situation->problem.media) medium.dispersion = dispersion;
    engine = host::make_engine(situation->problem, options, ranks);
  }
  /// DGTD-Central of fourth order.
  Bench(const Communicator& shared, const std::string& name)
      : ranks(shared), situation(make_fourth_order(name, Space::full_1, 4, shared)) {
    march::EngineOptions options;
    options.threads = 1;
    engine = host::make_engine(situation->problem, options, ranks);
  }
  [[nodiscard]] march::StateRegistry state() const {
    march::StateRegistry registry;
    engine->register_state(registry);
    return registry;
  }
  [[nodiscard]] march::Start start(double dt_m) const { return situation->make_start(dt_m, before + after); }
  void write(const SharedFolder& folder) const {
    march::write_state(state(), situation->mesh, ranks.rank() == 0, folder.state_of(ranks.rank()));
  }
  /// Takes a state up and marches to the end.
  [[nodiscard]] Outcome finish(double dt_m, const std::vector<std::filesystem::path>& files) const {
    march::Start empty = start(dt_m);
    empty.electric.reset();
    empty.magnetic.reset();
    engine->start(empty);
    engine->advance(7);  // what was before is overwritten
    march::read_state(state(), situation->mesh, ranks, files);
    engine->resume();
    engine->advance(after);
    engine->finish();
    return outcome();
  }
  [[nodiscard]] Outcome outcome() const {
    Outcome result;
    result.electric = engine->field(march::Field::electric);
    result.magnetic = engine->field(march::Field::magnetic);
    result.present_energy = engine->present_energy();
    result.record = engine->take_record().values;
    result.energies = engine->take_energy();
    return result;
  }
};

/// The uninterrupted march; writes the state in between.
Outcome march_whole(const Bench& bench, double dt_m, const SharedFolder& folder) {
  bench.engine->start(bench.start(dt_m));
  bench.engine->advance(before);
  bench.engine->take_record();
  bench.engine->take_energy();
  bench.write(folder);
  bench.engine->advance(after);
  bench.engine->finish();
  return bench.outcome();
}

}  // namespace

TEST_CASE("a march taken up by as many ranks goes on to the last bit, walls and waves included") {
  struct Method {
    Precision precision;
    Layout layout;
    Scheme scheme;
    const char* situation = "everything";
    Dispersion dispersion = Dispersion::passive;
    double penalty = 0;
  };
  for (const auto& [precision, layout, scheme, name, dispersion, penalty] :
       {Method{Precision::double_precision, Layout::factored, Scheme::dgtd_central},
        {Precision::single_precision, Layout::factored, Scheme::dgtd_central},
        {Precision::double_precision, Layout::stored, Scheme::dgtd_central},
        {Precision::double_precision, Layout::stored, Scheme::dfdd_eld},
        {Precision::double_precision, Layout::stored, Scheme::dgtd_upwind},
        {Precision::double_precision, Layout::factored, Scheme::dfdd_eld, "everything", Dispersion::published},
        {Precision::double_precision, Layout::factored, Scheme::dgtd_central, "Kerr"},
        {Precision::double_precision, Layout::factored, Scheme::dgtd_central, "ports with memory in classes"},
        {Precision::double_precision, Layout::factored, Scheme::dfdd_eld, "dispersion in classes"},
        {Precision::double_precision, Layout::factored, Scheme::dgtd_upwind, "dispersion in classes"},
        {Precision::double_precision, Layout::factored, Scheme::dgtd_upwind, "ports with memory in classes"},
        {Precision::double_precision, Layout::factored, Scheme::dgtd_upwind, "absorbing layers in classes"},
        {Precision::double_precision, Layout::factored, Scheme::dgtd_upwind, "conductors in classes"},
        {Precision::double_precision, Layout::factored, Scheme::dgtd_central, "conductors"},
        {Precision::double_precision, Layout::factored, Scheme::dfdd_eld, "conductors"},
        {Precision::double_precision, Layout::factored, Scheme::dfdd_eld, "guides of one mode"},
        {Precision::single_precision, Layout::factored, Scheme::dfdd_eld, "walls and ports of one mode"},
        {Precision::single_precision, Layout::factored, Scheme::dgtd_upwind, "conductors"},
        {Precision::double_precision, Layout::factored, Scheme::dgtd_central, "absorbing layers"},
        {Precision::double_precision, Layout::factored, Scheme::dgtd_central, "dispersion", Dispersion::passive, 0.2},
        {Precision::double_precision, Layout::factored, Scheme::dfdd_eld, "absorbing layers"},
        {Precision::single_precision, Layout::factored, Scheme::dgtd_upwind, "absorbing layers"}}) {
    const SharedFolder folder;
    const Communicator world = Communicator::world();
    const Bench first(precision, world, layout, scheme, name, dispersion, penalty),
        second(precision, world, layout, scheme, name, dispersion, penalty);
    const double dt = 0.9 * first.engine->find_stable_step();
    const Outcome whole = march_whole(first, dt, folder);
    world.barrier();
    const Outcome rest = second.finish(dt, folder.states(world.size()));
    INFO(name << ", scheme " << static_cast<int>(scheme) << ", layout " << static_cast<int>(layout));
    CHECK(are_identical(rest, whole));
    CHECK(!rest.energies.empty());
  }
}

TEST_CASE("a march of fourth order goes on to the last bit") {
  for (const char* name :
       {"everything with metal held", "inner dispersion", "driven faces", "other impedance", "sources"}) {
    const SharedFolder folder;
    const Communicator world = Communicator::world();
    const Bench first(world, name), second(world, name);
    const double dt = 0.9 * first.engine->find_stable_step();
    const Outcome whole = march_whole(first, dt, folder);
    world.barrier();
    const Outcome rest = second.finish(dt, folder.states(world.size()));
    INFO(name);
    CHECK(are_identical(rest, whole));
    CHECK(!rest.energies.empty());
  }
}

TEST_CASE("ports with memory go on to the last bit") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dgtd_upwind, Scheme::dfdd_eld}) {
    const SharedFolder folder;
    const Communicator world = Communicator::world();
    const auto bench = [&] {
      return Bench(Precision::double_precision, world, Layout::factored, scheme, "ports with memory");
    };
    const Bench first = bench(), second = bench();
    const double dt = 0.9 * first.engine->find_stable_step();
    const Outcome whole = march_whole(first, dt, folder);
    world.barrier();
    CHECK(are_identical(second.finish(dt, folder.states(world.size())), whole));
  }
}

TEST_CASE("a march of one rank is taken up by many, and of many by one, to the last bit") {
  const SharedFolder folder, folder_of_one;
  const Communicator world = Communicator::world();
  const Bench all(Precision::double_precision, world), one(Precision::double_precision, Communicator::self());
  const double dt = 0.9 * all.engine->find_stable_step();
  const Outcome whole = march_whole(all, dt, folder);
  if (world.rank() == 0) {
    one.engine->start(one.start(dt));
    one.engine->advance(before);
    one.write(folder_of_one);
  }
  world.barrier();
  const Bench again(Precision::double_precision, world);
  CHECK(are_identical(again.finish(dt, folder_of_one.states(1)), whole));
  const Outcome alone = one.finish(dt, folder.states(world.size()));
  const LocalMesh& part = all.situation->mesh;
  CHECK(largest_difference(pick_dofs(alone.electric, one.situation->mesh, part), whole.electric) == 0);
  CHECK(largest_difference(pick_dofs(alone.magnetic, one.situation->mesh, part), whole.magnetic) == 0);
}

TEST_CASE("a state with a wrong number of elements, a flipped bit or a NaN is refused on all ranks") {
  const SharedFolder folder;
  const Communicator world = Communicator::world();
  const Bench bench(Precision::double_precision, world);
  march_whole(bench, 0.9 * bench.engine->find_stable_step(), folder);
  world.barrier();
  const auto read = [&](const std::vector<std::filesystem::path>& files) {
    return catch_failure([&] { march::read_state(bench.state(), bench.situation->mesh, world, files); });
  };
  auto files = folder.states(world.size());
  files.push_back(files.front());
  CHECK(read(files).code == ExitCode::bad_checkpoint);
  if (world.rank() == 0) {
    std::fstream file(folder.state_of(0), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(folder.state_of(0)) / 2));
    file.put('\x7e');
  }
  world.barrier();
  CHECK(read(folder.states(world.size())).code == ExitCode::bad_checkpoint);

  march::Start start = bench.start(1e-3);
  for (double& dof : *start.electric) dof = std::nan("");
  bench.engine->start(start);
  CHECK(catch_failure([&] { bench.write(folder); }).code == ExitCode::unstable);
}

TEST_CASE("the worst element is the same on any number of ranks, not finite before large, lowest id first") {
  const Communicator world = Communicator::world();
  const Bench bench(Precision::double_precision, world);
  const LocalMesh& mesh = bench.situation->mesh;
  std::vector<double> energy(mesh.global_id.size(), 1.0);
  const auto set = [&](GlobalIndex id, double value) {
    for (std::size_t e = 0; e < energy.size(); ++e)
      if (mesh.global_id[e] == id) energy[e] = value;
  };
  CHECK(march::find_worst(mesh, energy, world).id == 0);
  set(57, 2);
  CHECK(march::find_worst(mesh, energy, world).id == 57);
  set(31, std::nan(""));
  set(200, HUGE_VAL);
  const march::WorstElement worst = march::find_worst(mesh, energy, world);
  CHECK(worst.id == 31);
  CHECK(std::isnan(worst.energy_j));
  CHECK(!worst.region.empty());
}

TEST_CASE("the fingerprint of a mesh does not depend on ranks, and notices every change") {
  const Communicator world = Communicator::world();
  LocalMesh mesh = make_situation("everything", Space::full_1, 4, world)->mesh;
  const std::uint64_t found = fingerprint_of(mesh, world);
  CHECK(found == fingerprint_of(make_situation("everything", Space::full_1, 4, Communicator::self())->mesh,
                                Communicator::self()));
  const std::string hash = hash_of_mesh(mesh, 1, world);
  CHECK(hash.size() == 16);
  CHECK(hash == hash_of_mesh(make_situation("everything", Space::full_1, 4, Communicator::self())->mesh, 3,
                             Communicator::self()));
  mesh.boundary[0][1] += 1;
  CHECK(fingerprint_of(mesh, world) != found);
  CHECK(hash_of_mesh(mesh, 1, world) == hash);
  mesh.boundary[0][1] -= 1;
  mesh.corners[0][1][2] = std::nextafter(mesh.corners[0][1][2], 1e9);
  CHECK(fingerprint_of(mesh, world) != found);
  CHECK(hash_of_mesh(mesh, 1, world) != hash);
}
