// The checkpoints of a run: written by all ranks together, found by a later run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/state.hpp"
#include "mesh/local_mesh.hpp"
#include "store/checkpoint_folder.hpp"

namespace tetrawave::modes {

/// What checkpoints are of, and how many are kept.
struct CheckpointRules {
  std::function<std::vector<std::string>()> identity;  ///< lines of the solution's identity; called on rank 0
  bool may_differ_in_time =
      false;  ///< a run may resume from a checkpoint of a case with another time.end or time.steps
  std::int64_t keep = 2;
};

/// All functions are collective and throw the same UserError on all ranks.
class Checkpoints {
 public:
  /// `directory`: of the run; checkpoints are in its folder `checkpoint`.
  Checkpoints(const std::filesystem::path& directory, CheckpointRules rules, const comm::Communicator& ranks);

  [[nodiscard]] bool any() const { return !list().empty(); }

  /// The newest checkpoint whose files and streams are unchanged since it was committed; warns about skipped ones.
  /// Throws bad_checkpoint: there is none, or it is of another case (with the differences).
  [[nodiscard]] store::Commit find_newest();

  /// Throws bad_checkpoint if the checkpoint is of another mesh.
  void check_mesh(const store::Commit& commit, const LocalMesh& mesh) const;

  /// Sets newer, unusable checkpoints aside, and removes incomplete ones.
  void restore(const store::Commit& commit) const;

  [[nodiscard]] std::vector<std::filesystem::path> state_files(const store::Commit& commit) const;

  /// Writes a checkpoint and removes the oldest beyond run.checkpoint.keep. `about` (rank 0's is used): excitation,
  /// step, times, streams, program; the streams are durable already. Returns the folder. If it fails, the older ones
  /// remain.
  std::filesystem::path write(const march::StateRegistry& state, const LocalMesh& mesh, store::Commit about);

 private:
  void verify(const store::Commit& commit) const;
  [[nodiscard]] std::vector<std::int64_t> list() const;
  void write_files(const march::StateRegistry& state, const LocalMesh& mesh, store::Commit& about) const;

  std::filesystem::path directory_;
  CheckpointRules rules_;
  const comm::Communicator& ranks_;
  store::CheckpointFolder folder_;
  std::int64_t newest_ = -1;           ///< number of the last one, the same on all ranks; -1: not determined yet
  std::vector<std::string> identity_;  ///< on rank 0
};

}  // namespace tetrawave::modes
