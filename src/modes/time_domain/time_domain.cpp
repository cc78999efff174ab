#include "modes/time_domain/time_domain.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/hash64.hpp"
#include "base/log.hpp"
#include "model/check/result_sizes.hpp"
#include "modes/time_domain/march_run.hpp"
#include "store/file_mark.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::modes {

namespace {

namespace fs = std::filesystem;

std::string contents_line(const std::string& path, const fs::path& file) {
  return tetrawave::format("{} (contents): {}", path, to_hex(store::hash_file(file).value()));
}

/// The lines of the case's identity and one with the hash of each file that it names, except for HDF5 meshes, which are
/// identified by the mesh hash.
std::vector<std::string> identity_with_files(const Case& given) {
  std::vector<std::string> lines = given.identity;
  if (const auto* mesh = std::get_if<MeshInput>(&given.mesh); mesh != nullptr && mesh->file.extension() != ".h5")
    lines.push_back(contents_line("mesh.file", mesh->file));
  for (const WaveformShape& waveform : given.waveforms)
    if (waveform.type == WaveformType::table)
      lines.push_back(contents_line("waveforms." + waveform.name + ".file", waveform.table));
  return lines;
}

CheckpointRules checkpoint_rules(const Case& given) {
  const bool has_snapshots = given.outputs.fields && given.outputs.fields->every;
  return {[&given] { return identity_with_files(given); }, marches_of(given) == 1 && !has_snapshots,
          given.run.checkpoint.keep};
}

/// When the run in the directory was completed, if it is of this case; else empty. Throws bad_checkpoint if they are of
/// another one, which could go on from a checkpoint only. Collective.
std::string completed_at(const fs::path& directory, const Case& given, const comm::Communicator& ranks) {
  std::string finished;
  ranks.agree([&] {
    std::error_code ignored;
    if (ranks.rank() != 0 || !fs::exists(directory / "results.h5", ignored)) return;
    const store::File results = store::File::open(directory / "results.h5");
    if (!results.has_attribute("/", "complete") || results.attribute<std::int64_t>("/", "complete") == 0) return;
    if (results.attribute<std::string>("/", "case") != given.resolved_yaml)
      fail(
          ExitCode::bad_checkpoint,
          "tetrawave: error: the run in {} is complete and of another case ({}), which cannot go on as this one, as no "
          "checkpoint was kept: run again with --overwrite instead of --resume, or give another directory with -o",
          directory.string(), (directory / "case.yaml").string());
    finished = results.attribute<std::string>("/", "finished");
  });
  ranks.broadcast(finished);
  return finished;
}

}  // namespace

void run_time_domain(const Case& given, const TimeDomainOptions& options, const comm::Communicator& ranks) {
  const auto begin = std::chrono::steady_clock::now();
  Checkpoints checkpoints(options.directory, checkpoint_rules(given), ranks);
  std::optional<store::Commit> resumed;
  std::optional<KnownStep> known;
  if (options.resume) {
    if (!checkpoints.any())
      if (const std::string at = completed_at(options.directory, given, ranks); !at.empty()) {
        log::info("the run in {} is complete since {}: there is nothing to resume; --overwrite runs it again",
                  options.directory.string(), at);
        return;
      }
    resumed = checkpoints.find_newest();
    known = KnownStep{resumed->stable_step_s, resumed->dt_s};
  }
  const auto setup = set_up(given, options.mesh_file, options.stepping, ranks, known);
  if (resumed) checkpoints.check_mesh(*resumed, setup->mesh);
  if (resumed && resumed->step >= setup->steps)
    fail(ExitCode::bad_checkpoint,
         "{}: the checkpoint is at step {}, the run ends at step {}: increase time.end or time.steps",
         options.directory.string(), resumed->step, setup->steps);
  Run(options, *setup, checkpoints, ranks).march_all(resumed ? &*resumed : nullptr, begin);
}

}  // namespace tetrawave::modes
