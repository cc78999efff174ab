// Files that are complete or absent, even after a kill or a power failure.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace tetrawave::store {

/// A file written under a temporary name (NAME.tmp) and renamed by commit(). Without commit nothing is left behind.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();
  /// The path to write to. The file must be closed before commit().
  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
  /// Makes the contents durable (fsync), renames the file to the target, and makes the directory durable. Throws
  /// UserError (io); the target is then unchanged.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

/// Lets `write` fill the temporary file, then commits it.
void write_atomically(const std::filesystem::path& target,
                      const std::function<void(const std::filesystem::path& temporary)>& write);

/// A whole text file, atomically. Throws UserError (io).
void write_text_atomically(const std::filesystem::path& target, std::string_view text);

}  // namespace tetrawave::store
