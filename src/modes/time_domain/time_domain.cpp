#include "modes/time_domain/time_domain.hpp"

#include <chrono>

#include "base/error.hpp"
#include "base/log.hpp"
#include "model/check/case_check.hpp"
#include "modes/time_domain/march_run.hpp"

namespace tetrawave::modes {

void run_time_domain(const Case& given, const TimeDomainOptions& options, const comm::Communicator& ranks) {
  const auto begin = std::chrono::steady_clock::now();
  Checkpoints checkpoints(options.directory, given, ranks);
  std::optional<store::Commit> resumed;
  std::optional<KnownStep> known;
  if (options.resume) {
    resumed = checkpoints.find_newest();
    known = KnownStep{resumed->stable_step_s, resumed->dt_s};
  }
  const auto setup = set_up(given, options.mesh_file, options.stepping, ranks, known);
  if (ranks.rank() == 0)
    for (const std::string& warning : find_second_modes(setup->given, *setup)) log::warning("{}", warning);
  if (resumed) checkpoints.check_mesh(*resumed, setup->mesh);
  if (resumed && resumed->step >= setup->steps)
    fail(ExitCode::bad_checkpoint,
         "{}: the checkpoint is at step {}, the run ends at step {}: increase time.end or time.steps",
         options.directory.string(), resumed->step, setup->steps);
  Run(setup->given, options, *setup, checkpoints, ranks).march_all(resumed ? &*resumed : nullptr, begin);
}

}  // namespace tetrawave::modes
