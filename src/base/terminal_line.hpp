// The line of a terminal that is written again and again; messages of the log begin a new line after it.
#pragma once

#include <string_view>

namespace tetrawave::log {

/// Writes the line on stderr, in place of the previous one.
void show_line(std::string_view text);
/// Ends the line, if one is shown.
void end_line();

}  // namespace tetrawave::log
