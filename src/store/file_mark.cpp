#include "store/file_mark.hpp"

#include <fcntl.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "store/posix_file.hpp"

namespace tetrawave::store {

Hash64 hash_file(const std::filesystem::path& path, std::int64_t bytes) {
  PosixFile file(path, O_RDONLY);
  std::vector<char> block(std::size_t{1} << 20);
  Hash64 hash;
  for (std::int64_t left = bytes; left != 0;) {
    const std::size_t wanted =
        left < 0 ? block.size() : static_cast<std::size_t>(std::min<std::int64_t>(left, std::ssize(block)));
    const std::size_t count = file.read(block.data(), wanted);
    hash.add(block.data(), count);
    if (left > 0) left -= static_cast<std::int64_t>(count);
    if (count == wanted) continue;
    if (left > 0) fail(ExitCode::bad_checkpoint, "{}: the file has {} bytes less than it had", path.string(), left);
    break;
  }
  file.close();
  return hash;
}

FileMark seal_file(const std::filesystem::path& path, std::string name) {
  PosixFile file(path, O_RDONLY);
  file.sync();
  file.close();
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  return {std::move(name), bytes, hash_file(path, bytes).value()};
}

void sync_file(const std::filesystem::path& path) {
  PosixFile file(path, O_RDONLY);
  file.sync();
  file.close();
}

void sync_directory(const std::filesystem::path& directory) {
  PosixFile file(directory.empty() ? "." : directory, O_RDONLY | O_DIRECTORY);
  file.sync();
  file.close();
}

std::string fault_of(const std::filesystem::path& path, const FileMark& mark, bool whole) {
  std::error_code missing;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, missing));
  if (missing) return path.string() + " is missing";
  if (bytes < mark.bytes) return tetrawave::format("{} has {} bytes of {}", path.string(), bytes, mark.bytes);
  if ((whole && bytes > mark.bytes) || hash_file(path, mark.bytes).value() != mark.hash)
    return path.string() + " is damaged";
  return "";
}

}  // namespace tetrawave::store
