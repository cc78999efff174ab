// A file descriptor with every return code checked. For src/store only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace tetrawave::store {

class PosixFile {
 public:
  /// flags and mode of open(2). Throws UserError (io) that names the path and the system's reason.
  PosixFile(const std::filesystem::path& path, int flags);
  PosixFile(PosixFile&& other) noexcept;
  PosixFile& operator=(PosixFile&&) = delete;
  ~PosixFile();
  /// All bytes, in as many calls as necessary.
  void write(const void* data, std::size_t bytes);
  /// Up to `bytes` bytes; fewer only at the end of the file.
  [[nodiscard]] std::size_t read(void* data, std::size_t bytes);
  /// Truncates the file to this length.
  void cut(std::int64_t bytes);
  void sync();
  void close();

 private:
  [[noreturn]] void fail_with_errno(const char* action) const;
  std::string name_;
  int descriptor_;
};

}  // namespace tetrawave::store
