// What commands write to stdout.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tetrawave::app {

/// Text from files is made printable on the way.
void print(const std::string& text);

/// Indented; what is no UTF-8 in it is replaced.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

/// Throws UserError (io) where not everything that was written to stdout has arrived: a full disk, a closed pipe.
void finish_output();

}  // namespace tetrawave::app
