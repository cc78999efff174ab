#include "app/run_directory.hpp"

#include <array>
#include <string>

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

}  // namespace

fs::path run_directory_of(const fs::path& case_file, const std::optional<fs::path>& given) {
  if (given) return *given;
  return case_file.stem().string() + ".out";
}

void prepare_run_directory(const fs::path& directory, bool overwrite) {
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_directory(directory, error))
    fail(ExitCode::usage, "tetrawave: error: the output directory {} is a file: give another with -o",
         directory.string());
  const bool used = fs::exists(directory / "results.h5", error) || fs::exists(directory / "streams", error);
  if (used && !overwrite)
    fail(ExitCode::usage,
         "tetrawave: error: {} already holds results: give another directory with -o, or --overwrite to replace them",
         directory.string());
  if (fs::is_directory(directory, error))
    for (const auto& entry : fs::directory_iterator(directory))
      if (is_ours(entry.path())) fs::remove_all(entry.path(), error);
  fs::create_directories(directory / "streams", error);
  if (error)
    fail(ExitCode::io, "tetrawave: error: cannot make the output directory {}: {}", directory.string(),
         error.message());
}

}  // namespace tetrawave::app
