#include "march/interface/engine.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace tetrawave::march {

namespace {

/// OMP_NUM_THREADS, the first number of a list; 0 if it is absent or not a number of threads.
int threads_of_environment() {
  const char* given = std::getenv("OMP_NUM_THREADS");
  const std::string_view text = given == nullptr ? "" : given;
  int threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  const bool whole = error == std::errc() && (end == text.data() + text.size() || *end == ',');
  return whole && threads > 0 ? std::min(threads, 1024) : 0;
}

}  // namespace

int threads_of_rank(const EngineOptions& options, const comm::Communicator& ranks) {
  if (options.threads > 0) return options.threads;
  if (const int wanted = threads_of_environment(); wanted > 0) return wanted;
  cpu_set_t allowed;
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const int cores = known ? CPU_COUNT(&allowed) : static_cast<int>(std::thread::hardware_concurrency());
  const int node = static_cast<int>(std::thread::hardware_concurrency());
  // A launcher that binds ranks has already divided the cores.
  return std::max(1, cores < node ? cores : cores / ranks.node_size());
}

}  // namespace tetrawave::march
