// What a run has written into its directory, in the file `.files` there, so that it can be removed and nothing else.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tetrawave::store {

/// As long as it lives, every file that this process makes in the directory is added to its list before it is made: a
/// line each, relative to the directory. A file that is written beside its place (NAME.tmp) counts as that of its
/// place. In a directory within that of another list, the inner one has the files, the outer one the directory.
class FileList {
 public:
  static constexpr const char* file_name = ".files";

  /// Goes on with the list that is there. The directory is there. Throws UserError (io).
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

/// Tells the innermost list whose directory holds the file, if there is one. Throws UserError (io).
void note_file(const std::filesystem::path& file);

/// Files and folders of a directory's list that exist, also as NAME.tmp, and those of inner lists; none by a
/// link or beyond the directory. The files of checkpoints are also found in folders that were set aside (NUMBER.tmp,
/// .old, .bad).
[[nodiscard]] std::vector<std::filesystem::path> listed_files(const std::filesystem::path& directory);

/// Removes them, the lists, and the folders that have held them and are empty then. Throws UserError (io).
void remove_listed_files(const std::filesystem::path& directory);

}  // namespace tetrawave::store
