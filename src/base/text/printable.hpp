// Text as it may be shown on a terminal, wherever it came from.
#pragma once

#include <string>
#include <string_view>

namespace tetrawave {

/// UTF-8 as it stands, tabs and ends of lines too; other control characters and bytes that are no UTF-8 as \x1b, so
/// that a name in a file cannot command the terminal.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace tetrawave
