#include "app/binding.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <thread>

#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/shared/shared_solver.hpp"

namespace tetrawave::app {

namespace {

/// A rank's place in the form sent to other ranks.
struct Place {
  std::array<char, 64> host{};
  std::array<char, 128> device{};
  std::array<char, 64> unit{};
};

template <std::size_t size>
std::array<char, size> packed(const std::string& text) {
  std::array<char, size> result{};
  std::copy_n(text.begin(), std::min(size - 1, text.size()), result.begin());
  return result;
}

std::string name_of_host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

void print_table(const std::vector<Place>& places) {
  if (places.size() == 1) return log::info("on {}: {}", places[0].host.data(), places[0].device.data());
  log::info("{:>5}  {:<20} {}", "rank", "host", "device");
  for (std::size_t r = 0; r < places.size(); ++r)
    log::info("{:>5}  {:<20} {}", r, places[r].host.data(), places[r].device.data());
}

/// The first two ranks that share a GPU; none if every rank has its own.
std::optional<std::pair<std::size_t, std::size_t>> find_shared(const std::vector<Place>& places) {
  std::map<std::string, std::size_t> owner;
  for (std::size_t r = 0; r < places.size(); ++r) {
    if (places[r].unit[0] == 0) continue;
    const std::string unit = std::string(places[r].host.data()) + " " + places[r].unit.data();
    const auto [found, is_new] = owner.emplace(unit, r);
    if (!is_new) return std::pair{found->second, r};
  }
  return std::nullopt;
}

}  // namespace

void bind_ranks(ChosenBackend& backend, const BindingRequest& request, const comm::Communicator& ranks) {
  RankPlace mine;
  ranks.agree([&] { mine = backend.place(ranks); });
  const Place packed_place{packed<64>(name_of_host()), packed<128>(mine.device), packed<64>(mine.unit)};
  const auto places = ranks.all_gather(std::span<const Place>(&packed_place, 1));
  if (ranks.rank() == 0) print_table(places);
  const auto shared = find_shared(places);
  if (shared && !request.allow_oversubscribe)
    fail(ExitCode::unavailable,
         "tetrawave: error: ranks {} and {} have the same GPU ({}, {}): start one rank per GPU, or give "
         "--allow-oversubscribe",
         shared->first, shared->second, places[shared->first].host.data(), places[shared->first].device.data());
  const Transport transport = backend.probe_transport(request.transport, !shared, ranks);
  backend.transport = ranks.size() > 1 ? name_of(transport) : "none";
  if (ranks.size() > 1) log::info("transport between the ranks: {}", backend.transport);
  backend.make_engine = [make = backend.make_engine, transport](const march::Problem& problem,
                                                                const march::EngineOptions& options,
                                                                const comm::Communicator& all) {
    march::EngineOptions with_transport = options;
    with_transport.transport = transport;
    return make(problem, with_transport, all);
  };
  if (backend.make_iteration_device) backend.iteration_device = backend.make_iteration_device(transport);
}

bool uses_transport(const ChosenBackend& backend, const Case& given) {
  return fem::is_on_device(given.solver, fem::SolverMachine(1, nullptr, backend.iteration_device));
}

void refuse_idle_transport(const ChosenBackend& backend, const Case& given) {
  if (given.run.transport == Transport::automatic || uses_transport(backend, given)) return;
  fail(ExitCode::unavailable,
       "tetrawave: error: run.transport: {}: nothing travels that way but vectors of iterations on GPUs, with "
       "solver.method: bicgstab and preconditioner none, jacobi or ssor-ai: use auto",
       name_of(given.run.transport));
}

void warn_of_threads(int of_case, const comm::Communicator& ranks) {
  const int threads = march::threads_of_rank({Precision::double_precision, of_case}, ranks);
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  if (ranks.rank() == 0 && cores > 0 && threads > cores)
    log::warning("{}: {} threads share the {} core{} of this machine, which is slower than one thread per core",
                 of_case > 0 ? "run.threads" : "OMP_NUM_THREADS", threads, cores, cores == 1 ? "" : "s");
}

}  // namespace tetrawave::app
