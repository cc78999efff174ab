// The checkpoints of a run: written by all ranks together, found by a later run.
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

/// The lines of the case's identity and one with the hash of each file that it names, except for HDF5 meshes, which are
/// identified by the mesh hash.
[[nodiscard]] std::vector<std::string> identity_with_files(const Case& given);

/// All functions are collective and throw the same UserError on all ranks.
class Checkpoints {
 public:
  /// `directory`: of the run; checkpoints are in its folder `checkpoint`.
  Checkpoints(const std::filesystem::path& directory, const Case& given, const comm::Communicator& ranks);

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
  const Case& given_;
  const comm::Communicator& ranks_;
  store::CheckpointFolder folder_;
  std::int64_t newest_ = -1;           ///< number of the last one, the same on all ranks; -1: not determined yet
  std::vector<std::string> identity_;  ///< on rank 0
};

}  // namespace tetrawave::modes
