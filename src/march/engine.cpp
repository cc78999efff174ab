#include "march/engine.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace tetrawave::march {

int threads_of_rank(const EngineOptions& options, const comm::Communicator& ranks) {
  if (options.threads > 0) return options.threads;
  cpu_set_t allowed;
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const int cores = known ? CPU_COUNT(&allowed) : static_cast<int>(std::thread::hardware_concurrency());
  const int node = static_cast<int>(std::thread::hardware_concurrency());
  // A launcher that binds ranks has divided the cores already.
  return std::max(1, cores < node ? cores : cores / ranks.node_size());
}

}  // namespace tetrawave::march
