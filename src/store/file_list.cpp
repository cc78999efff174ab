#include "store/file_list.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <mutex>
#include <system_error>

#include "base/error.hpp"
#include "store/posix_file.hpp"

namespace tetrawave::store {

namespace {

namespace fs = std::filesystem;

/// Live lists, the innermost last.
std::vector<FileList*>& open_lists() {
  static std::vector<FileList*> lists;
  return lists;
}

std::mutex& guard() {
  static std::mutex mutex;
  return mutex;
}

fs::path plain(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

std::vector<std::string> read_lines(const fs::path& directory) {
  std::vector<std::string> lines;
  std::ifstream stream(directory / FileList::file_name);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A normalised path below a directory.
bool is_below(const fs::path& name) {
  return !name.empty() && name.is_relative() && name != "." && *name.begin() != "..";
}

/// Whether a folder on the way to the file is a link.
bool is_behind_a_link(const fs::path& directory, const fs::path& name) {
  std::error_code ignored;
  fs::path place = directory;
  for (const fs::path& part : name.parent_path())
    if (fs::is_symlink(fs::symlink_status(place /= part, ignored))) return true;
  return false;
}

/// Possible locations of a file of this name: a file of a checkpoint also in its folder under another name.
std::vector<fs::path> places_of(const fs::path& name) {
  std::vector<fs::path> places{name};
  const fs::path folder = name.parent_path();
  if (folder.parent_path().filename() == "checkpoint")
    for (const char* ending : {".tmp", ".old", ".bad"})
      places.push_back(folder.parent_path() / (folder.filename().string() + ending) / name.filename());
  for (std::size_t k = places.size(); k-- > 0;) places.push_back(places[k].string() + ".tmp");
  return places;
}

void find_files(const fs::path& directory, std::vector<fs::path>& found) {
  std::error_code ignored;
  for (const std::string& line : read_lines(directory)) {
    const fs::path name = fs::path(line).lexically_normal();
    if (!is_below(name) || is_behind_a_link(directory, name)) continue;
    for (const fs::path& place : places_of(name)) {
      const fs::file_status status = fs::symlink_status(directory / place, ignored);
      if (fs::is_directory(status)) find_files(directory / place, found);
      if (fs::exists(status)) found.push_back(directory / place);
    }
  }
  if (fs::exists(directory / FileList::file_name, ignored)) found.push_back(directory / FileList::file_name);
}

}  // namespace

FileList::FileList(fs::path directory) : directory_(plain(directory)) {
  for (std::string& line : read_lines(directory_)) known_.insert(std::move(line));
  const std::lock_guard lock(guard());
  open_lists().push_back(this);
}

FileList::~FileList() {
  const std::lock_guard lock(guard());
  std::erase(open_lists(), this);
}

std::string FileList::relative(const fs::path& file) const {
  const fs::path name = plain(file).lexically_relative(directory_);
  return is_below(name) ? name.string() : "";
}

void FileList::add(const fs::path& file) {
  const std::string name = relative(file);
  if (name.empty() || name.find('\n') != std::string::npos || !known_.insert(name).second) return;
  PosixFile list(directory_ / FileList::file_name, O_WRONLY | O_CREAT | O_APPEND);
  const std::string line = name + "\n";
  list.write(line.data(), line.size());
  list.close();
}

void note_file(const fs::path& file) {
  const std::lock_guard lock(guard());
  const auto& lists = open_lists();
  const auto found =
      std::find_if(lists.rbegin(), lists.rend(), [&](const FileList* list) { return !list->relative(file).empty(); });
  if (found != lists.rend()) (*found)->add(file);
}

std::vector<fs::path> listed_files(const fs::path& directory) {
  std::vector<fs::path> found;
  find_files(directory, found);
  return found;
}

void remove_listed_files(const fs::path& directory) {
  const auto remove = [](const fs::path& path) {
    std::error_code error;
    fs::remove(path, error);
    if (error && error != std::errc::directory_not_empty)
      fail(ExitCode::io, "{}: cannot remove: {}", path.string(), error.message());
  };
  const std::vector<fs::path> files = listed_files(directory);
  std::set<fs::path, std::greater<>> folders;  // inner ones first
  for (const fs::path& file : files) {
    remove(file);
    for (fs::path folder = file.parent_path(); folder != directory; folder = folder.parent_path())
      folders.insert(folder);
  }
  for (const fs::path& folder : folders) remove(folder);
}

}  // namespace tetrawave::store
