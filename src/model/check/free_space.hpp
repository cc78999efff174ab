// Disk and memory needed for the results of a run, compared with those of this host.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/check/case_check.hpp"

namespace tetrawave::modes {

/// A warning for each shortage: of disk space for a run's files in `folder` (or the existing part of its path; empty:
/// the working directory), and of memory in which rank 0 writes results. Both in double, as they may not fit an
/// integer.
[[nodiscard]] std::vector<std::string> find_shortages(double file_bytes, double result_memory_bytes,
                                                      const std::filesystem::path& folder = {});

/// All files at the end of a run.
[[nodiscard]] double total_bytes(const DiskSpace& disk);

}  // namespace tetrawave::modes
