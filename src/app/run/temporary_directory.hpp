// A temporary directory of one process.
#pragma once

#include <filesystem>

namespace tetrawave::app {

/// Created below TMPDIR (or /tmp), removed with its contents at the end, also on SIGINT, SIGTERM or SIGHUP (files only;
/// it should have no folders). A directory left by a process killed otherwise is removed when the next one is created
/// on that host. At most one instance.
class TemporaryDirectory {
 public:
  /// Throws UserError (io) if it cannot be created.
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  ///< held during its lifetime
};

}  // namespace tetrawave::app
