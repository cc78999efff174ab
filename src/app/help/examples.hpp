// Examples of every command, for --help and the manual page.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string_view>

namespace tetrawave::app {

struct Example {
  std::string_view command;  ///< "run"; empty: of the program as a whole
  std::string_view line;     ///< what is typed
  std::string_view what;
};

[[nodiscard]] std::span<const Example> examples();

/// Appends its examples to the --help of every command.
void add_examples(CLI::App& app);

}  // namespace tetrawave::app
