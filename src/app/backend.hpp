// The choice of the backend: the one place that names host and cuda.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "base/transport.hpp"
#include "engines/memory/memory_plan.hpp"
#include "engines/parts/unfused.hpp"
#include "model/time_domain_setup.hpp"
#include "modes/assembly_2d/run.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "results/results.hpp"

namespace tetrawave::app {

/// What a rank computes on.
struct RankPlace {
  std::string device;  ///< as a line of a table
  std::string unit;    ///< which GPU of the host; empty on a CPU
};

struct ChosenBackend {
  std::string name;    ///< cpu or cuda
  std::string device;  ///< the processor and its instruction set, or the GPU
  modes::EngineFactory make_engine;
  modes::StaticSolver solve_static;
  modes::PairSumsFactory make_pair_sums;
  std::function<double(int threads)> measure_copy;  ///< bytes read plus bytes written per second
  std::function<std::int64_t()> free_bytes;         ///< of the memory that fields are in
  march::UnfusedFactory make_unfused;
  march::UnfusedFactory make_dissertation;  ///< empty where there is none
  march::BackendTraits memory;
  /// Host and device of this rank.
  std::function<RankPlace(const comm::Communicator&)> place;
  /// The transport that engines shall use when `asked` is asked for; `apart`: every rank has a device of its own. A
  /// collective. Throws UserError (unavailable) when it is not there.
  std::function<Transport(Transport asked, bool apart, const comm::Communicator&)> probe_transport;
  std::string transport = "none";  ///< as bind_ranks has found it
};

/// automatic: CUDA when every rank sees a GPU, else the CPU. Throws UserError (unavailable) when CUDA is asked for and
/// this build or machine has none.
ChosenBackend choose_backend(BackendChoice choice, const comm::Communicator& ranks);

/// The same for a mode: fetd is on CPUs, and UserError (unavailable) is thrown where CUDA is asked for it.
ChosenBackend choose_backend_of(Mode mode, BackendChoice choice, const comm::Communicator& ranks);

/// This program, this backend, now: the start of a run.
results::RunIdentity identity_of(const ChosenBackend& backend);

/// The instruction set of the CPU backend, the build's CUDA, and the GPUs here: lines for `tetrawave info`.
std::vector<std::string> describe_backends();

}  // namespace tetrawave::app
