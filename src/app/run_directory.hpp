// The directory that a run writes into.
#pragma once

#include <filesystem>
#include <optional>

namespace tetrawave::app {

/// DIR as given, or CASE-name.out in the working directory.
std::filesystem::path run_directory_of(const std::filesystem::path& case_file,
                                       const std::optional<std::filesystem::path>& given);

/// Makes the directory ready: refuses one that holds results (usage, 64) unless `overwrite`, which removes what an
/// earlier run wrote there (and nothing else). Throws UserError (io) when it cannot be made.
void prepare_run_directory(const std::filesystem::path& directory, bool overwrite);

}  // namespace tetrawave::app
