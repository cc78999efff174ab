// Text made safe for a terminal, whatever its origin.
#pragma once

#include <string>
#include <string_view>

namespace tetrawave {

/// Valid UTF-8, tabs and line ends are kept; other control characters and invalid bytes become \x1b and the like, so
/// that a name in a file cannot control the terminal.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace tetrawave
