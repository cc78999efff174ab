// What a run writes and needs to write it, against what this host has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/check/case_check.hpp"

namespace tetrawave::modes {

/// One warning for each of these that is not there: the bytes of a run's files on the disk of `folder` (or of what is
/// there of its path; empty: the working directory), and the memory in which rank 0 writes results. Both in double
/// where they fit no whole number.
[[nodiscard]] std::vector<std::string> find_shortages(double file_bytes, double result_memory_bytes,
                                                      const std::filesystem::path& folder = {});

/// All files at the end of a run.
[[nodiscard]] double total_bytes(const DiskSpace& disk);

}  // namespace tetrawave::modes
