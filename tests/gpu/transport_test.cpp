// Every transport between ranks with GPUs: the same marches, replayed graphs among them.
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/launch/engine.hpp"
#include "gpu/gpu_is_here.hpp"
#include "gpu/transports.hpp"
#include "march/exchange/make_carrier.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 100;

std::unique_ptr<march::Engine> make_engine(Situation& situation, const Communicator& ranks, Scheme scheme,
                                           Precision precision, Transport transport) {
  march::EngineOptions options;
  options.threads = 2;
  options.precision = precision;
  options.transport = transport;
  situation.problem.scheme = scheme;
  return cuda::make_engine(situation.problem, options, ranks);
}

/// Half the stable step, and steps of it: by the first rank, for all. Ranks at once would take slices of one GPU's
/// time.
std::pair<double, Outcome> march_alone(Situation& situation, Scheme scheme, Precision precision) {
  const Communicator world = Communicator::world(), self = Communicator::self();
  Outcome found;
  std::vector<double> numbers(2);
  if (world.rank() == 0) {
    const auto engine = make_engine(situation, self, scheme, precision, Transport::automatic);
    numbers[0] = 0.5 * engine->find_stable_step();
    found = run_engine(*engine, situation.make_start(numbers[0], steps), {steps});
    numbers[1] = found.present_energy;
  }
  for (std::vector<double>* values : {&numbers, &found.electric, &found.magnetic}) world.broadcast(*values);
  found.present_energy = numbers[1];
  return {numbers[0], std::move(found)};
}

/// Microseconds of an exchange of so many bytes with one peer: traces of elements with two unknowns.
double time_exchange(Transport transport, std::size_t bytes, const Communicator& world) {
  constexpr int times = 200;
  cuda::CudaBackend backend(cuda::device_of(world), 1, transport);
  const std::size_t numbers = bytes / sizeof(double);
  std::vector<march::Route> routes;
  if (world.rank() < 2) routes.push_back({1 - world.rank(), numbers, numbers});
  const auto carrier = march::make_carrier<cuda::CudaBackend, double>(backend, world, routes);
  carrier->open();
  if (routes.empty()) return 0;
  cuda::CudaBackend::Buffer<double> from(backend, numbers);
  cuda::CudaBackend::Buffer<double> to(backend, numbers);
  cuda::CudaBackend::Buffer<std::int32_t> zeros(backend, numbers);
  zeros.upload(std::vector<std::int32_t>(numbers, 0));
  constexpr int block = 2 * cuda::CudaBackend::lanes<double>;
  const march::TraceList<double> list{
      from.data(), zeros.data(), zeros.data(), zeros.data(), 2, 1, static_cast<std::int64_t>(numbers / block)};
  const auto exchange = [&] {
    kernels::Messages<kernels::SendTraces<double>> messages;
    messages.add(carrier->message(0, list, march::teams_for(static_cast<std::int64_t>(numbers))));
    backend.for_teams(messages, messages.teams());
    carrier->dispatch({0, 1});
    carrier->carry({0, 1}, {to.data()});
    carrier->deliver({0, 1}, {to.data()});
  };
  for (int k = 0; k < 10; ++k) exchange();
  backend.synchronize();
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < times; ++k) exchange();
  backend.synchronize();
  return 1e6 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / times;
}

}  // namespace

TEST_CASE("every transport between GPUs gives the march of one rank, to the last bit", "[cuda][ranks]") {
  if (!gpu_is_here()) return;
  const Communicator world = Communicator::world();
  const std::vector<Transport> transports = find_transports(world);
  CHECK_FALSE(transports.empty());
  for (const char* name : {"everything", "dispersion", "closed vacuum", "everything with metal held",
                           "ports of one mode", "guides of one mode"}) {
    const auto all = make_situation(name, Space::full_1, 4, world);
    const auto one = make_situation(name, Space::full_1, 4, Communicator::self());
    for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
        const auto [dt_m, expected] = march_alone(*one, scheme, precision);
        for (const Transport transport : transports) {
          const auto engine = make_engine(*all, world, scheme, precision, transport);
          for (const std::vector<std::int64_t>& pieces : {std::vector<std::int64_t>{steps}, {1, 33, 0, 16, 15, 35}}) {
            INFO(name << ", transport " << name_of(transport) << ", scheme " << static_cast<int>(scheme));
            const Outcome found = run_engine(*engine, all->make_start(dt_m, steps), pieces);
            CHECK(largest_difference(found.electric, pick_dofs(expected.electric, one->mesh, all->mesh)) == 0);
            CHECK(largest_difference(found.magnetic, pick_dofs(expected.magnetic, one->mesh, all->mesh)) == 0);
            CHECK(found.present_energy == expected.present_energy);
            if (world.rank() == 0) CHECK(largest_difference(found.record, expected.record) < 1e-13);
          }
        }
      }
  }
}

TEST_CASE("the time of an exchange is printed for every transport", "[cuda][ranks]") {
  if (!gpu_is_here() || Communicator::world().size() < 2) return;
  const Communicator world = Communicator::world();
  for (const Transport transport : find_transports(world))
    for (const std::size_t bytes :
         {std::size_t{8} << 10, std::size_t{256} << 10, std::size_t{2} << 20, std::size_t{32} << 20}) {
      const double us = time_exchange(transport, bytes, world);
      CHECK(us >= 0);
      if (world.rank() == 0)
        std::printf("%-16s %9zu bytes both ways: %9.1f us, %.2f GB/s each way\n", name_of(transport).c_str(), bytes, us,
                    1e-3 * static_cast<double>(bytes) / us);
    }
}
