// How much memory this process has, and may have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tetrawave {

/// Bytes of this process that are in memory now, and the most that were at a time; 0 where the system does not tell.
std::int64_t resident_bytes();
std::int64_t peak_resident_bytes();

/// Bytes that this machine can still give: free ones and what it can drop, or less where the job's control group (v2)
/// allows less. Empty where the system does not tell.
std::optional<std::int64_t> available_bytes();

/// Returns large freed blocks to the system at once, so that what is in memory is what is in use. Called at the start
/// of a program.
void return_freed_memory();

/// "3.4 GB", "128 MB".
std::string describe_bytes(std::int64_t bytes);

}  // namespace tetrawave
