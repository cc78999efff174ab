// Mode time-domain: runs a case and writes its histories, S-parameters and energy.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "modes/time_domain/kerr_watch.hpp"
#include "modes/time_domain/setup.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

/// Progress of a run.
struct Progress {
  std::string march;  ///< name of the driven port with drive: each, else empty
  std::int64_t step = 0;
  std::int64_t steps = 0;
  double time_s = 0;
  double energy_db = 0;           ///< of its maximum so far; not finite if there is none
  double updates_per_second = 0;  ///< dofs of E and H advanced by a step, per second
  double seconds_left = 0;
  std::optional<KerrReport> kerr{};
};

struct TimeDomainOptions {
  std::filesystem::path directory;  ///< of streams and results
  std::filesystem::path mesh_file;  ///< file for the mesh of a geometry
  Stepping stepping;
  std::function<void()> begin;                  ///< called on rank 0 when the case has been completely checked
  std::function<void(const Progress&)> report;  ///< called on rank 0 occasionally
  results::RunIdentity identity;
  bool resume = false;                    ///< resume from the newest checkpoint in `directory`
  std::function<std::string()> why_stop;  ///< polled on every rank; not empty: stop, and why
  std::function<void(bool)> marching;     ///< called on every rank when polling starts (true) and ends
  std::string resume_command;             ///< the command that resumes, for the message of a stop
};

/// Runs the case, or resumes it. Throws UserError: unstable (76) if fields are not finite or grow without sources;
/// stopped (75) after `why_stop`, with a checkpoint written; bad_checkpoint (77) with `resume`, unless the run is
/// complete. Nothing is written into `directory` before `begin`.
void run_time_domain(const Case& given, const TimeDomainOptions& options, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
