// What is most likely wrong in YAML that is not well formed.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tetrawave {

/// A place in a text, both from 0.
struct TextPlace {
  int line = 0;
  int byte = 0;
};

/// Where the first quoted text starts that is still open at the end, or where a line begins at the left margin: YAML
/// forbids that, yaml-cpp takes what follows for text. None is found in texts with block scalars (| or >); a quote
/// after a comma or dash within a plain text is taken for one.
[[nodiscard]] std::optional<TextPlace> find_open_quote(const std::vector<std::string>& lines);

/// The tab in the indentation of a line or of the one before it.
[[nodiscard]] std::optional<TextPlace> find_tab(const std::vector<std::string>& lines, int line);

/// The remedy for a message of yaml-cpp at a place, from "; " on; empty if there is none.
[[nodiscard]] std::string hint_at(const std::vector<std::string>& lines, TextPlace at, const std::string& message);

}  // namespace tetrawave
