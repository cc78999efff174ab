// Every transport between CPU ranks: the same marches, and the order of exchanges under load.
#include <algorithm>
#include <chrono>
#include <thread>

#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "failure.hpp"
#include "host/host_backend.hpp"
#include "march/exchange/make_carrier.hpp"
#include "mpi/one_rank.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 50;

Outcome march_over(const Situation& situation, const Communicator& ranks, Precision precision, Transport transport,
                   double dt_m, const std::vector<std::int64_t>& pieces) {
  march::EngineOptions options;
  options.threads = 1;
  options.precision = precision;
  options.transport = transport;
  const auto engine = host::make_engine(situation.problem, options, ranks);
  return run_engine(*engine, situation.make_start(dt_m, steps), pieces);
}

/// What the k-th exchange brings from a rank over one of the routes between two.
double word(int from, int to, std::size_t route, int k, std::size_t i) {
  return from * 1e6 + to * 1e5 + k * 10.0 + static_cast<double>(i) + 0.001 * static_cast<double>(route);
}

/// Elements of two unknowns, of which each is a trace: a message of their blocks is the field itself.
struct TwoTraces {
  static constexpr std::size_t lanes = host::HostBackend::lanes<double>;
  std::vector<std::int32_t> element, face;
  std::vector<std::int32_t> on_face{0, 1, 0, 0};
  std::vector<double> field;

  explicit TwoTraces(std::size_t blocks) : field(blocks * 2 * lanes) {
    for (std::size_t i = 0; i < field.size(); ++i) {
      element.push_back(static_cast<std::int32_t>(i / (2 * lanes) * lanes + i % lanes));
      face.push_back(static_cast<std::int32_t>(i / lanes % 2));
    }
  }
  [[nodiscard]] march::TraceList<double> list() const {
    return {field.data(),
            element.data(),
            face.data(),
            on_face.data(),
            2,
            1,
            static_cast<std::int64_t>(field.size() / (2 * lanes))};
  }
};

/// Exchanges with every other rank over several routes (on three ranks more than one launch takes), of which the lower
/// rank sends some blocks and the higher one none, in a rhythm of each rank's own.
void exchange_one_way(Transport transport, std::size_t blocks, int times) {
  const Communicator world = Communicator::world();
  const std::size_t few = blocks * 2 * TwoTraces::lanes;
  host::HostBackend backend(1, transport);
  std::vector<march::Route> routes;
  for (int copy = 0; copy < 5; ++copy)
    for (int r = 0; r < world.size(); ++r)
      if (r != world.rank()) routes.push_back({r, world.rank() < r ? few : 0, world.rank() < r ? 0 : few});
  const auto copy_of = [&](std::size_t r) { return r / static_cast<std::size_t>(world.size() - 1); };
  const auto carrier = march::make_carrier<host::HostBackend, double>(backend, world, routes);
  carrier->open();
  std::vector<std::vector<double>> found(routes.size(), std::vector<double>(few));
  std::vector<double*> places;
  for (auto& numbers : found) places.push_back(numbers.data());
  const march::RouteRange all{0, routes.size()};
  std::vector<TwoTraces> sent;
  for (const march::Route& route : routes) sent.emplace_back(route.sent / (2 * TwoTraces::lanes));
  std::vector<march::TraceList<double>> lists;
  for (const TwoTraces& traces : sent) lists.push_back(traces.list());
  std::int64_t wrong = 0;
  for (int k = 0; k < times; ++k) {
    if (k % (7 + world.rank()) == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    for (std::size_t r = 0; r < routes.size(); ++r)
      for (std::size_t i = 0; i < routes[r].sent; ++i)
        sent[r].field[i] = word(world.rank(), routes[r].rank, copy_of(r), k, i);
    march::MessageQueue<kernels::SendTraces<double>> queue;
    for (std::size_t r = 0; r < routes.size(); ++r)
      queue.add(carrier->message(r, lists[r], march::teams_for(static_cast<std::int64_t>(routes[r].sent))));
    for (const auto& messages : queue.launches()) backend.for_teams(messages, messages.teams());
    carrier->dispatch(all);
    carrier->carry(all, places);
    carrier->deliver(all, places);
    for (std::size_t r = 0; r < routes.size(); ++r)
      for (std::size_t i = 0; i < routes[r].received; ++i)
        wrong += found[r][i] == word(routes[r].rank, world.rank(), copy_of(r), k, i) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every transport between CPU ranks gives the march of one rank, to the last bit") {
  const Communicator world = Communicator::world(), self = Communicator::self();
  std::vector<std::pair<Scheme, Precision>> methods;
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      methods.emplace_back(scheme, precision);
  const auto situation_of = [](Scheme scheme, const Communicator& ranks) {
    auto situation = make_situation("everything", Space::full_1, 4, ranks);
    situation->problem.scheme = scheme;
    return situation;
  };
  const std::vector<Alone> alone = share_out(methods.size(), [&](std::size_t k) {
    const auto& [scheme, precision] = methods[k];
    const auto one = situation_of(scheme, self);
    Alone result;
    result.stable_step_m = host::make_engine(one->problem, {}, self)->find_stable_step();
    result.mesh.global_id = one->mesh.global_id;
    result.outcome = march_over(*one, self, precision, Transport::automatic, 0.5 * result.stable_step_m, {steps});
    return result;
  });
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const auto& [scheme, precision] = methods[k];
    const auto& [limit, whole, expected] = alone[k];
    const auto all = situation_of(scheme, world);
    for (const Transport transport : {Transport::page_locked, Transport::ipc}) {
      INFO("transport " << name_of(transport) << ", scheme " << static_cast<int>(scheme));
      const Outcome found = march_over(*all, world, precision, transport, 0.5 * limit, {1, 33, 16});
      CHECK(largest_difference(found.electric, pick_dofs(expected.electric, whole, all->mesh)) == 0);
      CHECK(largest_difference(found.magnetic, pick_dofs(expected.magnetic, whole, all->mesh)) == 0);
      CHECK(found.present_energy == expected.present_energy);
      CHECK(largest_energy_difference(found, expected) == 0);
      if (world.rank() == 0) CHECK(largest_difference(found.record, expected.record) == 0);
    }
  }
}

TEST_CASE("a rank that only sends does not run ahead of one that only receives") {
  for (const Transport transport : {Transport::mpi, Transport::page_locked, Transport::ipc}) {
    INFO("transport " << name_of(transport));
    exchange_one_way(transport, 1, 300);
    exchange_one_way(transport, 2500, 60);
  }
}

TEST_CASE("transports that CPU ranks have are found, and others refused") {
  const Communicator world = Communicator::world();
  CHECK(host::probe_transport(Transport::automatic, true, world) == Transport::mpi);
  if (world.size() == 1) return;
  CHECK(host::probe_transport(Transport::page_locked, true, world) == Transport::page_locked);
  CHECK(host::probe_transport(Transport::ipc, true, world) == Transport::ipc);
  for (const Transport transport : {Transport::nccl, Transport::cuda_aware_mpi}) {
    const Failure failure = catch_failure([&] { host::probe_transport(transport, true, world); });
    CHECK(failure.code == ExitCode::unavailable);
    CHECK_THAT(failure.text, ContainsSubstring("transport " + name_of(transport) + ": ranks on CPUs do not have it"));
  }
}

TEST_CASE("what exchanges take is measured on every rank that has one") {
  const Communicator world = Communicator::world();
  for (const Transport transport : {Transport::automatic, Transport::ipc}) {
    const auto situation = make_situation("everything", Space::full_1, 6, world);
    march::EngineOptions options;
    options.threads = 1;
    options.transport = transport;
    const auto engine = host::make_engine(situation->problem, options, world);
    const auto begin = std::chrono::steady_clock::now();
    run_engine(*engine, situation->make_start(0.001, steps), {steps});
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    const march::ExchangeSeconds seconds = engine->exchange_seconds();
    const bool alone = situation->mesh.peers.empty();
    CHECK((seconds.exposed + seconds.hidden > 0) == !alone);
    CHECK(seconds.exposed >= 0);
    CHECK(seconds.hidden >= 0);
    CHECK(seconds.exposed + seconds.hidden < passed.count());
  }
}
