// Length and hash of a file at some moment, for later verification.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/hash64.hpp"

namespace tetrawave::store {

struct FileMark {
  std::string name;  ///< a path relative to a folder known to the owner of the mark
  std::int64_t bytes = 0;
  std::uint64_t hash = 0;
};

/// The hash of the first `bytes` bytes of a file (-1: of all). Throws UserError: io if it cannot be read,
/// bad_checkpoint if it is shorter.
[[nodiscard]] Hash64 hash_file(const std::filesystem::path& path, std::int64_t bytes = -1);

/// Makes a closed file durable (fsync), then reads it back: length and hash of the stored contents.
[[nodiscard]] FileMark seal_file(const std::filesystem::path& path, std::string name);

/// Makes a closed file durable.
void sync_file(const std::filesystem::path& path);

/// Makes the entries of a directory durable.
void sync_directory(const std::filesystem::path& directory);

/// Why the file does not match the mark ("is missing", "is too short", "is damaged"); empty if it does. `whole`:
/// nothing may follow.
[[nodiscard]] std::string fault_of(const std::filesystem::path& path, const FileMark& mark, bool whole);

}  // namespace tetrawave::store
