// The output directory of a run.
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

/// How to treat a directory that already contains a run.
enum class Earlier { refuse, replace, resume };

/// The file of a case's mesh; empty for a built-in shape.
std::filesystem::path mesh_file_of(const Case& given);

/// The folder where a run stages its files; a resumed run has no staging folder and uses the directory itself.
std::filesystem::path staging_folder_of(const std::filesystem::path& directory, Earlier earlier);

/// Locks a directory against a second run.
class FolderLock {
 public:
  /// Waits up to `patience_s` for another run to end. Throws UserError (usage) if it does not. On file systems without
  /// locks there is no protection.
  FolderLock(const std::filesystem::path& directory, double patience_s);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

/// A run directory with the list of its files (store/file_list.hpp), created in two steps, so that an invalid case
/// leaves it unchanged: until `begin`, files go to the folder `staging()` inside it.
class RunDirectory {
 public:
  /// Creates the directory and its staging folder. Throws UserError (usage) for a file; a directory that another run is
  /// writing into; with Earlier::refuse one that contains results; with Earlier::resume one without results; a
  /// directory that is not a run directory but contains files with names of a run; with Earlier::replace one with
  /// results but no list, one whose list has `input`, the case's mesh (empty: none), and one with an unlisted file in a
  /// place where every run writes. Throws UserError (io) if it cannot be created.
  RunDirectory(std::filesystem::path directory, Earlier earlier, const std::filesystem::path& input);
  /// Without `begin`: removes the staging folder, and the directory if it is new.
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  [[nodiscard]] std::filesystem::path staging() const;

  /// Removes the files of an earlier run, moves the staged files in and, if there are time steps, creates `streams`;
  /// with Earlier::resume, nothing. From then on files are listed.
  void begin(bool marches = true);

 private:
  std::filesystem::path directory_;
  Earlier earlier_;
  std::optional<FolderLock> lock_;
  std::vector<std::filesystem::path> made_;  ///< new folders, innermost first
  bool left_ = false;                        ///< an earlier run ended before it had results
  bool begun_ = false;
  std::optional<store::FileList> files_;
};

}  // namespace tetrawave::app
