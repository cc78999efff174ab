// The directory that a run writes into.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace tetrawave::app {

/// DIR as given, or CASE-name.out in the working directory.
std::filesystem::path run_directory_of(const std::filesystem::path& case_file,
                                       const std::optional<std::filesystem::path>& given);

/// A run directory, taken in two steps, so that a case that turns out wrong leaves it as it was: until `begin`, files
/// go to the folder `staging()` inside of it.
class RunDirectory {
 public:
  /// Makes the directory and its staging folder. Refuses a file, a directory that holds results unless `overwrite`, and
  /// one that is no run directory but holds files of a run's names (UserError, usage); UserError (io) when it cannot be
  /// made.
  RunDirectory(std::filesystem::path directory, bool overwrite);
  /// Without `begin`: removes the staging folder, and the directory if it was not there before.
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  [[nodiscard]] std::filesystem::path staging() const;

  /// Removes what an earlier run has left (and nothing else), moves the staged files in and makes `streams`.
  void begin();

 private:
  std::filesystem::path directory_;
  std::vector<std::filesystem::path> made_;  ///< folders that were not there before, innermost first
  bool begun_ = false;
};

/// Where a run in this directory stages its files.
std::filesystem::path staging_folder_of(const std::filesystem::path& directory);

}  // namespace tetrawave::app
