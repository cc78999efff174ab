// Length and hash of a file at some moment, to know it again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/hash64.hpp"

namespace tetrawave::store {

struct FileMark {
  std::string name;  ///< a path relative to a folder that the owner of the mark knows
  std::int64_t bytes = 0;
  std::uint64_t hash = 0;
};

/// The hash of the first `bytes` bytes of a file (-1: of all). Throws UserError: io when it cannot be read,
/// bad_checkpoint when it is shorter.
[[nodiscard]] Hash64 hash_file(const std::filesystem::path& path, std::int64_t bytes = -1);

/// Makes a closed file durable (fsync), then reads it back: length and hash of what the system holds.
[[nodiscard]] FileMark seal_file(const std::filesystem::path& path, std::string name);

/// Makes a closed file durable.
void sync_file(const std::filesystem::path& path);

/// Makes the names in a directory durable.
void sync_directory(const std::filesystem::path& directory);

/// Why the file is not, or does not begin with, what the mark says ("is missing", "is too short", "is damaged"); empty
/// when it does. `whole`: nothing may follow.
[[nodiscard]] std::string fault_of(const std::filesystem::path& path, const FileMark& mark, bool whole);

}  // namespace tetrawave::store
