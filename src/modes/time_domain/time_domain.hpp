// Mode time-domain: marches a case and writes its histories, S-parameters and energy.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "model/time_domain_setup.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

/// What nonlinear updates have taken over some steps, of all ranks.
struct KerrReport {
  double mean_iterations = 0;  ///< per nonlinear element and step
  double most_iterations = 0;
  double largest_eps_r = 0;  ///< eps_r + chi3 |E|^2
  std::int64_t steps = 0;
};

/// Where a march stands.
struct Progress {
  std::string march;  ///< name of the driven port with drive: each, else empty
  std::int64_t step = 0;
  std::int64_t steps = 0;
  double time_s = 0;
  double energy_db = 0;           ///< of its maximum so far; not finite when there is none
  double updates_per_second = 0;  ///< dofs of E and H advanced by a step, per second
  double seconds_left = 0;
  std::optional<KerrReport> kerr{};
};

struct TimeDomainOptions {
  std::filesystem::path directory;  ///< of streams and results
  std::filesystem::path mesh_file;  ///< where the mesh of a geometry is written
  EngineFactory make_engine;
  std::function<void()> begin;                  ///< called on rank 0 when nothing of the case can be wrong any more
  std::function<void(const Progress&)> report;  ///< called on rank 0 now and then
  results::RunIdentity identity;
  bool resume = false;                    ///< go on from the newest checkpoint in `directory`
  std::function<std::string()> why_stop;  ///< asked on every rank now and then; not empty: stop, and why
  std::function<void(bool)> marching;     ///< called on every rank when it is asked from now on (true), and no more
  std::string resume_command;             ///< how the user goes on, for the message of a stop
};

/// Runs the case, or goes on with it. Throws UserError: unstable (76) when fields are not finite or grow by themselves;
/// stopped (75) after `why_stop`, with a checkpoint written; bad_checkpoint (77) with `resume`. Nothing is written into
/// `directory` before `begin`.
void run_time_domain(const Case& given, const TimeDomainOptions& options, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
