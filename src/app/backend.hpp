// Choice of the backend: the only place that names host and cuda.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "base/transport.hpp"
#include "engines/memory_plan.hpp"
#include "engines/parts/unfused.hpp"
#include "fem/assembly/assembly_device.hpp"
#include "modes/assembly_2d/run.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "modes/time_domain/setup.hpp"
#include "results/results.hpp"

namespace tetrawave::app {

/// What a rank computes on.
struct RankPlace {
  std::string device;  ///< as a line of a table
  std::string unit;    ///< index of the GPU on its host; empty on a CPU
};

struct ChosenBackend {
  std::string name;    ///< cpu or cuda
  std::string device;  ///< the processor and its instruction set, or the GPU
  modes::EngineFactory make_engine;
  modes::StaticSolver solve_static;
  modes::PairSumsFactory make_pair_sums;
  std::function<double(int threads)> measure_copy;  ///< bytes read plus bytes written per second
  std::function<std::int64_t()> free_bytes;         ///< of the memory that holds fields
  march::UnfusedFactory make_unfused;
  /// March with this number of threads of a block (480 or 512); empty if there is none.
  std::function<march::UnfusedFactory(int block)> make_dissertation;
  march::BackendTraits memory;
  /// Host and device of this rank.
  std::function<RankPlace(const comm::Communicator&)> place;
  /// The transport for engines when `asked` is requested; `apart`: every rank has a device of its own. Collective.
  /// Throws UserError (unavailable) if the transport is not available.
  std::function<Transport(Transport asked, bool apart, const comm::Communicator&)> probe_transport;
  std::string transport = "none";                                  ///< as found by bind_ranks
  std::shared_ptr<const fem::FactorDevice> factor_device{};        ///< of the direct solver; nullptr: MUMPS
  std::shared_ptr<const fem::IterationDevice> iteration_device{};  ///< of iterations; nullptr: threads of the host
  /// It, with a transport between ranks that share out a system; empty without one.
  std::function<std::shared_ptr<const fem::IterationDevice>(Transport)> make_iteration_device{};
  std::shared_ptr<const fem::AssemblyDevice> assembly_device{};  ///< of edge elements; nullptr: threads of the host
};

/// automatic: CUDA if every rank has a GPU, else the CPU. Throws UserError (unavailable) if CUDA is requested but
/// missing in this build or on this machine.
ChosenBackend choose_backend(BackendChoice choice, const comm::Communicator& ranks);

/// Gives a backend a GPU that factorises, where there is one with cuDSS; else the log tells why not, as a warning if
/// `wanted`. A collective.
void add_factor_device(ChosenBackend& backend, bool wanted, const comm::Communicator& ranks);

/// Gives a backend a GPU that assembles, the place of its ranks, where every rank has one. A collective.
void add_assembly_device(ChosenBackend& backend, const comm::Communicator& ranks);

/// Gives a backend a GPU that iterates, the place of its ranks, where every rank has one. A collective.
void add_iteration_device(ChosenBackend& backend, const comm::Communicator& ranks);

/// The same for a case. Of the finite-element modes GPUs factorise, if cuDSS is installed, iterate and sum over pairs:
/// UserError (unavailable) if CUDA is requested for a preconditioner that GPUs lack.
ChosenBackend choose_backend_of(const Case& given, BackendChoice choice, const comm::Communicator& ranks);

/// The outer boundary that the mode of a case adds to mode frequency-domain; none but for mode fe-iiee.
modes::OuterBoundaryMaker outer_boundary_of(const Case& given);

/// Identity of this program, backend and time, for the start of a run.
results::RunIdentity identity_of(const ChosenBackend& backend);

/// Instruction set of the CPU backend, CUDA of the build, and the GPUs found: lines for `tetrawave info`.
std::vector<std::string> describe_backends();

}  // namespace tetrawave::app
