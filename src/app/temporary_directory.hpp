// A directory of one process alone.
#pragma once

#include <filesystem>

namespace tetrawave::app {

/// Made below TMPDIR (or /tmp), removed with all that is in it at the end.
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
};

}  // namespace tetrawave::app
