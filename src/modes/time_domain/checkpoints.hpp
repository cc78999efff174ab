// The checkpoints of a run: written by all ranks together, found again by another run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "comm/communicator.hpp"
#include "march/interface/state.hpp"
#include "mesh/local_mesh.hpp"
#include "store/checkpoint_folder.hpp"

namespace tetrawave::modes {

/// The lines of the case's identity and one with the hash of each file that it names, but for HDF5 meshes, which the
/// mesh hash knows.
[[nodiscard]] std::vector<std::string> identity_with_files(const Case& given);

/// All functions are collectives and throw the same UserError on all ranks.
class Checkpoints {
 public:
  /// `directory`: of the run; checkpoints are in its folder `checkpoint`.
  Checkpoints(const std::filesystem::path& directory, const Case& given, const comm::Communicator& ranks);

  /// The newest checkpoint whose files and streams are as they were when it was committed; warns of those that it
  /// skips. Throws bad_checkpoint: there is none, or it is of another case (with what differs).
  [[nodiscard]] store::Commit find_newest();

  /// Throws bad_checkpoint when the checkpoint is of another mesh.
  void check_mesh(const store::Commit& commit, const LocalMesh& mesh) const;

  /// Puts newer checkpoints, which were found unusable, aside, and removes what was left half made.
  void restore(const store::Commit& commit) const;

  [[nodiscard]] std::vector<std::filesystem::path> state_files(const store::Commit& commit) const;

  /// Writes a checkpoint and drops the oldest beyond run.checkpoint.keep. `about` (rank 0's counts): march, step,
  /// times, streams, program; the streams are durable already. Returns the folder. When it fails, the older ones stand.
  std::filesystem::path write(const march::StateRegistry& state, const LocalMesh& mesh, store::Commit about);

 private:
  void verify(const store::Commit& commit) const;
  [[nodiscard]] std::vector<std::int64_t> list() const;
  void write_files(const march::StateRegistry& state, const LocalMesh& mesh, store::Commit& about) const;

  std::filesystem::path directory_;
  const Case& given_;
  const comm::Communicator& ranks_;
  store::CheckpointFolder folder_;
  std::int64_t newest_ = -1;           ///< number of the last one, on all ranks alike; -1: not looked up yet
  std::vector<std::string> identity_;  ///< on rank 0
};

}  // namespace tetrawave::modes
