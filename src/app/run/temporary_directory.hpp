// A directory of one process alone.
#pragma once

#include <filesystem>

namespace tetrawave::app {

/// Made below TMPDIR (or /tmp), removed with all that is in it at the end, also at the end by SIGINT, SIGTERM or SIGHUP
/// (of its files; it should have no folders). One that was left by a process killed otherwise goes when the next is
/// made on that host. One at a time.
class TemporaryDirectory {
 public:
  /// Throws UserError (io) where none can be made.
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  ///< held as long as it lives
};

}  // namespace tetrawave::app
