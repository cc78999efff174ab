// What may be typed behind a command or an option, read from CLI11's tree.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tetrawave::app {

enum class ValueKind { none, words, file, folder, other };

struct Value {
  ValueKind kind = ValueKind::none;  ///< none: a flag
  std::vector<std::string> words;    ///< of kind words
};

/// By the option's type name: "a|b|c" are words, FILE and MESH.h5 files, DIR folders.
[[nodiscard]] Value value_of(const CLI::Option& option);

/// "--output", "-o"; empty for a positional.
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option);

/// The commands in the order of --help.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// A command's options (with --help) or its positionals.
[[nodiscard]] std::vector<const CLI::Option*> options_of(const CLI::App& command);
[[nodiscard]] std::vector<const CLI::Option*> positionals_of(const CLI::App& command);

}  // namespace tetrawave::app
