// Completion of commands, options and their values in shells.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tetrawave::app {

/// The script of `shell` (bash, zsh or fish) for all of the program's commands. Throws UserError (usage) for another.
[[nodiscard]] std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace tetrawave::app
