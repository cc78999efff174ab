// Analysis of a run in the time domain before it starts: local steps, memory, disk, and likely errors.
#pragma once

#include <filesystem>
#include <vector>

#include "engines/memory_plan.hpp"
#include "model/check/case_check.hpp"
#include "modes/time_domain/setup.hpp"

namespace tetrawave::modes {

/// With the part of the fields (model/check/case_check.hpp); what `check` and a run warn of, of the space for its files
/// in `folder` (empty: the working directory) too. Collective; the same on all ranks but for that space.
CaseCheck examine_case(const TimeDomainSetup& setup, const std::filesystem::path& folder,
                       const comm::Communicator& ranks);

/// Memory of one rank in bytes. If the device is the host, the host's bytes include the device's.
struct RankMemory {
  std::int64_t elements = 0;
  std::int64_t device = 0;       ///< arrays of the run
  std::int64_t device_peak = 0;  ///< including those of the search for the stable step
  std::int64_t host_setup = 0;   ///< peak, before the run
  std::int64_t host_march = 0;
  std::int64_t host_checkpoint = 0;  ///< while one is written
  std::int64_t host_results = 0;     ///< while results are written, of rank 0
};

/// Per rank, on all ranks: the memory of a run of the case. Collective.
std::vector<RankMemory> predict_memory(const TimeDomainSetup& setup, const march::BackendTraits& traits,
                                       const comm::Communicator& ranks);

/// A collective.
DiskSpace predict_disk(const TimeDomainSetup& setup, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
