#include "scratch_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"

namespace tetrawave::mesher {

ScratchFile::ScratchFile(const std::string& extension, const std::string& text) {
  std::string name = (std::filesystem::temp_directory_path() / ("tetrawave-XXXXXX" + extension)).string();
  const int descriptor = mkstemps(name.data(), static_cast<int>(extension.size()));
  if (descriptor < 0) fail(ExitCode::io, "{}: cannot make a temporary file: {}", name, std::strerror(errno));
  path_ = name;
  const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool closed = ::close(descriptor) == 0;
  if (written && closed) return;
  std::filesystem::remove(path_);
  fail(ExitCode::io, "{}: cannot write the temporary file", name);
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace tetrawave::mesher
