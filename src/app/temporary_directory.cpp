#include "app/temporary_directory.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace tetrawave::app {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  std::string pattern = (folder / "tetrawave-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr)
    fail(ExitCode::io, "cannot make a temporary directory{}: set TMPDIR to a folder where this is allowed",
         error ? "" : " in " + folder.string());
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace tetrawave::app
