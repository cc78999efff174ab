// Logging: one sink for the terminal and, once the run directory is known, one for log.txt; in a study, another one for
// each run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/text/format.hpp"

namespace tetrawave::log {

/// Which messages reach the terminal.
enum class Verbosity { quiet, normal };

/// Sets up the terminal sink. Only rank 0 (`is_root`) logs messages below error level: what is to be warned of, all
/// ranks know or rank 0 does.
void start(Verbosity verbosity, bool is_root);

/// Adds PATH (log.txt) as a second sink. Throws UserError (io) if it cannot be opened.
void to_file(const std::filesystem::path& path);
/// Keeps the first `count` warnings and removes later ones.
[[nodiscard]] std::size_t file_count();
void leave_files(std::size_t count);

void write_info(std::string_view text);
void write_warning(std::string_view text);
void write_error(std::string_view text);

template <class... Args>
void info(format_string<Args...> text, Args&&... args) {
  write_info(fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void warning(format_string<Args...> text, Args&&... args) {
  write_warning(fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void error(format_string<Args...> text, Args&&... args) {
  write_error(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace tetrawave::log
