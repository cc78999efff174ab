#include "app/run_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.hpp"

namespace tetrawave::app {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 11> our_names{"results.h5", "streams",   "case.yaml", "log.txt", "mesh.h5", "fields",
                                                "checkpoint", "study.csv", "study.h5",  "meshes",  "runs"};

constexpr const char* staging_name = ".starting";

/// Files whose names a run makes from ports and frequencies.
struct NamePattern {
  std::string_view begin;
  std::string_view end;
};
constexpr std::array<NamePattern, 4> our_patterns{
    {{"sparameters.", ""}, {"active_", ".csv"}, {"far_field_", ".csv"}, {"far_field_", ".ffe"}}};

/// A file that was being written when its run was killed goes by the name that it would have got.
std::string name_of(const fs::path& entry) {
  const fs::path name = entry.filename();
  return (name.extension() == ".tmp" ? name.stem() : name).string();
}

bool is_ours(const fs::path& entry) {
  const std::string name = name_of(entry);
  for (const char* ours : our_names)
    if (name == ours) return true;
  return std::any_of(our_patterns.begin(), our_patterns.end(),
                     [&](const auto& ours) { return name.starts_with(ours.begin) && name.ends_with(ours.end); });
}

std::vector<fs::path> entries_of(const fs::path& directory) {
  std::vector<fs::path> entries;
  try {
    for (const auto& entry : fs::directory_iterator(directory)) entries.push_back(entry.path());
  } catch (const fs::filesystem_error& failure) {
    fail(ExitCode::io, "tetrawave: error: cannot read the output directory {}: {}", directory.string(),
         failure.code().message());
  }
  return entries;
}

bool holds_results(const fs::path& directory) {
  std::error_code error;
  return fs::exists(directory / "results.h5", error) || fs::exists(directory / "study.csv", error);
}

bool is_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

/// Whether a run writes files of this name into a folder of ours (below the folders of marches and checkpoints).
bool is_ours_in(const std::string& folder, const fs::path& file) {
  const std::string name = name_of(file);
  const auto ends = [&](const char* ending) { return name.ends_with(ending); };
  if (folder == "streams") return ends(".stream");
  if (folder == "fields") return ends(".vtkhdf");
  if (folder == "meshes") return name.starts_with("mesh-") && ends(".h5");
  return folder == "checkpoint" && (name == "COMMIT.json" || (name.starts_with("rank-") && ends(".h5")));
}

void list_runs(const fs::path& directory, std::vector<fs::path>& found);

/// What is ours in a folder of ours, then the folder itself.
void list_folder(const fs::path& folder, const std::string& top, std::vector<fs::path>& found) {
  for (const fs::path& entry : entries_of(folder)) {
    const bool is_folder = fs::is_directory(fs::symlink_status(entry));
    if (is_folder && top == "runs") {
      if (is_number(entry.filename().string())) list_runs(entry, found);
    } else if (is_folder) {
      list_folder(entry, top, found);
    } else if (is_ours_in(top, entry)) {
      found.push_back(entry);
    }
  }
  found.push_back(folder);
}

/// What runs have written into a directory, files before the folders that they are in. Other files may stand in these.
void list_runs(const fs::path& directory, std::vector<fs::path>& found) {
  for (const fs::path& entry : entries_of(directory)) {
    if (!is_ours(entry)) continue;
    if (fs::is_directory(fs::symlink_status(entry)))
      list_folder(entry, entry.filename().string(), found);
    else
      found.push_back(entry);
  }
  found.push_back(directory);
}

std::vector<fs::path> list_earlier(const fs::path& directory) {
  std::vector<fs::path> found;
  list_runs(directory, found);
  found.pop_back();  // the directory itself
  return found;
}

void keep_input(const fs::path& directory, const fs::path& input) {
  for (const fs::path& file : list_earlier(directory)) {
    std::error_code other;
    if (fs::equivalent(file, input, other) && !other)
      fail(ExitCode::usage,
           "tetrawave: error: --overwrite would remove {}, the mesh of this case: give another directory with -o, or "
           "move the mesh",
           file.string());
  }
}

void check_use(const fs::path& directory, Earlier earlier) {
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_directory(directory, error))
    fail(ExitCode::usage, "tetrawave: error: the output directory {} is a file: give another with -o",
         directory.string());
  const bool used = holds_results(directory) || fs::exists(directory / "streams", error);
  if (used && earlier == Earlier::refuse)
    fail(ExitCode::usage,
         "tetrawave: error: {} already holds results: give another directory with -o, --overwrite to replace them, or "
         "--resume to go on",
         directory.string());
  if (!used && earlier == Earlier::resume)
    fail(ExitCode::usage, "tetrawave: error: {} holds no run to go on with: run without --resume", directory.string());
  const bool left = fs::exists(directory / staging_name, error);  // by a run that ended before it had anything to keep
  if (used || left || !fs::is_directory(directory, error)) return;
  for (const fs::path& entry : entries_of(directory))
    if (is_ours(entry))
      fail(ExitCode::usage,
           "tetrawave: error: {} is no run directory, but holds {}, which a run would replace: give another directory "
           "with -o",
           directory.string(), entry.filename().string());
}

}  // namespace

fs::path run_directory_of(const fs::path& case_file, const std::optional<fs::path>& given) {
  if (given) return *given;
  return case_file.stem().string() + ".out";
}

fs::path mesh_file_of(const Case& given) {
  const auto* file = std::get_if<MeshFileSpec>(&given.mesh);
  return file == nullptr ? fs::path() : file->file;
}

fs::path staging_folder_of(const fs::path& directory, Earlier earlier) {
  return earlier == Earlier::resume ? directory : directory / staging_name;
}

FolderLock::FolderLock(const fs::path& directory, double patience_s)
    : descriptor_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_s);
  while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (std::chrono::steady_clock::now() >= end) {
      ::close(descriptor_);
      fail(ExitCode::usage, "tetrawave: error: another run is writing into {}: wait for its end, or stop it",
           directory.string());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RunDirectory::RunDirectory(fs::path directory, Earlier earlier, const fs::path& input)
    : directory_(std::move(directory)), earlier_(earlier) {
  constexpr double patience_s = 5;  // a run that was killed may take a moment to go
  check_use(directory_, earlier_);
  std::error_code error;
  if (earlier_ == Earlier::replace && !input.empty() && fs::is_directory(directory_, error))
    keep_input(directory_, input);
  for (fs::path folder = fs::absolute(directory_); !fs::exists(folder, error) && folder.has_relative_path();
       folder = folder.parent_path())
    made_.push_back(folder);
  fs::create_directories(directory_, error);
  if (!error) lock_.emplace(directory_, earlier_ == Earlier::refuse ? 0 : patience_s);
  if (earlier_ == Earlier::resume) return;
  left_ = fs::exists(staging(), error);
  if (!error) fs::remove_all(staging(), error);
  if (!error) fs::create_directories(staging(), error);
  if (error)
    fail(ExitCode::io, "tetrawave: error: cannot make the output directory {}: {}", directory_.string(),
         error.message());
}

RunDirectory::~RunDirectory() {
  std::error_code ignored;
  if (begun_ && !marches_ && holds_results(directory_)) fs::remove_all(staging(), ignored);
  if (begun_ || earlier_ == Earlier::resume) return;
  fs::remove_all(staging(), ignored);
  if (left_) fs::create_directories(staging(), ignored);             // the directory may still be used again
  for (const fs::path& folder : made_) fs::remove(folder, ignored);  // only empty ones can be removed
}

fs::path RunDirectory::staging() const { return staging_folder_of(directory_, earlier_); }

void RunDirectory::begin(bool marches) {
  if (earlier_ == Earlier::resume) return;
  std::error_code error;
  for (const fs::path& file : list_earlier(directory_)) {
    if (error) break;
    fs::remove(file, error);
    if (error == std::errc::directory_not_empty) error.clear();  // somebody else's files are in it
  }
  for (const fs::path& staged : entries_of(staging()))
    if (!error) fs::rename(staged, directory_ / staged.filename(), error);
  // before the staging folder goes: at every moment one of them tells whose directory it is
  if (!error && marches) fs::create_directories(directory_ / "streams", error);
  if (!error && marches) fs::remove_all(staging(), error);
  if (error)
    fail(ExitCode::io, "tetrawave: error: cannot write into the output directory {}: {}", directory_.string(),
         error.message());
  begun_ = true;
  marches_ = marches;
}

}  // namespace tetrawave::app
