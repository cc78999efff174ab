// Memory used by and available to this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tetrawave {

/// Resident bytes of this process, now and at the peak; 0 if the system does not report them.
std::int64_t resident_bytes();
std::int64_t peak_resident_bytes();

/// Bytes that this machine can still provide: free and reclaimable ones, or less if the job's control group (v2) has a
/// limit. Empty if the system does not report them.
std::optional<std::int64_t> available_bytes();

/// Returns large freed blocks to the system at once, so that resident memory is memory in use. Called at program start.
void return_freed_memory();

/// Asks for pages of 2 MB in memory that has not been touched: gathers then seldom miss the table of pages.
void prefer_large_pages(void* memory, std::size_t bytes);

/// "3.4 GB", "128 MB".
std::string describe_bytes(std::int64_t bytes);

}  // namespace tetrawave
