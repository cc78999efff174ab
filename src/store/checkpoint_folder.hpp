// Checkpoints on disk: a folder each, complete or absent.
//
//   DIR/000123/rank-0007.h5 ...   the state, a file a rank
//   DIR/000123/COMMIT.json        written last: what belongs to it, with lengths and hashes, and its own hash
//
// A checkpoint is written into 000123.tmp and renamed when all of it is durable; one that is removed is first renamed
// to 000123.old. So a folder with a plain number is complete, whenever the program was killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "store/file_mark.hpp"

namespace tetrawave::store {

/// The contents of COMMIT.json.
struct Commit {
  std::int64_t number = 0;
  std::int64_t march = 0;  ///< index of the excitation in the case, from 0
  std::int64_t step = 0;
  double time_s = 0;
  double dt_s = 0;
  double stable_step_s = 0;
  std::int64_t ranks = 0;
  std::vector<FileMark> files;        ///< of the state, named relative to the checkpoint
  std::vector<FileMark> streams;      ///< of the run so far, named relative to the run directory
  std::vector<std::string> identity;  ///< the keys of the case that affect the solution: "a.b.c: value", sorted
  std::uint64_t mesh_hash = 0;
  std::string program;  ///< the program that wrote it, for information
  std::string written;  ///< when
};

/// Name of the state file of a rank.
[[nodiscard]] std::string state_file_name(int rank);

/// COMMIT.json of a checkpoint. Throws UserError (bad_checkpoint).
[[nodiscard]] Commit read_commit(const std::filesystem::path& checkpoint);

/// The folder of a run's checkpoints. All functions except the paths are for rank 0; they throw UserError (io).
class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::filesystem::path directory) : directory_(std::move(directory)) {}
  /// Numbers of the committed checkpoints, newest first, verified or not.
  [[nodiscard]] std::vector<std::int64_t> list() const;
  [[nodiscard]] std::filesystem::path path_of(std::int64_t number) const;
  /// The folder where a checkpoint is written before it is committed.
  [[nodiscard]] std::filesystem::path temporary_of(std::int64_t number) const;

  /// Creates the temporary folder, empty.
  void begin(std::int64_t number) const;
  /// To be called when all files of the state are in the temporary folder and durable: writes COMMIT.json and renames
  /// the folder.
  void commit(const Commit& commit) const;
  /// Removes the temporary folder of a checkpoint that failed.
  void drop_unfinished(std::int64_t number) const noexcept;
  /// Removes the oldest checkpoints beyond `keep`.
  void keep_newest(std::int64_t keep) const;
  /// Renames a checkpoint that cannot be used to NUMBER.bad.
  void set_aside(std::int64_t number) const;
  /// Removes incomplete remains of a killed run.
  void tidy() const;

 private:
  std::filesystem::path directory_;
};

}  // namespace tetrawave::store
