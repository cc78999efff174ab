#include "march/engine.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace tetrawave::march {

namespace {

/// The first number of OMP_NUM_THREADS, which may be a list for nested levels; 0: none that makes sense.
int threads_of_environment() {
  constexpr int most = 1024;  // as run.threads
  const char* text = std::getenv("OMP_NUM_THREADS");
  const int count = text == nullptr ? 0 : std::atoi(text);
  return count > 0 && count <= most ? count : 0;
}

}  // namespace

int threads_of_rank(const EngineOptions& options, const comm::Communicator& ranks) {
  if (options.threads > 0) return options.threads;
  cpu_set_t allowed;
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const int cores = known ? CPU_COUNT(&allowed) : static_cast<int>(std::thread::hardware_concurrency());
  if (const int count = threads_of_environment(); count > 0) return count;
  const int node = static_cast<int>(std::thread::hardware_concurrency());
  // A launcher that binds ranks has divided the cores already.
  return std::max(1, cores < node ? cores : cores / ranks.node_size());
}

}  // namespace tetrawave::march
