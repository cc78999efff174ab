// Output of commands to stdout.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tetrawave::app {

/// Text from files is made printable.
void print(const std::string& text);

/// Indented; invalid UTF-8 is replaced.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

/// Throws UserError (io) if not everything written to stdout has arrived: a full disk, a closed pipe.
void finish_output();

}  // namespace tetrawave::app
