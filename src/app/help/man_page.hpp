// The manual page, from CLI11's tree.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tetrawave::app {

/// tetrawave(1) in the macros of man(7): all commands with their options and examples.
[[nodiscard]] std::string man_page(const CLI::App& app, const std::string& version);

}  // namespace tetrawave::app
