#include "app/run_directory.hpp"

#include <array>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace tetrawave::app {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 7> our_names{"results.h5", "streams", "case.yaml", "log.txt",
                                               "mesh.h5",    "fields",  "checkpoint"};

bool is_ours(const fs::path& entry) {
  const std::string name = entry.filename().string();
  for (const char* ours : our_names)
    if (name == ours) return true;
  return name.rfind("sparameters.", 0) == 0;
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

void check_unused(const fs::path& directory, bool overwrite) {
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_directory(directory, error))
    fail(ExitCode::usage, "tetrawave: error: the output directory {} is a file: give another with -o",
         directory.string());
  const bool used = fs::exists(directory / "results.h5", error) || fs::exists(directory / "streams", error);
  if (used && !overwrite)
    fail(ExitCode::usage,
         "tetrawave: error: {} already holds results: give another directory with -o, or --overwrite to replace them",
         directory.string());
  if (used || !fs::is_directory(directory, error)) return;
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

fs::path staging_folder_of(const fs::path& directory) { return directory / ".starting"; }

RunDirectory::RunDirectory(fs::path directory, bool overwrite) : directory_(std::move(directory)) {
  check_unused(directory_, overwrite);
  std::error_code error;
  for (fs::path folder = fs::absolute(directory_); !fs::exists(folder, error) && folder.has_relative_path();
       folder = folder.parent_path())
    made_.push_back(folder);
  fs::remove_all(staging(), error);
  fs::create_directories(staging(), error);
  if (error)
    fail(ExitCode::io, "tetrawave: error: cannot make the output directory {}: {}", directory_.string(),
         error.message());
}

RunDirectory::~RunDirectory() {
  if (begun_) return;
  std::error_code ignored;
  fs::remove_all(staging(), ignored);
  for (const fs::path& folder : made_) fs::remove(folder, ignored);  // only empty ones can be removed
}

fs::path RunDirectory::staging() const { return staging_folder_of(directory_); }

void RunDirectory::begin() {
  std::error_code error;
  for (const fs::path& entry : entries_of(directory_))
    if (!error && is_ours(entry)) fs::remove_all(entry, error);
  for (const fs::path& staged : entries_of(staging()))
    if (!error) fs::rename(staged, directory_ / staged.filename(), error);
  if (!error) fs::remove_all(staging(), error);
  if (!error) fs::create_directories(directory_ / "streams", error);
  if (error)
    fail(ExitCode::io, "tetrawave: error: cannot write into the output directory {}: {}", directory_.string(),
         error.message());
  begun_ = true;
}

}  // namespace tetrawave::app
