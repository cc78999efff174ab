// A small text in a file that goes away with its owner.
#pragma once

#include <filesystem>
#include <string>

namespace tetrawave::mesher {

class ScratchFile {
 public:
  /// In the system's directory for temporary files. Throws UserError (io).
  ScratchFile(const std::string& extension, const std::string& text);
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tetrawave::mesher
