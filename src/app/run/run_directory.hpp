// The directory that a run writes into.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "case/spec/case.hpp"
#include "store/file_list.hpp"

namespace tetrawave::app {

/// DIR as given, or CASE-name.out in the working directory.
std::filesystem::path run_directory_of(const std::filesystem::path& case_file,
                                       const std::optional<std::filesystem::path>& given);

/// What a run does with a directory that holds a run already.
enum class Earlier { refuse, replace, resume };

/// The file of a case's mesh; empty where it is a built-in shape.
std::filesystem::path mesh_file_of(const Case& given);

/// Where a run in this directory stages its files; one that goes on has no staging folder, and this is the directory.
std::filesystem::path staging_folder_of(const std::filesystem::path& directory, Earlier earlier);

/// Keeps a second run out of a directory, as long as it lives.
class FolderLock {
 public:
  /// Waits up to `patience_s` for another run to end. Throws UserError (usage) when it does not. Where the file system
  /// has no locks, there is none.
  FolderLock(const std::filesystem::path& directory, double patience_s);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

/// A run directory with the list of its files (store/file_list.hpp), taken in two steps, so that a case that turns out
/// wrong leaves it as it was: until `begin`, files go to the folder `staging()` inside of it.
class RunDirectory {
 public:
  /// Makes the directory and its staging folder. Refuses (UserError, usage) a file, a directory that another run is
  /// writing into, one that holds results with Earlier::refuse, one that holds none with Earlier::resume, and one that
  /// is no run directory but holds files of a run's names, and with Earlier::replace one with results but no list, one
  /// whose list has `input`, the case's mesh (empty: it has no file), and one with a file that is not in the list where
  /// every run writes; UserError (io) when it cannot be made.
  RunDirectory(std::filesystem::path directory, Earlier earlier, const std::filesystem::path& input);
  /// Without `begin`: removes the staging folder, and the directory if it was not there before.
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  [[nodiscard]] std::filesystem::path staging() const;

  /// Removes what an earlier run has written, moves the staged files in and, for one that marches, makes `streams`;
  /// with Earlier::resume, nothing. From here on, or from the start, files are listed.
  void begin(bool marches = true);

 private:
  std::filesystem::path directory_;
  Earlier earlier_;
  std::optional<FolderLock> lock_;
  std::vector<std::filesystem::path> made_;  ///< folders that were not there before, innermost first
  bool left_ = false;                        ///< an earlier run ended before it had anything to keep
  bool begun_ = false;
  std::optional<store::FileList> files_;
};

}  // namespace tetrawave::app
