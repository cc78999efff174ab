// Memory of a run before any of it is allocated: that of its engine made, asked for its stable step and started on a
// device that only counts (host/host_backend.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "comm/communicator.hpp"
#include "march/interface/engine.hpp"
#include "march/interface/memory_count.hpp"

namespace tetrawave::march {

/// Bytes on one rank.
struct MemoryPlan {
  std::int64_t march = 0;     ///< on the device, during time stepping
  std::int64_t search = 0;    ///< peak there up to the end of the search for the stable step
  std::int64_t start = 0;     ///< peak there during the start of the run
  std::int64_t matrices = 0;  ///< of `march`: those of layout: stored
  // On the host, in addition to the mesh and its set-up, and to the above if it is the device:
  std::int64_t host_search = 0;
  std::int64_t host_start = 0;       ///< initial fields and walls during transfer to the device
  std::int64_t host_checkpoint = 0;  ///< one field during transfer to a file
  std::int64_t host_recorder = 0;    ///< recorded rows during transfer to a file
  [[nodiscard]] std::int64_t peak() const { return std::max(search, start); }
};

/// Of a run started like this; values of fields and waves do not matter. Collective.
MemoryPlan plan_memory(const Problem& problem, const Start& start, Precision precision, const BackendTraits& traits,
                       int threads, const comm::Communicator& ranks);

/// Where an engine is about to be made.
struct MemoryPlace {
  std::int64_t free = 0;  ///< bytes
  std::string device;
  int threads = 1;
};

/// Throws UserError (out_of_memory) with figures and a remedy if the plan exceeds what is free.
void check_memory(const MemoryPlan& plan, const Problem& problem, Precision precision, const MemoryPlace& place);

/// The same for an engine that is about to be made; tables of waves are made with the step, and are small. Runs that
/// fill a small part of the memory are not counted. Collective.
void check_memory(const Problem& problem, Precision precision, const BackendTraits& traits, const MemoryPlace& place,
                  const comm::Communicator& ranks);

/// Bytes of the functionals of a Problem.
std::int64_t bytes_of_functionals(const Problem& problem);

}  // namespace tetrawave::march
