#include "app/run/run_directory.hpp"

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
#include "store/file_list.hpp"

namespace tetrawave::app {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 11> our_names{"results.h5", "streams",   "case.yaml", "log.txt", "mesh.h5", "fields",
                                                "checkpoint", "study.csv", "study.h5",  "meshes",  "runs"};

constexpr const char* staging_name = ".starting";

/// Files whose names depend on ports and frequencies.
struct NamePattern {
  std::string_view begin;
  std::string_view end;
};
constexpr std::array<NamePattern, 5> our_patterns{{{"sparameters.", ""},
                                                   {"rational_model.", ""},
                                                   {"active_", ".csv"},
                                                   {"far_field_", ".csv"},
                                                   {"far_field_", ".ffe"}}};

/// The final name of a file that was being written when its run was killed.
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

/// Whether runs of any case may write a file of this name.
bool is_always_ours(const std::string& name) {
  return name == "results.h5" || name == "case.yaml" || name == "log.txt" || name == "mesh.h5" || name == "study.csv" ||
         name == "study.h5";
}

/// Checks that the files of an earlier run can be replaced: it has a list of them, and neither the case's mesh nor a
/// foreign file in a place where runs write would be lost.
void check_replacement(const fs::path& directory, const fs::path& input) {
  std::error_code ignored;
  if (!fs::exists(directory / store::FileList::file_name, ignored))
    fail(ExitCode::usage,
         "tetrawave: error: {} holds results without the list {} of what their run has written, so that --overwrite "
         "cannot tell them from other files: remove them, or give another directory with -o",
         directory.string(), store::FileList::file_name);
  const std::vector<fs::path> ours = store::listed_files(directory);
  for (const fs::path& file : ours) {
    std::error_code other;
    if (!input.empty() && fs::equivalent(file, input, other) && !other)
      fail(ExitCode::usage,
           "tetrawave: error: --overwrite would remove {}, the mesh of this case: give another directory with -o, or "
           "move the mesh",
           file.string());
  }
  for (const fs::path& entry : entries_of(directory))
    if (is_always_ours(name_of(entry)) && std::find(ours.begin(), ours.end(), entry) == ours.end())
      fail(ExitCode::usage,
           "tetrawave: error: {} holds {}, which its run has not written and a new one would replace: give another "
           "directory with -o, or move the file",
           directory.string(), entry.filename().string());
}

void check_use(const fs::path& directory, Earlier earlier, const fs::path& input) {
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_directory(directory, error))
    fail(ExitCode::usage, "tetrawave: error: the output directory {} is a file: give another with -o",
         directory.string());
  const bool used = holds_results(directory) || fs::exists(directory / "streams", error);
  if (used && earlier == Earlier::refuse)
    fail(ExitCode::usage, "tetrawave: error: {} already holds results: give another directory with -o, {}",
         directory.string(),
         fs::exists(directory / "checkpoint", error) ? "--overwrite to replace them, or --resume to continue"
                                                     : "or --overwrite to replace them");
  if (!used && earlier == Earlier::resume)
    fail(ExitCode::usage, "tetrawave: error: {} contains no run to resume; omit --resume", directory.string());
  const bool listed = fs::exists(directory / store::FileList::file_name, error);  // unused: of a run without results
  if (used ? earlier == Earlier::replace : listed) check_replacement(directory, input);
  const bool left = fs::exists(directory / staging_name, error);  // by a run that ended before it had a list
  if (used || listed || left || !fs::is_directory(directory, error)) return;
  for (const fs::path& entry : entries_of(directory))
    if (is_ours(entry))
      fail(ExitCode::usage,
           "tetrawave: error: {} is not a run directory, but holds {}, which a run would replace: "
           "give another directory with -o",
           directory.string(), entry.filename().string());
}

}  // namespace

fs::path run_directory_of(const fs::path& case_file, const std::optional<fs::path>& given) {
  if (given) return *given;
  return case_file.stem().string() + ".out";
}

fs::path mesh_file_of(const Case& given) {
  const auto* file = std::get_if<MeshInput>(&given.mesh);
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
  check_use(directory_, earlier_, input);
  std::error_code error;
  for (fs::path folder = fs::absolute(directory_); !fs::exists(folder, error) && folder.has_relative_path();
       folder = folder.parent_path())
    made_.push_back(folder);
  fs::create_directories(directory_, error);
  if (!error) lock_.emplace(directory_, earlier_ == Earlier::refuse ? 0 : patience_s);
  if (earlier_ == Earlier::resume) {
    files_.emplace(directory_);
    return;
  }
  left_ = fs::exists(staging(), error);
  if (!error) fs::remove_all(staging(), error);
  if (!error) fs::create_directories(staging(), error);
  if (error)
    fail(ExitCode::io, "tetrawave: error: cannot make the output directory {}: {}", directory_.string(),
         error.message());
}

RunDirectory::~RunDirectory() {
  std::error_code ignored;
  if (begun_ || earlier_ == Earlier::resume) return;
  fs::remove_all(staging(), ignored);
  if (left_) fs::create_directories(staging(), ignored);             // the directory may still be used again
  for (const fs::path& folder : made_) fs::remove(folder, ignored);  // only empty ones can be removed
}

fs::path RunDirectory::staging() const { return staging_folder_of(directory_, earlier_); }

void RunDirectory::begin(bool marches) {
  if (earlier_ == Earlier::resume) return;
  store::note_file(directory_);  // of a study, to its list
  store::remove_listed_files(directory_);
  files_.emplace(directory_);
  std::error_code error;
  for (const fs::path& staged : entries_of(staging())) {
    files_->add(directory_ / staged.filename());
    if (!error) fs::rename(staged, directory_ / staged.filename(), error);
  }
  if (marches) files_->add(directory_ / "streams");
  if (!error && marches) fs::create_directories(directory_ / "streams", error);
  if (!error) fs::remove_all(staging(), error);
  if (error)
    fail(ExitCode::io, "tetrawave: error: cannot write into the output directory {}: {}", directory_.string(),
         error.message());
  begun_ = true;
}

}  // namespace tetrawave::app
