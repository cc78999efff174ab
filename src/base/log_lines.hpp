// The log beside its messages: the line of a terminal that is written again and again, after which messages begin a new
// one, and warnings that a report repeats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tetrawave::log {

/// Writes the line on stderr, in place of the previous one.
void show_line(std::string_view text);
/// Ends the line, if one is shown.
void end_line();

/// Keeps the warnings of this process from now on.
void keep_warnings();
[[nodiscard]] std::vector<std::string> kept_warnings();

}  // namespace tetrawave::log
