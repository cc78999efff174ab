// The list of files that a run has written into its directory, in the file `.files` there, so that they and nothing
// else can be removed.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tetrawave::store {

/// During its lifetime every file that this process creates in the directory is first added to the list: a line each,
/// relative to the directory. A file written under a temporary name (NAME.tmp) is listed under its final name. In a
/// directory within that of another list, the inner list has the files, the outer one the directory.
class FileList {
 public:
  static constexpr const char* file_name = ".files";

  /// Continues an existing list. The directory exists. Throws UserError (io).
  explicit FileList(std::filesystem::path directory);
  ~FileList();
  FileList(const FileList&) = delete;
  FileList& operator=(const FileList&) = delete;

  void add(const std::filesystem::path& file);

 private:
  friend void note_file(const std::filesystem::path& file);
  [[nodiscard]] std::string relative(const std::filesystem::path& file) const;  ///< empty: not in the directory

  std::filesystem::path directory_;
  std::set<std::string> known_;
};

/// Adds the file to the innermost list whose directory contains it, if there is one. Throws UserError (io).
void note_file(const std::filesystem::path& file);

/// Existing files and folders of a directory's list, also as NAME.tmp, and those of inner lists; none through a link or
/// outside the directory. The files of checkpoints are also found in folders that were set aside (NUMBER.tmp, .old,
/// .bad).
[[nodiscard]] std::vector<std::filesystem::path> listed_files(const std::filesystem::path& directory);

/// Removes them, the lists, and the folders that contained them and are then empty. Throws UserError (io).
void remove_listed_files(const std::filesystem::path& directory);

}  // namespace tetrawave::store
